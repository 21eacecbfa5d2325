"""What is there for every model: scripted replies, replies that are kept, prompts, token counts, prices."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell import registry
from citewell.errors import BackendError, UsageError, notes
from citewell.llm import prompts, tokens
from citewell.llm.asking import complete_all
from citewell.llm.calls import retry_after
from citewell.llm.costs import cost
from citewell.llm.replay import Replay
from citewell.llm.scripted import Scripted, pieces
from citewell.protocols import Completion, Message, Request
from citewell.text.safe import address, scrub


def ask(text="Is it so?", **more):
    return Request((Message("user", text),), **more)


def test_a_list_is_given_out_in_order_and_its_end_is_told():
    llm = Scripted(replies=["one", {"text": "two"}, Completion("three", "other", "length")])
    assert [llm.complete(ask()).text for _ in range(3)] == ["one", "two", "three"]
    with pytest.raises(BackendError, match="no reply left: 3 were given out"):
        llm.complete(ask())


def test_replies_for_certain_words_are_looked_for_first_and_never_used_up():
    llm = Scripted(replies=["other", {"when": "weather", "text": "rain"}])
    assert [llm.complete(ask(text)).text for text in ("the weather?", "the time?", "weather!")] == [
        "rain",
        "other",
        "rain",
    ]


def test_replies_come_from_a_file(tmp_path):
    path = tmp_path / "replies.jsonl"
    path.write_text('"one"\n\n{"text": "two", "when": "it"}\n')
    llm = registry.build("llm", f"scripted(replies={path})")
    assert [llm.complete(ask(text)).text for text in ("that", "it")] == ["one", "two"]
    path.write_text("not json")
    with pytest.raises(BackendError, match="cannot be read"):
        Scripted(replies=str(path)).complete(ask())
    path.write_text("[1]")
    with pytest.raises(BackendError, match="a scripted reply is"):
        Scripted(replies=str(path)).complete(ask())


def test_one_reply_answers_everything():
    llm = registry.build("llm", 'scripted(reply="It is so.")')
    got = []
    assert [llm.complete(ask(str(n)), got.append).text for n in range(2)] == ["It is so."] * 2
    assert got == ["It ", "is ", "so."] * 2


def test_either_replies_or_reply_is_given():
    for settings in ({}, {"replies": [], "reply": "x"}):
        with pytest.raises(ValueError, match="either replies or reply"):
            Scripted(**settings)


@given(st.text())
def test_pieces_put_together_are_the_text(text):
    assert "".join(pieces(text)) == text


class Counted:
    """A model that counts what it is asked."""

    name, model, concurrency = "counted", "m", 1

    def __init__(self):
        self.asked = 0

    def complete(self, request, on_text=None):
        self.asked += 1
        return Completion(f"{request.messages[-1].content} {self.asked}", "m", input_tokens=3, annotations=({"a": 1},))


def test_a_recorded_reply_is_never_asked_for_again(tmp_path):
    path, inner = str(tmp_path / "deep" / "r.jsonl"), Counted()
    first = Replay(path=path, llm=inner).complete(ask())
    again, got = Replay(path=path, llm=inner), []
    with notes.collect() as collected:
        assert again.complete(ask(), got.append) == first
    assert inner.asked == 1
    assert "".join(got) == first.text
    assert collected.counts["llm replies replayed"] == 1
    assert again.complete(ask("Other?")).text == "Other? 2"


@pytest.mark.parametrize("change", [{"max_tokens": 7}, {"temperature": 0.5}, {"stop": ("x",)}, {"seed": 1}])
def test_another_request_is_another_reply(tmp_path, change):
    llm = Replay(path=str(tmp_path / "r.jsonl"), llm=Counted())
    assert llm.key(ask()) != llm.key(ask(**change))
    assert llm.key(ask()) == llm.key(ask())


def test_the_model_counts_and_how_it_is_fetched_does_not(tmp_path):
    def key(spec):
        return Replay(path=str(tmp_path / "r"), llm=spec).key(ask())

    assert key("openai(model=a)") != key("openai(model=b)")
    assert key("openai(model=a)") == key("openai(timeout=5, model=a, retries=1, key_env=MINE, concurrency=2)")


def test_replaying_needs_neither_package_nor_key_and_names_what_is_missing(tmp_path):
    spec = "openai(model=a)"
    recording = Replay(path=str(tmp_path / "r.jsonl"), llm=spec)
    recording._append(recording.key(ask()), Completion("kept"))
    llm = registry.build("llm", f"replay(path={tmp_path / 'r.jsonl'}, llm={spec}, mode=replay)")
    assert llm.complete(ask()).text == "kept"
    with pytest.raises(BackendError, match=r"no reply is recorded in .* to openai\(model=a\) \(key [0-9a-f]{12}\)"):
        llm.complete(ask("Other?"))


def test_recording_asks_again_and_the_newest_reply_counts(tmp_path):
    path, inner = str(tmp_path / "r.jsonl"), Counted()
    for _ in range(2):
        Replay(path=path, llm=inner, mode="record").complete(ask())
    assert Replay(path=path, llm=inner, mode="replay").complete(ask()).text.endswith("2")


def test_a_line_that_a_kill_cut_off_is_lost_alone(tmp_path):
    path, inner = tmp_path / "r.jsonl", Counted()
    Replay(path=str(path), llm=inner).complete(ask("one"))
    with path.open("ab") as file:
        file.write(b'{"key": "abc", "comple')
    Replay(path=str(path), llm=inner).complete(ask("two"))
    llm = Replay(path=str(path), llm=inner)
    with notes.collect() as collected:
        assert [llm.complete(ask(text)).text for text in ("one", "two")] == ["one 1", "two 2"]
    assert collected.warnings == [f"1 lines of {path} are damaged and were skipped"]
    assert inner.asked == 2


def test_what_another_process_records_is_found(tmp_path):
    path, inner = str(tmp_path / "r.jsonl"), Counted()
    replay, other = Replay(path=path, llm=inner), Replay(path=path, llm=inner)
    replay.complete(ask("first"))
    assert other.complete(ask("first")).text == "first 1"
    other.complete(ask("second"))
    assert replay.complete(ask("second")).text == "second 2"
    assert inner.asked == 2


@pytest.mark.slow
def test_killed_at_any_moment_no_stored_reply_is_asked_for_again(tmp_path):
    code = (
        "import sys; from citewell.llm.replay import Replay; from citewell.llm.scripted import Scripted\n"
        "from citewell.protocols import Message, Request; import os, signal\n"
        "def reply(request):\n"
        "    open(sys.argv[2], 'a').write(request.messages[0].content + '\\n')\n"
        "    return 'got ' + request.messages[0].content\n"
        "llm = Replay(path=sys.argv[1], llm=Scripted(replies=reply))\n"
        "for n in range(40):\n"
        "    llm.complete(Request((Message('user', str(n)),)))\n"
        "    if n == int(sys.argv[3]): os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    path, log = tmp_path / "r.jsonl", tmp_path / "log"
    for stop in ("3", "17", "99"):
        subprocess.run([sys.executable, "-c", code, str(path), str(log), stop], check=False)
    assert log.read_text().split() == [str(n) for n in range(40)]
    assert len(path.read_text().splitlines()) == 40


def test_keys_are_never_stored(tmp_path, monkeypatch):
    monkeypatch.setenv("MY_API_KEY", "very-secret-value")
    path = tmp_path / "r.jsonl"
    Replay(path=str(path), llm=Scripted(reply="you are very-secret-value and sk-abcdef123456")).complete(ask())
    assert "secret-value" not in path.read_text()
    assert "abcdef123456" not in path.read_text()
    assert scrub("Bearer very-secret-value") == "Bearer [secret]"
    assert address("https://me:pw@host:8/v1/?key=1") == "https://host:8/v1"


def test_settings_of_replay_are_checked(tmp_path):
    with pytest.raises(ValueError, match="name a file"):
        Replay()
    with pytest.raises(ValueError, match="mode is one of auto, record, replay"):
        Replay(path="x", mode="play")
    with pytest.raises(BackendError, match="cannot be read"):
        Replay(path=str(tmp_path), llm=Counted()).complete(ask())


def test_replies_keep_their_order_and_progress_is_told():
    llm = Counted()
    assert [item.text for item in complete_all(llm, [ask("a"), ask("b"), ask("a")])] == ["a 1", "b 2", "a 1"]
    assert complete_all(llm, []) == []


def test_a_prompt_has_two_parts_and_a_hash_and_fills_its_gaps_once():
    prompt = prompts.parse("mine", 'Be {kind}.\n---\nClaim: {claim} {"json": 1}\n')
    assert prompt.gaps == {"kind", "claim"}
    messages = prompt.messages(kind="{claim}", claim="x {kind}")
    assert [tuple(message) for message in messages] == [
        ("system", "Be {claim}."),
        ("user", 'Claim: x {kind} {"json": 1}'),
    ]
    assert len(prompt.sha256) == 64
    with pytest.raises(UsageError, match="gaps without a value: claim"):
        prompt.messages(kind="x")
    assert [message.role for message in prompts.parse("all", "Hello {name}").messages(name="you")] == ["user"]


def test_a_prompt_file_that_cannot_be_read_is_told(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        prompts.from_file(tmp_path / "none.txt")


@pytest.mark.parametrize(
    ("package", "name"),
    [
        ("checkers", "judge"),
        ("attributors", "source"),
        ("attributors", "mark"),
        ("decomposers", "units"),
    ],
)
def test_our_prompts_are_in_the_package(package, name):
    prompt = prompts.builtin(f"citewell.{package}", name)
    assert prompt.system
    assert prompt.gaps


@given(st.text())
def test_estimates_never_fail_and_grow_with_the_text(text):
    assert 0 <= tokens.estimate(text) <= tokens.estimate(text + " more")


def test_counts_are_the_models_own_where_it_has_some():
    class WordCounter:
        def count_tokens(self, text):
            return len(text)

    assert tokens.count(WordCounter(), "abc") == (3, True)
    assert tokens.count(Scripted(reply="x"), "one two three") == (3, False)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Fri, 20 Nov 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Fri, 20 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_how_long_to_wait_is_read_from_the_headers(headers, seconds):
    assert retry_after(headers, datetime(2026, 11, 20, 12, tzinfo=UTC)) == seconds


def test_prices_are_looked_up_by_exact_name_or_dated_snapshot():
    assert cost("openai", "gpt-5-mini", 1_000_000, 1_000_000) == pytest.approx(2.25)
    assert cost("anthropic", "claude-haiku-4-5-20251001", 1_000_000, 0) == pytest.approx(1.0)
    assert cost("openai", "gpt-5-mini-2025-08-07", 4_000_000, 0) == pytest.approx(1.0)
    assert cost("openai", "gpt-5.4", 300_000, 0) == pytest.approx(1.5)  # long input has its own price
    assert cost("openai", "gpt-5-maxi", 1, 1) is None
    assert cost("vllm", "gpt-5-mini", 1, 1) is None
    assert cost("openai", "gpt-5-mini", None, 1) is None


def test_a_file_of_prices_that_cannot_be_read_is_told(tmp_path):
    with pytest.raises(UsageError, match="prices"):
        cost("openai", "x", 1, 1, str(tmp_path / "none.json"))


def test_the_table_of_prices_is_whole():
    from importlib import resources

    table = json.loads(resources.files("citewell.llm").joinpath("prices.json").read_text())
    for service in ("openai", "anthropic"):
        for price in table[service].values():
            assert 0 < price["input"] < price["output"]
            assert ("over" in price) == ("long_input" in price) == ("long_output" in price)


@pytest.mark.slow
def test_importing_the_clients_pulls_in_no_sdk():
    code = (
        "import sys, citewell.llm.openai, citewell.llm.anthropic, citewell.llm.transformers, citewell.llm.replay\n"
        "print({'openai', 'anthropic', 'httpx2', 'torch', 'transformers'} & set(sys.modules))"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
        == "set()"
    )
