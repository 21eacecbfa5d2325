"""Clients of services, over real HTTP against a server of the test's own; no test waits."""

from __future__ import annotations

import json
import threading

import pytest

pytest.importorskip("openai", reason="needs the OpenAI SDK: pip install 'citewell[llm]'")
pytest.importorskip("anthropic", reason="needs the Anthropic SDK: pip install 'citewell[llm]'")

from citewell import registry
from citewell.errors import (
    AuthenticationError,
    BackendError,
    ContextTooLongError,
    RateLimitError,
    RefusedError,
    ReplyError,
    SpecError,
    UnknownModelError,
    UnreachableError,
    notes,
)
from citewell.llm.anthropic import Anthropic
from citewell.llm.asking import complete_all, complete_each
from citewell.llm.calls import Clock
from citewell.llm.openai import OpenAI
from citewell.llm.remote import Heard
from citewell.protocols import Attachment, Message, Request
from openai_server import KEY, Reply, error, serving

pytestmark = pytest.mark.slow

REQUEST = Request((Message("system", "Be brief."), Message("user", "Is it so?")), max_tokens=50)
KINDS = {"openai": OpenAI, "anthropic": Anthropic}
MESSAGE = {"openai": "a b c", "anthropic": "a b c"}


class Time:
    """A clock that tests set: it notes how long somebody wanted to sleep, and no time passes otherwise."""

    def __init__(self):
        self.at, self.slept = 0.0, []

    def clock(self):
        return Clock(lambda: self.at, self.sleep)

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.at += seconds


