"""What a service is started with beyond the open back ends: local models and promises, by names and never by places."""

import json
from dataclasses import replace

import pytest

import citewell
from citewell.errors import InputError, UsageError
from citewell.pipeline import promise
from citewell.registry import parse
from citewell.serve.faults import Fault
from citewell.serve.offered import Model, Offered, offered

TEXT = "The harbour froze in January 2021. Revenue rose to 5 million euros in 2022."
PROMISE = promise.Promise(
    "answers", 0.999, "any", 0.01, 0.95, "extractive", promise.fingerprint("extractive"), ["clapnq/dev"], "", {}, 900,
    600, 0, "x", [90] * promise.BINS, "0.1.0",
)  # fmt: skip


@pytest.fixture
def careful(tmp_path):
    path = tmp_path / "careful.json"
    path.write_text(json.dumps(PROMISE.to_dict()), encoding="utf-8")
    return path


def test_promises_are_called_as_they_are_named_or_as_their_files(careful):
    assert list(offered(promises=[str(careful)]).promises) == ["careful"]
    assert list(offered(promises=[f"a={careful}", f"b={careful}"]).promises) == ["a", "b"]
    with pytest.raises(UsageError, match="two promises are called 'careful'"):
        offered(promises=[str(careful), f"careful={careful}"])
    with pytest.raises(InputError, match="cannot be read"):
        offered(promises=["a=/nowhere.json"])


def test_a_question_is_held_to_a_promise_by_its_name_and_to_no_file(serving, careful):
    client = serving(offered=offered(promises=[str(careful)]))
    name = client.post("/v1/documents", json={"text": TEXT}).json()["id"]
    settings = {"documents": [name], "question": "When did the harbour freeze?"}
    assert not client.post("/v1/ask", json=settings).json()["abstained"]
    payload = client.post("/v1/ask", json={**settings, "abstain": "careful"}).json()
    assert (payload["abstained"], payload["abstention"]["threshold"]) == (True, 0.999)
    reply = client.post("/v1/ask", json={**settings, "abstain": str(careful)[-60:]})
    assert (reply.status_code, reply.json()["error"]["field"]) == (422, "abstain")
    promises = client.get("/v1/settings").json()["promises"]
    assert [(promise["name"], promise["risk"]) for promise in promises if promise["name"] != "default"] == [
        ("careful", 0.01)
    ]
    assert promises[0]["words"] == PROMISE.words()


def test_the_promise_that_ships_is_listed_where_one_does(monkeypatch):
    ours = replace(PROMISE, risk=0.2)
    monkeypatch.setattr(promise, "default", lambda method: ours)
    assert Offered().listed(None) == {"default": ours}
    assert Offered(promises={"default": PROMISE}).listed(None) == {"default": PROMISE}
    assert Offered().promise("default") == "default"

    def none(method):
        raise UsageError("no promise ships")

    monkeypatch.setattr(promise, "default", none)
    assert Offered().listed("openai(model=x)") == {}


def test_a_promise_of_other_stages_is_refused_without_its_place(serving, careful):
    careful.write_text(json.dumps(replace(PROMISE, method="citation").to_dict()), encoding="utf-8")
    client = serving(offered=offered(promises=[str(careful)]))
    name = client.post("/v1/documents", json={"text": TEXT}).json()["id"]
    response = client.post("/v1/ask", json={"documents": [name], "question": "When?", "abstain": "careful"})
    assert response.status_code == 422
    assert response.json()["error"]["message"] == "the promise was made for citation, not extractive: calibrate again"


def test_a_model_is_known_by_its_name_and_its_layers_are_checked():
    offered = Offered({"small": Model("/models/small", 6)})
    assert offered.method(parse("hidden-states")) == "hidden-states(model=small)"
    assert offered.method(parse("hidden-states(layer=-7, threshold=0.5)")).endswith("threshold=0.5, model=small)")
    for spec, message in (
        ("hidden-states(model=/etc)", "model is one of small"),
        ("hidden-states(layer=7)", "layers 0 to 6, or -1 to -7"),
        ("hidden-states(token_layer=-8)", "layers 0 to 6"),
        ("hidden-states(match=windows)", "takes no match"),
    ):
        with pytest.raises(Fault, match=message):
            offered.method(parse(spec))


def test_without_a_model_no_request_names_a_method_that_needs_one(client):
    response = client.post("/v1/attribute", json={"library": True, "answer": "It froze.", "method": "hidden-states"})
    assert (response.status_code, response.json()["error"]["field"]) == (422, "method")
    assert "hidden-states" not in json.dumps(client.get("/v1/settings").json())


def test_an_answer_is_attributed_by_the_states_of_a_model_that_the_service_names(serving, zoo):
    arguments = offered(models=[f"tiny={zoo.encoder}"])
    client = serving(offered=arguments)
    name = client.post("/v1/documents", json={"text": TEXT}).json()["id"]
    settings = {"documents": [name], "answer": "The harbour froze in January 2021.", "granularity": "window"}
    answer = client.post("/v1/attribute", json={**settings, "method": 'hidden-states(model="tiny", layer=1)'}).json()
    assert answer["method"].startswith("hidden-states(model=tiny, layer=1)")
    assert str(zoo.encoder) not in json.dumps(answer)
    cited = answer["citations"][0]
    assert cited["quote"] == TEXT[cited["start"] : cited["end"]]
    assert client.post("/v1/verify", json={"answer": answer}).json()["ok"]
    assert client.get("/v1/settings").json()["models"] == [{"name": "tiny", "layers": arguments.models["tiny"].layers}]
    assert citewell.Answer.from_dict(answer).statements
