"""Language models in production, over real HTTP: shared limits, the time of a whole call, thoughts, tools, costs."""

from __future__ import annotations

import json
import threading
import time
from functools import partial
from types import SimpleNamespace

import pytest

pytest.importorskip("openai", reason="needs the OpenAI SDK: pip install 'citewell[llm]'")
pytest.importorskip("anthropic", reason="needs the Anthropic SDK: pip install 'citewell[llm]'")

import citewell
from citewell.errors import ReplyError, TimedOutError, UsageError, deadline
from citewell.llm import asking
from citewell.llm.calls import Clock
from citewell.pipeline import Pipeline
from citewell.protocols import Message, Request
from citewell.text.replies import thinking
from helpers import growth
from openai_server import KEY, Reply, error, serving

pytestmark = pytest.mark.slow

TEXT = "The ferry Aurora was built in Turku.\n\nFuel costs fell to 18 million euros.\n\nThe company employs 640 people."
DOCUMENT = citewell.Document.from_text(TEXT)
GOOD = "The ferry Aurora was built in Turku. [1]"
JUDGED = "Reason: it says so.\nEvidence: 1\nVerdict: supported"
PRICES = {name: {"toy": {"input": 1.0, "output": 2.0}} for name in ("openai", "anthropic")}


@pytest.fixture(params=["openai", "anthropic"])
def kind(request, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    return request.param


@pytest.fixture
def prices(tmp_path):
    path = tmp_path / "prices.json"
    path.write_text(json.dumps(PRICES), encoding="utf-8")
    return path


def spec(kind, server, **more):
    settings = "".join(
        f', {key}="{value}"' if isinstance(value, str) else f", {key}={value}" for key, value in more.items()
    )
    return f'{kind}(model=toy, base_url="{server.url}"{settings})'


def test_questions_that_name_the_same_model_share_its_limit_of_requests(kind):
    with serving(kind, GOOD) as server:
        llm, times = spec(kind, server, requests_per_minute=3), []
        asking.client(llm)._caller.clock = Clock(lambda: 0.0, times.append)  # time stands still
        ask = partial(citewell.ask, DOCUMENT, "Where was the ferry built?", llm=llm)
        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(server.requests) == 8
    assert sorted(times) == pytest.approx([20, 40, 60, 80, 100])


def test_what_one_question_learned_of_a_model_the_next_one_knows(kind):
    message = "Unsupported parameter: 'temperature' is not supported with this model."
    with serving(kind, error(400, message, code="unsupported_parameter", param="temperature"), GOOD) as server:
        for _ in range(3):
            answer = citewell.ask(DOCUMENT, "Where was the ferry built?", llm=spec(kind, server))
            assert "the model 'toy' takes no temperature: it was left out" in answer.warnings
        assert len(server.requests) == 4  # the parameter was refused once


def test_questions_share_a_connection(kind):
    addresses = set()
    with serving(kind, GOOD) as server:
        accept = server.verify_request
        server.verify_request = lambda request, address: (addresses.add(address), accept(request, address))[1]
        for _ in range(3):
            citewell.ask(DOCUMENT, "Where was the ferry built?", llm=spec(kind, server))
        assert len(server.requests) == 3
    assert len(addresses) == 1


def test_the_judges_and_the_attributors_cost_is_in_the_cost(kind, prices):
    def reply(content):
        return JUDGED if "Verdict" in json.dumps(content) else GOOD

    with serving(kind, reply) as server:
        llm = spec(kind, server, prices=str(prices))
        alone = citewell.ask(DOCUMENT, "Where was the ferry built?", llm=llm)
        both = citewell.ask(DOCUMENT, "Where was the ferry built?", llm=llm, checker=f"judge(llm={llm})")
    each = (11 * 1.0 + 7 * 2.0) / 1_000_000
    assert alone.usage["cost"] == pytest.approx(each)
    assert both.usage["llm requests"] >= 1
    assert both.usage["cost"] == pytest.approx(each * (1 + both.usage["llm requests"]))


def test_the_cost_of_a_model_without_a_price_is_unknown_and_named(kind, prices):
    def reply(content):
        return JUDGED if "Verdict" in json.dumps(content) else GOOD

    with serving(kind, reply) as server:
        judge = f"judge(llm={spec(kind, server, prices=str(prices))})"
        usage = citewell.ask(DOCUMENT, "Where?", llm=spec(kind, server), checker=judge).usage
    assert usage["cost"] is None
    assert usage["unpriced"] == ["toy"]
    assert usage["cost_known"] > 0


@pytest.fixture
def clock(monkeypatch):
    """Calls tell the time by this clock, which goes on when the test says so."""
    turned = [0.0]
    hands = SimpleNamespace(monotonic=lambda: time.monotonic() + turned[0])
    monkeypatch.setattr(deadline, "time", hands)

    def forward(seconds):
        turned[0] += seconds

    return forward


def test_a_whole_call_ends_in_time_whatever_is_tried_again(kind, clock):
    def busy(_):
        clock(400)  # longer than the pause before the next try
        return error(503, "busy")

    with serving(kind, busy) as server:
        with pytest.raises(TimedOutError, match=r"500 seconds.*busy"):
            citewell.ask(DOCUMENT, "Where?", llm=spec(kind, server), timeout=500)
        assert len(server.requests) == 2  # of six


CALLS = {
    "ask": lambda llm: citewell.ask(DOCUMENT, "Where?", llm=llm, timeout=0.3),
    "attribute": lambda llm: citewell.attribute(DOCUMENT, "Built in Turku.", method=f"llm(llm={llm})", timeout=0.3),
    "check": lambda llm: citewell.check(DOCUMENT, "It was built in Turku.", f"judge(llm={llm})", timeout=0.3),
}


@pytest.mark.parametrize("call", list(CALLS))
def test_a_service_that_says_nothing_is_given_up_when_the_calls_time_is_over(kind, call):
    gate, in_time = threading.Event(), []

    def wait(_):
        in_time.append(gate.wait(60))
        return GOOD

    with serving(kind, wait) as server:
        with pytest.raises(TimedOutError, match="0.3 seconds of this call are over"):
            CALLS[call](spec(kind, server))
        gate.set()
    assert all(in_time)  # the call was over before the reply


def test_a_stream_that_goes_on_too_long_is_ended(kind, clock):
    with serving(kind, "word " * 400) as server, deadline.within(300):

        def slowly(_):
            clock(10)

        client = asking.client(spec(kind, server))
        with pytest.raises(TimedOutError):
            client.complete(Request((Message("user", "Go on."),)), slowly)
        assert len(server.requests) == 1


def test_an_inner_limit_never_outlasts_the_outer_one():
    with deadline.within(0.0), deadline.within(60.0):
        assert deadline.left() == 0
        with pytest.raises(TimedOutError):
            deadline.check()
    assert deadline.left() is None


@pytest.mark.parametrize(
    ("seconds", "why"), [(0, "is above 0"), (-1, "is above 0"), (float("nan"), "is a number or none, not nan")]
)
def test_a_time_that_is_none_is_refused(seconds, why):
    with pytest.raises(UsageError, match=f"timeout {why}"):
        Pipeline(timeout=seconds)


THOUGHTS = "<think>Perhaps [2]? The costs fell. No.</think>" + GOOD


@pytest.mark.parametrize("reply", [THOUGHTS, THOUGHTS.replace("<think>", "")])
@pytest.mark.parametrize("streamed", [False, True])
def test_thoughts_are_kept_out_of_the_answer_and_counted(kind, reply, streamed):
    with serving(kind, reply) as server:
        tell = (lambda part: None) if streamed else None
        answer = citewell.ask(DOCUMENT, "Where was it built?", llm=spec(kind, server), tell=tell)
    assert answer.text == "The ferry Aurora was built in Turku."
    assert answer.usage["reasoning_tokens"] > 5


def test_thoughts_that_are_told_beside_the_reply_are_counted(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with serving("openai", Reply(GOOD, reasoning_content="Fuel costs fell, but that is not asked.")) as server:
        answer = citewell.ask(DOCUMENT, "Where?", llm=spec("openai", server))
    assert "Fuel" not in answer.text
    assert 5 < answer.usage["reasoning_tokens"] < 20


def test_claudes_thinking_is_kept_out_and_counted(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    blocks = [
        {"type": "thinking", "thinking": "Fuel costs fell, but that is not asked.", "signature": "x"},
        {"type": "text", "text": GOOD, "citations": None},
    ]
    with serving("anthropic", Reply(blocks=blocks)) as server:
        answer = citewell.ask(DOCUMENT, "Where?", llm=spec("anthropic", server))
    assert answer.text == "The ferry Aurora was built in Turku."
    assert 5 < answer.usage["reasoning_tokens"] < 20


def test_nothing_but_thoughts_at_the_length_says_what_to_raise(kind):
    reply = Reply("<think>Let me see where", finish={"openai": "length", "anthropic": "max_tokens"}[kind])
    with serving(kind, reply) as server, pytest.raises(ReplyError, match="raise max_tokens"):
        citewell.ask(DOCUMENT, "Where?", llm=spec(kind, server))


def test_a_judges_thoughts_are_no_verdict(kind):
    with serving(kind, "<think>Verdict: not supported?</think>\n" + JUDGED) as server:
        (verdict,) = citewell.check(
            DOCUMENT, "The ferry Aurora was built in Turku.", f"judge(llm={spec(kind, server)})"
        )
    assert verdict.label == "supported"


@pytest.mark.parametrize(
    ("text", "message", "thought"),
    [
        ("<think>a</think>b", "b", "a"),
        ("a</think>b", "b", "a"),
        ("<thinking>a\nc</thinking>\n\nb<reasoning>d</reasoning>", "\n\nb", "a\nc\nd"),
        ("<think>a", "", "a"),
        ("2 < 3 and <b>4</b>", "2 < 3 and <b>4</b>", ""),
    ],
)
def test_thoughts_are_told_from_what_is_said(text, message, thought):
    assert thinking.apart(text) == (message, thought)


def test_thoughts_that_never_end_take_linear_time():
    grown = growth(lambda size: thinking.apart("<think>" * size + "x</thinking>" * size), 20_000, 4)
    assert grown < 12  # 16 where it were quadratic


def test_an_answer_in_the_arguments_of_a_tool_is_read(kind):
    arguments = {"answer": "The ferry Aurora was built in Turku.", "citations": [1]}
    if kind == "openai":
        call = {"id": "1", "type": "function", "function": {"name": "reply", "arguments": json.dumps(arguments)}}
        reply = Reply(None, finish="tool_calls", tool_calls=[call])
    else:
        reply = Reply(finish="tool_use", blocks=[{"type": "tool_use", "id": "1", "name": "reply", "input": arguments}])
    with serving(kind, reply) as server:
        answer = citewell.ask(DOCUMENT, "Where?", llm=spec(kind, server))
    assert answer.text == "The ferry Aurora was built in Turku."
    assert [cited.quote for cited in answer.citations] == ["The ferry Aurora was built in Turku."]


def test_a_search_that_is_called_is_no_answer(kind):
    if kind == "openai":
        call = {"id": "1", "type": "function", "function": {"name": "search", "arguments": '{"query": "ferry"}'}}
        reply = Reply(None, finish="tool_calls", tool_calls=[call])
    else:
        reply = Reply(
            finish="tool_use", blocks=[{"type": "tool_use", "id": "1", "name": "search", "input": {"query": "x"}}]
        )
    with serving(kind, reply) as server, pytest.raises(ReplyError, match="calls a tool .'search'."):
        citewell.ask(DOCUMENT, "Where?", llm=spec(kind, server))


def test_what_abstaining_may_withhold_is_not_shown_before(kind):
    requests = []
    with serving(
        kind, "Pigs can fly over the sea. [1] The moon is made of green cheese, said everyone there. [2] " * 4
    ) as server:
        answer = citewell.ask(DOCUMENT, "Where?", llm=spec(kind, server), abstain=0.9, tell=requests.append)
    assert answer.abstained
    assert requests == []


def test_what_is_not_withheld_is_told_at_the_end(kind):
    requests = []
    with serving(kind, GOOD) as server:
        answer = citewell.ask(DOCUMENT, "Where?", llm=spec(kind, server), abstain=0.1, tell=requests.append)
    assert not answer.abstained
    assert [part.statement.text for part in requests] == [statement.text for statement in answer.statements]
