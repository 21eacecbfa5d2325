"""Every route by every caller: whose a thing is decides who sees and changes it, wherever it comes out again.

The routes come from the interface's own description: a new one that has no row here fails.
"""

import itertools
import json

import pytest

from citewell.document import Document
from citewell.library.batch.kept import PART, RUN
from citewell.library.batch.rows import Row
from citewell.serve import keeping
from citewell.serve.jobs.folders import OUT
from citewell.serve.jobs.row import Rows

CALLERS = {
    "owner": "workspace=red role=member",
    "reader": "workspace=red role=reader",
    "member": "workspace=red role=member",
    "admin": "workspace=red role=admin",
    "foreign-reader": "workspace=blue role=reader",
    "foreign-member": "workspace=blue role=member",
    "foreign-admin": "workspace=blue role=admin",
}
COLLEAGUES = ("reader", "member", "admin")
FOREIGN = tuple(name for name in CALLERS if name.startswith("foreign"))
LABELS = ("workspace:red",)
NUMBERS = itertools.count(1000)


def bearer(name, **more):
    return {"Authorization": f"Bearer {name}-0123456789abcdef", **more}


class World:
    """One document of the owner with a word that stands nowhere else, and all that is made from it."""

    def __init__(self, client):
        self.client, self.secret = client, f"otter{next(NUMBERS)}"
        self.text = f"The {self.secret} harbour froze in January 2021. Two ferries were sold."
        self.title = f"Report {self.secret}"
        self.document = self.call(
            "owner", "POST", "/v1/documents", json={"text": self.text, "title": self.title}
        ).json()["id"]
        body = {"documents": [self.document], "claims": [f"The {self.secret} harbour froze in 2021."], "keep": True}
        self.kept = self.call("owner", "POST", "/v1/check", json=body).headers["x-citewell-history"]
        fields = {"history": self.kept, "statement": 0, "note": self.secret}
        self.correction = self.call("owner", "POST", "/v1/corrections", json=fields).json()["id"]
        named = {"name": f"Winter {next(NUMBERS)}", "documents": [self.document]}
        self.collection = self.call("owner", "POST", "/v1/collections", json=named).json()["id"]
        rows = json.dumps({"id": 1, **body, "keep": False}).encode() + b"\n"
        headers = {"content-type": "application/jsonl", "Idempotency-Key": self.secret}
        self.job = self.call("owner", "POST", "/v1/jobs?kind=check", content=rows, headers=headers).json()["id"]
        self._work()

    def _work(self):
        """The result of the job, as a batch writes it."""
        result = {"verdicts": [{"citations": [{"document_id": self.document, "quote": self.text}]}]}
        line = json.dumps({"id": 1, "result": result}).encode() + b"\n"
        out = self.client.service.folders._place / self.job / OUT
        out.mkdir()
        (out / PART).write_bytes(line)
        (out / RUN).write_text(json.dumps({"rows": 1, "failed": 0, "end": len(line)}) + "\n")

    def call(self, who, method, path, headers=None, **more):
        return self.client.request(method, path, headers=bearer(who, **(headers or {})), **more)

    def remove(self):
        assert self.call("owner", "DELETE", f"/v1/documents/{self.document}").status_code == 204

    def relabel(self):
        library = self.client.service.pool.desk._library("library", LABELS)
        read = keeping.from_document(Document.from_text(self.text, self.title), LABELS)
        library.add([read], labels=[*LABELS, "board"])


def question(world):
    return {"documents": [world.document], "question": "When did the harbour freeze?"}


def chat(world):
    messages = [{"role": "user", "content": "When did the harbour freeze?"}]
    return {"model": "citewell", "messages": messages, "citewell": {"documents": [world.document]}}


def responses(world):
    return {"model": "citewell", "input": "When did the harbour freeze?", "citewell": {"documents": [world.document]}}


