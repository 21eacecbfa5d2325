"""The description has a schema for every reply in JSON, and real replies are as it says."""

import pytest

from pdfs import make_pdf

validators = pytest.importorskip("jsonschema")
TEXT = "Fare income was $12 million in 2019. Ships sail to the islands."
KEPT = {"keep": True, "documents": ["{d}"]}
POSTED = [
    ("/v1/ask", {**KEPT, "question": "What was fare income in 2019?"}),
    ("/v1/ask", {**KEPT, "question": "Who is the king of France?"}),
    ("/v1/ask", {"library": True, "question": "What was fare income in 2019?", "thread": "a"}),
    ("/v1/attribute", {**KEPT, "answer": "Fare income was $13 million in 2019."}),
    ("/v1/check", {**KEPT, "claims": ["Fare income was $13 million in 2019.", "Ships sail."]}),
    ("/v1/audit", {**KEPT, "response": "Fare income was $12 million in 2019 [1]. The moon is a ship [7]."}),
    ("/v1/overview", {"document": "{d}"}),
    ("/v1/chat/completions", {"model": "citewell", "messages": [{"role": "user", "content": "What is fare income?"}]}),
    ("/v1/responses", {"model": "citewell", "input": "What was fare income in 2019?"}),
    ("/v1/messages",
     {"model": "citewell", "max_tokens": 99, "messages": [{"role": "user", "content": "Who is the king?"}]}),
]  # fmt: skip
READ = [
    "/health", "/health/live", "/health/ready", "/v1/settings", "/v1/libraries", "/v1/documents", "/v1/documents/{d}",
    "/v1/documents/{d}/pages", "/v1/documents/{d}/pages/1.json", "/v1/documents/{d}/text",
    "/v1/documents/{d}/place?start=0&end=4",
    "/v1/documents/{d}/find?q=ships+sail", "/v1/history", "/v1/history/{h}", "/v1/corrections", "/v1/jobs",
    "/v1/collections", "/v1/collections/{c}", "/v1/models", "/v1/models/citewell", "/v1/files", "/v1/files/{d}",
]  # fmt: skip


@pytest.fixture(scope="module")
def answered(here, tmp_path_factory):
    """A service with a document and results of every kind; the replies so far, by method and path."""
    from starlette.testclient import TestClient

    from citewell.serve.app import Service
    from citewell.serve.settings import Settings

    folder = tmp_path_factory.mktemp("described")
    service = Service(Settings(str(folder / "library"), folder))
    service.pool = here(service.settings.library)
    client = TestClient(service.app, base_url="http://127.0.0.1")
    added = client.post("/v1/documents", files={"file": ("a.pdf", make_pdf([TEXT]))})
    client.post("/v1/documents", json={"text": TEXT + " Nobody complained.", "title": "B"})
    client.name = added.json()["id"]
    return client, added


def filled(value, name):
    if isinstance(value, dict):
        return {key: filled(each, name) for key, each in value.items()}
    if isinstance(value, list):
        return [filled(each, name) for each in value]
    return value.replace("{d}", name) if isinstance(value, str) else value


def conforms(client, method, path, reply):
    paths = client.get("/openapi.json").json()["paths"]
    parts = path.partition("?")[0].split("/")
    fitting = [known for known in paths if fits(known.split("/"), parts)]
    known = min(fitting, key=lambda known: known.count("{"))
    content = paths[known][method]["responses"][str(reply.status_code)]["content"]["application/json"]
    faults = validators.Draft202012Validator(content["schema"]).iter_errors(reply.json())
    assert [f"{list(fault.absolute_path)}: {fault.message}" for fault in faults] == [], path


def fits(known, parts):
    named = [name.partition("{")[0] for name in known]
    return len(known) == len(parts) and all(
        part.startswith(name) and (part == name or "{" in whole)
        for name, part, whole in zip(named, parts, known, strict=True)
    )


@pytest.mark.parametrize(("path", "body"), POSTED)
def test_what_is_posted_is_replied_to_as_described(answered, path, body):
    client, added = answered
    conforms(client, "post", "/v1/documents", added)
    reply = client.post(path, json=filled(body, client.name))
    assert reply.status_code == 200, reply.text
    conforms(client, "post", path, reply)


@pytest.mark.parametrize("path", READ)
def test_what_is_read_is_as_described(answered, path):
    client, _ = answered
    body = filled({**KEPT, "question": "What was fare income in 2019?"}, client.name)
    history = client.post("/v1/ask", json=body).headers["x-citewell-history"]
    made = client.post("/v1/collections", json={"name": history, "documents": [client.name]}).json()["id"]
    path = path.replace("{d}", client.name).replace("{h}", history).replace("{c}", made)
    reply = client.get(path)
    assert reply.status_code == 200, reply.text
    conforms(client, "get", path, reply)


def test_every_reply_in_json_has_a_schema_that_says_something(answered):
    bare = [
        (path, method, status)
        for path, methods in answered[0].get("/openapi.json").json()["paths"].items()
        for method, operation in methods.items()
        for status, reply in operation["responses"].items()
        for kind, content in reply.get("content", {}).items()
        if kind == "application/json" and not {"properties", "$ref", "format"} & content["schema"].keys()
    ]
    assert bare == []


@pytest.mark.parametrize(("path", "wrong"), [("/v1/ask", {"text": 7}), ("/v1/check", {"verdicts": [{"claim": "x"}]})])
def test_a_reply_that_is_not_as_described_would_be_noticed(answered, path, wrong):
    client, _ = answered
    schema = client.get("/openapi.json").json()["paths"][path]["post"]["responses"]["200"]["content"]
    assert list(validators.Draft202012Validator(schema["application/json"]["schema"]).iter_errors(wrong))