@pytest.fixture(params=["openai", "anthropic"])
def kind(request, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    return request.param


@pytest.fixture
def time():
    return Time()


def client(kind, server, time, **settings):
    built = KINDS[kind](model=settings.pop("model", "tiny"), base_url=server.url, **settings)
    built._caller.clock, built._caller.draw = time.clock(), lambda: 1.0
    return built


@pytest.mark.parametrize("streamed", [False, True])
def test_a_reply_comes_with_its_figures(kind, time, streamed):
    with serving(kind, "It is so.") as server:
        pieces = []
        completion = client(kind, server, time).complete(REQUEST, pieces.append if streamed else None)
    assert completion.text.strip() == "It is so."
    assert "".join(pieces) == (completion.text if streamed else "")
    assert len(pieces) == (3 if streamed else 0)
    assert (completion.input_tokens, completion.output_tokens, completion.finish, completion.model) == (
        11,
        7,
        "stop",
        "tiny",
    )
    assert completion.cost is None  # nobody knows what this server costs
    assert completion.seconds >= 0


def test_what_is_asked_arrives_as_the_protocol_says(kind, time):
    with serving(kind) as server:
        client(kind, server, time).complete(Request(REQUEST.messages, 50, 0.5, ("\n\n",), 3))
    path, headers, content = server.requests[0]
    named = {name.lower(): value for name, value in headers.items()}
    if kind == "openai":
        assert path == "/v1/chat/completions"
        assert named["authorization"] == f"Bearer {KEY}"
        assert content["messages"] == [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Is it so?"},
        ]
        assert (content["max_tokens"], content["temperature"], content["stop"], content["seed"]) == (
            50,
            0.5,
            ["\n\n"],
            3,
        )
    else:
        assert path == "/v1/messages"
        assert KEY in (named.get("x-api-key"), named.get("authorization", "").removeprefix("Bearer "))
        assert content["system"] == "Be brief."
        assert content["messages"] == [{"role": "user", "content": "Is it so?"}]
        assert (content["max_tokens"], content["temperature"], content["stop_sequences"]) == (50, 0.5, ["\n\n"])


def test_a_service_that_is_busy_is_asked_again_after_the_time_it_names(kind, time):
    busy = error(429, "slow down", headers={"retry-after": "7"})
    with serving(kind, busy, busy, "At last.") as server, notes.collect() as collected:
        completion = client(kind, server, time).complete(REQUEST)
    assert completion.text == "At last."
    assert time.slept == [7.0, 7.0]
    assert collected.counts["llm retries"] == 2


def test_pauses_grow_where_a_service_names_none(kind, time):
    with serving(kind, *[error(500, "oops")] * 4, "At last.") as server:
        client(kind, server, time).complete(REQUEST)
    assert time.slept == [1.0, 2.0, 4.0, 8.0]


def test_a_service_that_stays_busy_is_given_up(kind, time):
    with serving(kind, error(429, "slow down")) as server:
        with pytest.raises(RateLimitError, match=rf"{server.url}.*slow down.*\(3 tries\)"):
            client(kind, server, time, retries=2).complete(REQUEST)
        assert len(server.requests) == 3


def test_a_wait_of_hours_is_not_waited_for(kind, time):
    with (
        serving(kind, error(429, "come back tomorrow", headers={"retry-after": "86400"})) as server,
        pytest.raises(RateLimitError, match="it asks to wait 86400 seconds"),
    ):
        client(kind, server, time).complete(REQUEST)
    assert time.slept == []


def test_a_fault_inside_the_service_tells_its_status(kind, time):
    with (
        serving(kind, error(503, "down for maintenance")) as server,
        pytest.raises(BackendError, match="failed with status 503: down for maintenance"),
    ):
        client(kind, server, time, retries=1).complete(REQUEST)


def test_a_wrong_key_is_told_without_the_key(kind, time, monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-wrong-987654321")
    with serving(kind) as server:
        result = client(kind, server, time, key_env="MY_KEY")
        with pytest.raises(
            AuthenticationError, match="refuses the key: check the environment variable MY_KEY"
        ) as caught:
            result.complete(REQUEST)
        assert len(server.requests) == 1  # no retry helps
    assert "987654321" not in f"{caught.value!r} {result!r} {caught.value.__cause__!r}"
    assert caught.value.exit_code == 2


def test_a_missing_key_names_the_variable(kind, time, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    built = KINDS[kind](model="tiny")
    with pytest.raises(AuthenticationError, match=rf"no key for https://api\..*: set .* {kind.upper()}_API_KEY"):
        built.complete(REQUEST)


def test_an_unknown_model_is_named(kind, time):
    with serving(kind) as server, pytest.raises(UnknownModelError, match=rf"{server.url} has no model 'unknown'"):
        client(kind, server, time, model="unknown").complete(REQUEST)


def test_a_wrong_address_is_told_from_an_unknown_model(kind, time):
    with (
        serving(kind, Reply(status=404, body={"detail": "Not Found"})) as server,
        pytest.raises(UnreachableError, match=rf"no such service at {server.url} .*base_url"),
    ):
        client(kind, server, time).complete(REQUEST)


@pytest.mark.parametrize(
    ("message", "tokens", "limit"),
    [
        ("This model's maximum context length is 8192 tokens. However, your messages resulted in 10,000 tokens.", 10000, 8192),
        ("This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4900 in the messages, 100 in the completion).", 5000, 4096),
        ("prompt is too long: 210000 tokens > 200000 maximum", 210000, 200000),
        ("the request exceeds the available context size. try increasing it", None, None),
    ],
)  # fmt: skip
def test_a_prompt_that_is_too_long_is_told_with_both_numbers(kind, time, message, tokens, limit):
    with serving(kind, error(400, message)) as server, pytest.raises(ContextTooLongError) as caught:
        client(kind, server, time).complete(REQUEST)
    assert caught.value.limit == limit
    assert caught.value.tokens == tokens or (tokens is None and caught.value.tokens > 0)
    assert str(limit or "an unknown number") in str(caught.value)


def test_content_that_a_service_refuses_is_its_own_error(kind, time):
    with (
        serving(kind, error(400, "blocked by our content filter", "content_filter")) as server,
        pytest.raises(RefusedError, match="refuses this content: blocked"),
    ):
        client(kind, server, time).complete(REQUEST)


def test_other_wrong_requests_tell_what_the_service_says(kind, time):
    with (
        serving(kind, error(400, "messages must alternate")) as server,
        pytest.raises(BackendError, match=r"refuses the request \(400\): messages must alternate"),
    ):
        client(kind, server, time).complete(REQUEST)


def test_a_refusal_of_the_model_is_a_reply(kind, time):
    refusal = Reply("I cannot.", refusal="I cannot.") if kind == "openai" else Reply("I cannot.", finish="refusal")
    with serving(kind, refusal) as server:
        assert client(kind, server, time).complete(REQUEST).finish == "refused"


def test_a_reply_that_reached_its_length_says_so(kind, time):
    with serving(kind, Reply("It is", finish={"openai": "length", "anthropic": "max_tokens"}[kind])) as server:
        assert client(kind, server, time).complete(REQUEST).finish == "length"


def test_an_address_where_nobody_listens_is_named(kind, time):
    with serving(kind) as server:
        result = client(kind, server, time, retries=1)
        address = server.url
    with pytest.raises(UnreachableError, match=rf"cannot reach the service at {address}: .*\(2 tries\)"):
        result.complete(REQUEST)


def test_a_service_that_says_nothing_is_given_up(kind, time):
    gate = threading.Event()

    def wait(_):
        gate.wait(30)
        return "Too late."

    with serving(kind, wait) as server:
        with pytest.raises(UnreachableError, match=r"no answer within 0.05 seconds"):
            client(kind, server, time, retries=0, timeout=0.05).complete(REQUEST)
        gate.set()


@pytest.mark.parametrize("raw", [b'{"choices": [', b"<html>Welcome</html>", b"[]", b"{}"])
@pytest.mark.parametrize("content_type", ["application/json", "text/html"])
def test_a_reply_that_is_no_reply_is_an_error_after_the_retries(kind, time, raw, content_type):
    with (
        serving(kind, Reply(raw=raw, headers={"content-type": content_type})) as server,
        pytest.raises(ReplyError, match=rf"{server.url} gave a reply that cannot be used.*\(2 tries\)"),
    ):
        client(kind, server, time, retries=1).complete(REQUEST)


def test_an_empty_choice_is_asked_for_again(kind, time):
    with serving(kind, Reply(""), "Now.") as server:
        assert client(kind, server, time).complete(REQUEST).text == "Now."


def test_a_reply_without_any_choice_is_an_error(kind, time):
    body = {"id": "1", "model": "tiny", "choices": [], "content": [], "usage": {"input_tokens": 1, "output_tokens": 0}}
    with serving(kind, Reply(body=body)) as server, pytest.raises(ReplyError, match="no choice|no text"):
        client(kind, server, time, retries=0).complete(REQUEST)


@pytest.mark.parametrize("cut", [True, "hard"])
def test_a_stream_that_breaks_off_is_an_error_and_not_asked_for_again(kind, time, cut):
    pieces = []
    with serving(kind, Reply("one two three four five six seven eight", cut=cut)) as server:
        with pytest.raises(ReplyError, match=r"broke off after \d+ characters"):
            client(kind, server, time).complete(REQUEST, pieces.append)
        assert len(server.requests) == 1
    assert pieces[0] == "one "


def test_a_stream_that_fails_before_its_first_word_is_asked_for_again(kind, time):
    with serving(kind, error(500, "oops"), "It is so.") as server:
        pieces = []
        assert client(kind, server, time).complete(REQUEST, pieces.append).text == "It is so. "
    assert len(pieces) == 3


def test_a_fault_of_the_listener_is_its_own(kind, time):
    def listen(_):
        raise ValueError("no room on the screen")

    with serving(kind) as server, pytest.raises(ValueError, match="no room on the screen"):
        client(kind, server, time).complete(REQUEST, listen)
    assert len(server.requests) == 1


def test_many_requests_go_together_and_come_back_in_order(kind, time):
    gate = threading.Barrier(3, timeout=20)

    def reply(content):
        gate.wait()  # passes only when three are under way at once
        return "got " + content["messages"][-1]["content"]

    requests = [Request((Message("user", f"number {n}"),)) for n in range(9)]
    with serving(kind, reply) as server:
        built = complete_all(client(kind, server, time, concurrency=3), requests)
        assert [item.text for item in built] == [f"got number {n}" for n in range(9)]
        assert server.most == 3


def test_equal_requests_are_asked_once(kind, time):
    with serving(kind) as server:
        assert len(complete_all(client(kind, server, time), [REQUEST] * 4)) == 4
        assert len(server.requests) == 1


def test_what_concerns_one_request_leaves_the_others_alone(kind, time):
    def reply(content):
        long = "long" in content["messages"][-1]["content"]
        return error(400, "maximum context length is 10 tokens") if long else Reply("Fine.")

    requests = [Request((Message("user", text),)) for text in ("short", "long", "brief")]
    with serving(kind, reply) as server:
        result = client(kind, server, time)
        replies = complete_each(result, requests, keep=(ContextTooLongError,))
        assert [getattr(reply, "text", type(reply)) for reply in replies] == ["Fine.", ContextTooLongError, "Fine."]
        with pytest.raises(ContextTooLongError):
            complete_all(result, requests)


def test_a_parameter_that_a_model_does_not_take_is_left_out_and_told(kind, time):
    def reply(content):
        if "temperature" not in content:
            return "Fine."
        text = "Unsupported value: 'temperature' does not support 0 with this model."
        return error(400, text, "unsupported_value", param="temperature")

    with serving(kind, reply) as server, notes.collect() as collected:
        result = client(kind, server, time)
        assert result.complete(REQUEST).text == "Fine."
        assert result.complete(REQUEST).text == "Fine."
        assert len(server.requests) == 3  # the second time it is known
    assert collected.warnings == ["the model 'tiny' takes no temperature: it was left out"]


def test_requests_a_minute_are_kept(kind, time):
    with serving(kind) as server:
        result = client(kind, server, time, requests_per_minute=2)
        for _ in range(4):
            result.complete(REQUEST)
    assert time.slept == [30.0, 30.0]


def test_tokens_a_minute_are_kept(kind, time):
    with serving(kind) as server:
        result = client(kind, server, time, tokens_per_minute=100)
        result.complete(REQUEST)
        result.complete(REQUEST)
    assert len(time.slept) == 1
    assert 0 < time.slept[0] < 60


def test_a_model_must_be_named_and_keys_do_not_belong_into_addresses(kind):
    with pytest.raises(ValueError, match="name a model"):
        KINDS[kind]()
    with pytest.raises(ValueError, match="environment"):
        KINDS[kind](model="tiny", base_url="http://me:secret@127.0.0.1/v1")


def test_prices_of_a_file_make_a_cost(kind, time, tmp_path):
    path = tmp_path / "prices.json"
    path.write_text(json.dumps({kind: {"tiny": {"input": 2.0, "output": 10.0}}}))
    with serving(kind) as server:
        completion = client(kind, server, time, prices=str(path)).complete(REQUEST)
    assert completion.cost == pytest.approx((11 * 2 + 7 * 10) / 1e6)


def test_azure_is_asked_by_its_own_protocol(time, monkeypatch):
    monkeypatch.setenv("AZURE_KEY", KEY)
    with serving("openai") as server:
        address = server.url.removesuffix("/v1")
        openai = OpenAI(model="deployed", base_url=address, api_version="2024-10-21", key_env="AZURE_KEY")
        assert openai.complete(REQUEST).text == "Yes."
    path, headers, content = server.requests[0]
    assert path == "/openai/deployments/deployed/chat/completions?api-version=2024-10-21"
    assert {name.lower(): value for name, value in headers.items()}["api-key"] == KEY
    assert "max_completion_tokens" in content


def test_a_local_server_needs_no_key(time):
    with serving("openai") as server:
        assert client("openai", server, time).complete(REQUEST).text == "Yes."


def test_the_old_name_of_a_limit_gives_way_to_the_new(time):
    def reply(content):
        text = (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
        )
        return (
            error(400, text, "unsupported_parameter", param="max_tokens") if "max_tokens" in content else Reply("Fine.")
        )

    with serving("openai", reply) as server, notes.collect() as collected:
        result = client("openai", server, time)
        assert [result.complete(REQUEST).text for _ in "ab"] == ["Fine.", "Fine."]
        assert server.requests[-1][2]["max_completion_tokens"] == 50
    assert collected.warnings == []


def test_citations_of_the_service_are_kept_as_they_came(time):
    cited = {"type": "url_citation", "url_citation": {"url": "u", "title": "t", "start_index": 0, "end_index": 3}}
    with serving("openai", Reply("Yes.", annotations=[cited])) as server:
        assert client("openai", server, time).complete(REQUEST).annotations == (cited,)


@pytest.mark.parametrize("streamed", [False, True])
def test_documents_are_handed_to_claude_and_come_back_cited(time, monkeypatch, streamed):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    cited = {
        "type": "char_location", "cited_text": "Ships sank.", "document_index": 0, "document_title": "Log",
        "file_id": None, "start_char_index": 0, "end_char_index": 11,
    }  # fmt: skip
    blocks = [
        {"type": "text", "text": "They say that", "citations": None},
        {"type": "text", "text": "ships sank.", "citations": [cited]},
    ]
    request = Request(
        REQUEST.messages, documents=(Attachment("Log", ("Ships sank.",)), Attachment(None, ("One.", "Two.")))
    )
    with serving("anthropic", Reply(blocks=blocks)) as server:
        completion = client("anthropic", server, time).complete(request, [].append if streamed else None)
    start = completion.text.index("ships")
    assert completion.annotations == ({"answer_start": start, "answer_end": len(completion.text), "citation": cited},)
    first, second, question = server.requests[0][2]["messages"][0]["content"]
    assert first["source"] == {"type": "text", "media_type": "text/plain", "data": "Ships sank."}
    assert (first["title"], first["citations"]) == ("Log", {"enabled": True})
    assert [block["text"] for block in second["source"]["content"]] == ["One.", "Two."]
    assert question == {"type": "text", "text": "Is it so?"}


def test_documents_are_text_for_models_that_know_none(time):
    request = Request(REQUEST.messages, documents=(Attachment("Log", ("One.", "Two.")),))
    with serving("openai") as server:
        client("openai", server, time).complete(request)
    assert server.requests[0][2]["messages"][1]["content"] == "Document: Log\n\nOne.\n\nTwo.\n\nIs it so?"


def test_a_fault_inside_a_stream_is_read_by_its_kind(time, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with serving("anthropic", Reply(blocks=[], fault=True), Reply("Ships", fault=True)) as server:
        result = client("anthropic", server, time)
        with pytest.raises(ReplyError, match=r"broke off after 6 characters: .*529: Overloaded"):
            result.complete(REQUEST, [].append)
        assert len(server.requests) == 2  # nothing had been heard the first time


def test_a_key_that_a_service_echoes_is_in_no_reply_error_or_stream(kind, time, monkeypatch):
    monkeypatch.setenv("MYCRED", KEY)
    message = f"Your key is {KEY}, 7% of it."
    with serving(kind, message) as server:
        result = client(kind, server, time, key_env="MYCRED")
        assert result.complete(REQUEST).text == "Your key is [secret], 7% of it."
        for size in (1, 2, 5):
            pieces = []
            heard = Heard(pieces.append)
            for at in range(0, len(message), size):
                heard(message[at : at + size])
            heard.end()
            assert "".join(pieces) == heard.text == "Your key is [secret], 7% of it."
        server.replies = [error(400, f"bad key {KEY} in the request")]
        with pytest.raises(BackendError) as caught:
            result.complete(REQUEST)
    assert KEY not in str(caught.value)
    assert "[secret]" in str(caught.value)


PARTS = [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}, {"type": "text", "text": "It is "},
         {"type": "text", "text": "so."}]  # fmt: skip


@pytest.mark.parametrize("parts", [PARTS, ["It is ", "so."], [{"type": "text", "text": {"value": "It is so."}}]])
@pytest.mark.parametrize("streamed", [False, True])
def test_content_as_a_list_of_parts_is_its_text(time, monkeypatch, parts, streamed):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with serving("openai", "x") as server:
        if streamed:
            event = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "tiny"}
            chunks = [
                {**event, "choices": [{"index": 0, "delta": {"content": [part]}, "finish_reason": None}]}
                for part in parts
            ]
            chunks.append({**event, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
            raw = b"".join(f"data: {json.dumps(chunk)}\n\n".encode() for chunk in chunks) + b"data: [DONE]\n\n"
            server.replies = [Reply(raw=raw, headers={"content-type": "text/event-stream"})]
        else:
            server.replies = [Reply(content=parts)]
        pieces = []
        reply = client("openai", server, time).complete(REQUEST, pieces.append if streamed else None)
    assert reply.text == "It is so."
    assert "".join(pieces) == ("It is so." if streamed else "")


@pytest.mark.parametrize("text", [None, "", "  "])
def test_a_reply_cut_off_before_it_said_anything_says_what_to_raise(time, monkeypatch, text):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with (
        serving("openai", Reply(text, finish="length")) as server,
        pytest.raises(ReplyError, match="at 50 tokens .* raise max_tokens"),
    ):
        client("openai", server, time).complete(REQUEST)
    assert len(server.requests) == 1  # asked again it would end the same way


FASTAPI = [{"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs are not permitted", "input": 0}]


def test_a_parameter_in_fastapis_list_of_faults_is_left_out(time, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with serving("openai", Reply(status=422, body={"detail": FASTAPI}), "It is so.") as server:
        assert client("openai", server, time).complete(REQUEST).text.strip() == "It is so."
    assert ["seed" in content for _, _, content in server.requests] == [True, False]


@pytest.mark.parametrize(
    ("detail", "says"),
    [
        ([{"loc": ["body", "messages", 0], "msg": "field required", "type": "missing"}], "messages.0: field required"),
        ("no such thing", "no such thing"),
        (["first", {"msg": "second"}], "first; second"),
        ([None, 5], "None; 5"),
    ],
)
def test_other_faults_in_a_detail_are_told(time, monkeypatch, detail, says):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with (
        serving("openai", Reply(status=422, body={"detail": detail})) as server,
        pytest.raises(BackendError, match=f"422.*{says}"),
    ):
        client("openai", server, time).complete(REQUEST)


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "the model is loading", "code": 503}},
        {"error": "the model is loading"},
        {"object": "error", "message": "the model is loading", "code": 40303},
        {"detail": "the model is loading"},
    ],
)
def test_an_error_with_the_status_of_success_keeps_its_message(time, monkeypatch, body):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with (
        serving("openai", Reply(status=200, body=body)) as server,
        pytest.raises(BackendError, match="the model is loading"),
    ):
        client("openai", server, time, retries=0).complete(REQUEST)


def test_an_error_in_a_list_as_google_sends_it_is_told(time, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    body = [{"error": {"code": 400, "message": "Invalid value at 'tools'", "status": "INVALID_ARGUMENT"}}]
    with (
        serving("openai", Reply(status=400, body=body)) as server,
        pytest.raises(BackendError, match=r"refuses the request \(400\): Invalid value at 'tools'\Z"),
    ):
        client("openai", server, time, retries=0).complete(REQUEST)


def test_a_call_of_a_tool_is_told_and_not_asked_for_again(time, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    call = {"id": "1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
    reply = Reply(None, finish="tool_calls", tool_calls=[call])
    with serving("openai", reply) as server, pytest.raises(ReplyError, match="calls a tool .'search'."):
        client("openai", server, time).complete(REQUEST)
    assert len(server.requests) == 1


def test_a_listener_that_raises_closes_the_stream(kind, time, monkeypatch):
    closed = []
    module = __import__(kind)
    whole = module.Stream.close
    monkeypatch.setattr(module.Stream, "close", lambda self: (closed.append(1), whole(self))[1])

    def listener(_):
        raise RuntimeError("mine")

    with serving(kind, "It is so.") as server, pytest.raises(RuntimeError, match="mine"):
        client(kind, server, time).complete(REQUEST, listener)
    assert closed


def test_a_spec_never_tells_its_secrets(monkeypatch):
    for spec in (
        "openai(model=m, base_url=http://user:pw123@host/v1)",
        "openai(model=m, base_url=http://host/v1?token=pw123)",
        "openai(model=m, api_key=pw123)",
        'openai(model=m, api_key="pw123',
        "openai(model=m, my_token=pw123",
        "nobody(password=pw123)",
    ):
        with pytest.raises(SpecError) as caught:
            registry.build("llm", spec)
        assert "pw123" not in str(caught.value), spec
    monkeypatch.setenv("OPENAI_BASE_URL", "http://user:pw123@127.0.0.1:9/v1?token=pw123")
    assert OpenAI(model="m").address == "http://127.0.0.1:9/v1"
    assert registry.name("mine(model=m, base_url=http://a/v1?token=pw123, max_tokens=5)") == (
        "mine(model=m, base_url=http://a/v1, max_tokens=5)"
    )