DOCUMENT, KEPT, PRIVATE, LIST, COLLECTION = "document", "kept", "private", "list", "collection"
# By route: what it touches, its address with {id} filled in, and what is sent.
SEEING = {
    "GET /v1/documents": (LIST, DOCUMENT, None),
    "GET /v1/documents/{id}": (DOCUMENT, "document", None),
    "GET /v1/documents/{id}/pages": (DOCUMENT, "document", None),
    "GET /v1/documents/{id}/text": (DOCUMENT, "document", None),
    "GET /v1/documents/{id}/place": (DOCUMENT, "document", {"params": {"start": 0, "end": 20}}),
    "GET /v1/documents/{id}/find": (DOCUMENT, "document", {"params": {"q": "harbour"}}),
    "GET /v1/files": (LIST, DOCUMENT, None),
    "GET /v1/files/{id}": (DOCUMENT, "document", None),
    "GET /v1/files/{id}/content": (DOCUMENT, "document", None),
    "POST /v1/ask": (DOCUMENT, None, lambda world: {"json": question(world)}),
    "POST /v1/overview": (DOCUMENT, None, lambda world: {"json": {"document": world.document}}),
    "POST /v1/attribute": (
        DOCUMENT,
        None,
        lambda world: {"json": {"documents": [world.document], "answer": "It froze."}},
    ),
    "POST /v1/check": (
        DOCUMENT,
        None,
        lambda world: {"json": {"documents": [world.document], "claims": ["It froze."]}},
    ),
    "POST /v1/audit": (
        DOCUMENT,
        None,
        lambda world: {"json": {"documents": [world.document], "response": "Two ferries were sold [1]."}},
    ),
    "POST /v1/chat/completions": (DOCUMENT, None, lambda world: {"json": chat(world)}),
    "POST /v1/responses": (DOCUMENT, None, lambda world: {"json": responses(world)}),
    "POST /v1/messages": (DOCUMENT, None, lambda world: {"json": {**chat(world), "max_tokens": 100}}),
    "GET /v1/history": (LIST, PRIVATE, None),
    "GET /v1/history/{id}": (PRIVATE, "kept", None),
    "GET /v1/history/{id}/export": (PRIVATE, "kept", None),
    "GET /v1/corrections": (LIST, PRIVATE, None),
    "GET /v1/corrections.jsonl": (LIST, PRIVATE, None),
    "POST /v1/corrections": (
        PRIVATE,
        None,
        lambda world: {"json": {"history": world.kept, "statement": 0, "note": "so"}},
    ),
    "GET /v1/collections": (LIST, COLLECTION, None),
    "GET /v1/collections/{id}": (COLLECTION, COLLECTION, None),
    "GET /v1/jobs": (LIST, "job", None),
    "GET /v1/jobs/{id}": ("job", "job", None),
    "GET /v1/jobs/{id}/results": ("job", "job", None),
}
CHANGING = {
    "DELETE /v1/documents/{id}": ("document", None),
    "DELETE /v1/files/{id}": ("document", None),
    "DELETE /v1/history/{id}": ("kept", None),
    "DELETE /v1/history": (None, None),
    "PATCH /v1/history/{id}": ("kept", {"json": {"shared": True}}),
    "DELETE /v1/corrections/{id}": ("correction", None),
    "DELETE /v1/jobs/{id}": ("job", None),
    "PATCH /v1/collections/{id}": ("collection", lambda _: {"json": {"name": f"Summer {next(NUMBERS)}"}}),
    "DELETE /v1/collections/{id}": ("collection", None),
}
# What is nobody's, or is made by the request itself; and pages, which a text has none of.
OTHER = {
    "POST /v1/documents", "POST /v1/files", "POST /v1/jobs", "POST /v1/collections", "POST /v1/verify", "POST /v1/messages/count_tokens",
    "GET /v1/documents/{id}/pages/{n}.json", "GET /v1/documents/{id}/pages/{n}.png", "GET /v1/settings",
    "GET /v1/models", "GET /v1/models/{model}", "GET /v1/libraries", "GET /health", "GET /health/live",
    "GET /health/ready", "GET /metrics",
    "GET /v1/failures", "POST /v1/failures/{id}/retry", "DELETE /v1/failures/{id}",  # in test_failures
    "GET /v1/events",  # below: what is heard depends on when it is listened
    # Users have a matrix of their own in test_users.
    "GET /v1/users", "POST /v1/users", "PATCH /v1/users/{name}", "DELETE /v1/users/{name}", "POST /v1/users/{name}/token",
}  # fmt: skip


@pytest.fixture
def red(serving, tmp_path):
    file = tmp_path / "tokens"
    file.write_text("".join(f"{name}-0123456789abcdef name={name} {rest}\n" for name, rest in CALLERS.items()))
    return serving(token_file=file)


def called(world, who, route, sent, target):
    method, path = route.split(" ")
    path = (
        path.replace("{id}", str(getattr(world, target)))
        if target in ("document", "kept", "job", "correction", "collection")
        else path
    )
    more = sent(world) if callable(sent) else sent or {}
    return world.call(who, method, path, **more)


def test_every_route_has_an_owner(red):
    described = red.get("/openapi.json").json()["paths"]
    routes = {f"{method.upper()} {path}" for path, methods in described.items() for method in methods}
    assert routes == set(SEEING) | set(CHANGING) | OTHER


@pytest.mark.parametrize("route", SEEING)
def test_what_a_route_gives_is_seen_by_those_it_is_there_for_until_it_is_relabelled_or_removed(red, route):
    touched, target, sent = SEEING[route]
    shared = DOCUMENT in (touched, target)
    world = World(red)
    for who in ("owner", *COLLEAGUES, *FOREIGN):
        mine = who in ("owner", "admin") or (shared and who in COLLEAGUES)
        reply = called(world, who, route, sent, target)
        if touched == LIST:
            listed = getattr(world, target) if target in ("job", COLLECTION) else world.secret
            assert (reply.status_code, listed in reply.text) == (200, mine), who
        else:
            assert (reply.status_code < 300) == mine, (who, reply.text)
            assert mine or (reply.status_code in (403, 404) and world.secret not in reply.text), who
    for change in ("relabel", "remove"):
        world = World(red)
        assert called(world, "owner", route, sent, target).status_code < 300
        getattr(world, change)()
        for who in ("owner", "admin", "foreign-admin"):
            reply = called(world, who, route, sent, target)
            assert world.secret not in reply.text, (change, who)
            assert touched in (LIST, "job", COLLECTION) or reply.status_code == 404, (change, who)


@pytest.mark.parametrize("route", CHANGING)
def test_only_its_owner_and_an_admin_of_the_workspace_change_a_thing(red, route):
    target, sent = CHANGING[route]
    world = World(red)
    for who in ("reader", "member", *FOREIGN):
        reply = called(world, who, route, sent, target)
        assert reply.status_code in ((204,) if target is None else (403, 404)), who  # all of one's own: none
        assert world.secret not in reply.text
    kinds = ("document", "documents"), ("kept", "history"), ("job", "jobs"), (COLLECTION, "collections")
    for kind, path in kinds:
        assert world.call("owner", "GET", f"/v1/{path}/{getattr(world, kind)}").status_code == 200, kind
    assert world.secret in world.call("owner", "GET", "/v1/corrections").text
    for who in ("owner", "admin"):
        assert called(World(red), who, route, sent, target).status_code < 300


def test_the_same_bytes_stay_their_first_owners_in_a_workspace_and_are_others_in_another(red):
    world = World(red)
    body = {"text": world.text, "title": world.title}
    for who in ("member", "foreign-member"):
        assert world.call(who, "POST", "/v1/documents", json=body).json()["id"] == world.document
    assert world.call("member", "DELETE", f"/v1/documents/{world.document}").status_code == 403
    assert world.call("foreign-member", "DELETE", f"/v1/documents/{world.document}").status_code == 204
    assert world.call("owner", "GET", f"/v1/documents/{world.document}").json()["owner"] == "owner"
    assert world.secret in world.call("owner", "GET", f"/v1/jobs/{world.job}/results").text


def test_a_key_gives_nobody_elses_job_or_reply_and_no_strangers_removal_takes_ones_own(red):
    world = World(red)
    headers = {"content-type": "application/jsonl", "Idempotency-Key": world.secret}
    rows = json.dumps({"id": 1, "documents": ["0" * 16], "claims": ["It froze."]}).encode() + b"\n"
    for who in ("member", "foreign-member"):
        begun = world.call(who, "POST", "/v1/jobs?kind=check", content=rows, headers=headers)
        assert (begun.status_code, begun.json()["id"] == world.job) == (202, False)
    key, body = {"Idempotency-Key": "one"}, question(world)
    first = world.call("owner", "POST", "/v1/ask", json=body, headers=key)
    assert world.call("member", "POST", "/v1/ask", json=body, headers=key).headers.get("idempotent-replayed") is None
    assert world.call("foreign-member", "DELETE", f"/v1/documents/{world.document}").status_code == 404
    assert world.call("member", "DELETE", f"/v1/documents/{world.document}").status_code == 403
    again = world.call("owner", "POST", "/v1/ask", json=body, headers=key)
    assert (again.headers.get("idempotent-replayed"), again.json()) == ("true", first.json())


@pytest.mark.parametrize("change", ["relabel", "remove"])
def test_a_repeated_request_gets_no_reply_that_quotes_what_is_gone(red, change):
    world = World(red)
    requests = [
        ("/v1/ask", question(world)),
        ("/v1/ask", {**question(world), "stream": True}),
        ("/v1/messages", {**chat(world), "max_tokens": 9}),
    ]

    def replies():
        return [
            world.call("owner", "POST", path, json=body, headers={"Idempotency-Key": f"key {number}"})
            for number, (path, body) in enumerate(requests)
        ]

    assert [reply.status_code for reply in replies()] == [200] * 3
    assert [reply.headers["idempotent-replayed"] for reply in replies()] == ["true"] * 3
    getattr(world, change)()
    assert [(reply.status_code, world.secret in reply.text) for reply in replies()] == [(404, False)] * 3


def test_a_removed_document_is_erased_from_results_of_jobs_on_disk(red):
    world = World(red)
    path = red.service.folders._place / world.job / OUT / PART
    before = path.stat().st_size
    world.remove()
    assert world.secret.encode() not in path.read_bytes()
    assert path.stat().st_size == before
    (line,) = world.call("owner", "GET", f"/v1/jobs/{world.job}/results").text.splitlines()
    assert json.loads(line)["error"]["type"] == "NotFoundError"


def test_a_result_is_shared_with_its_workspace_and_with_nobody_else(red):
    world = World(red)
    assert world.call("owner", "PATCH", f"/v1/history/{world.kept}", json={"shared": True}).json()["shared"] is True
    for who in COLLEAGUES:
        assert world.secret in world.call(who, "GET", f"/v1/history/{world.kept}").text
    for who in FOREIGN:
        assert world.call(who, "GET", f"/v1/history/{world.kept}").status_code == 404
    assert world.call("member", "DELETE", f"/v1/history/{world.kept}").status_code == 403
    assert world.call("owner", "PATCH", f"/v1/history/{world.kept}", json={"shared": False}).json()["shared"] is False
    assert world.call("member", "GET", f"/v1/history/{world.kept}").status_code == 404


def heard(world, who, since):
    reply = world.call(who, "GET", "/v1/events", params={"seconds": 0}, headers={"Last-Event-ID": since})
    lines = reply.text.splitlines()
    names = [line.removeprefix("event: ") for line in lines if line.startswith("event: ")]
    return names, [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


def test_events_are_heard_by_those_whose_things_they_tell_of(red, monkeypatch):
    monkeypatch.setattr("citewell.serve.looking._EVERY", 0.0)
    since = red.get("/v1/events", params={"seconds": 0}, headers=bearer("owner")).text.partition("id: ")[2][:16]
    world = World(red)
    (folder,) = (red.service.folders._place / world.job,)
    assert world.call("foreign-member", "POST", "/v1/documents", json={"text": "Ships sail."}).status_code == 201
    for who in CALLERS:
        names, data = heard(world, who, since)
        told = {(name, fields["id"]) for name, fields in zip(names, data, strict=True)}
        assert (("document", world.document) in told) == (who in ("owner", *COLLEAGUES)), who
        assert (("job", folder.name) in told) == (who in ("owner", "admin")), who
        assert (world.secret in json.dumps(data)) == (who in ("owner", *COLLEAGUES)), who
        assert "reset" not in names
    world.relabel()
    for who in CALLERS:
        last = dict(zip(*heard(world, who, since), strict=True)).get("document")
        gone = {"change": "removed", "id": world.document, "document": None}
        assert (last == gone) == (who in ("owner", *COLLEAGUES)), who


def in_collection(world):
    return {"collection": world.collection}


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/v1/ask", {"question": "When did the harbour freeze?"}),
        ("/v1/attribute", {"answer": "It froze."}),
        ("/v1/check", {"claims": ["It froze."]}),
        ("/v1/audit", {"response": "Two ferries were sold [1]."}),
    ],
)
def test_what_is_asked_of_a_collection_is_asked_of_its_documents_by_those_who_see_both(red, path, fields):
    world, other = World(red), World(red)
    body = {**in_collection(world), **fields}
    for who in CALLERS:
        reply = world.call(who, "POST", path, json=body)
        assert reply.status_code == (200 if who in ("owner", "admin") else 404), who
        assert (world.secret in reply.text) == (who in ("owner", "admin")), who
        assert other.secret not in reply.text
    world.relabel()
    for who in CALLERS:
        reply = world.call(who, "POST", path, json=body)
        assert (reply.status_code, world.secret in reply.text) == (
            (422 if who in ("owner", "admin") else 404),
            False,
        ), who
    listed = world.call("owner", "GET", "/v1/documents", params=in_collection(world)).json()["documents"]
    assert listed == []


def test_members_see_a_collection_and_fill_it_and_its_owner_alone_names_and_shares_it(red):
    world, other = World(red), World(red)
    path = f"/v1/collections/{world.collection}"
    assert world.call("owner", "PATCH", path, json={"members": ["member", "foreign-member"]}).status_code == 200
    for who in ("reader", *FOREIGN):
        assert world.call(who, "PATCH", path, json={"add": [other.document]}).status_code == 404, who
    added = world.call("member", "PATCH", path, json={"add": [other.document], "remove": [world.document]})
    assert added.json()["documents"] == 1
    rows = world.call("member", "GET", "/v1/documents", params=in_collection(world)).json()["documents"]
    assert [row["id"] for row in rows] == [other.document]
    for change in ({"name": "Mine"}, {"shared": True}, {"members": ["member", "reader"]}):
        assert world.call("member", "PATCH", path, json=change).status_code == 403, change
    assert world.call("member", "DELETE", path).status_code == 403
    assert world.call("owner", "PATCH", path, json={"shared": True, "members": []}).json()["shared"] is True
    assert world.call("reader", "GET", path).json()["name"].startswith("Winter")
    assert world.call("reader", "PATCH", path, json={"add": [world.document]}).status_code == 403
    assert world.call("foreign-admin", "GET", path).status_code == 404


def test_a_row_of_a_job_is_asked_by_who_began_it(red):
    world = World(red)
    job = next(job for job in red.service.folders.all() if job.id == world.job)
    for caller, status in ((job.caller, "done"), (job.caller._replace(name="member"), "fault")):
        rows = Rows("check", caller, ("library",), {"library": red.service.settings.library}, None, 60.0)
        body = {"id": 1, **in_collection(world), "claims": ["It froze."]}
        ((line, good),) = rows.worker().lines([Row(0, body)])
        assert good == (status == "done"), line
