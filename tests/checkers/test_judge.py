"""The judge: what it asks, how strictly it reads, what a reply that cannot be read becomes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.benchdata import attributionbench
from citewell.checkers.judge import Judge, Ruling, parse
from citewell.document import Document
from citewell.errors import AuthenticationError, ContextTooLongError, UnreachableError, UsageError, notes
from citewell.llm.scripted import Scripted
from citewell.protocols import Completion, Pair
from citewell.types import Citation
from citewell_lab.bench.run import run

REPORT = Document.from_text(
    "Revenue rose to 41 million. Costs fell by two per cent. The fleet has five ships.", "Report"
)
GOOD = "Reason: it says so.\nEvidence: 1\nVerdict: supported"


def judge(*replies, **settings):
    return Judge(llm=Scripted(replies=list(replies)), **settings)


@pytest.mark.parametrize(("room", "max_tokens"), [(0, 1), (1, 0)])
def test_a_request_and_a_reply_have_room_for_a_token_at_least(room, max_tokens):
    with pytest.raises(ValueError, match="at least 1"):
        judge(GOOD, room=room, max_tokens=max_tokens)
    assert judge(GOOD, room=1, max_tokens=1).room == 1


@pytest.mark.parametrize(
    ("text", "ruling"),
    [
        (GOOD, Ruling("supported", (1,))),
        ("Evidence: 2, 3\nVerdict: Partially supported.", Ruling("partially_supported", (2, 3))),
        ("reason: no\nEVIDENCE: none\nVERDICT: not_supported", Ruling("not_supported")),
        ("Reason: r\n\nEvidence: [2], [2]\n\nVerdict: supported\n", Ruling("supported", (2,))),
        (
            "<think>Let me see.\nVerdict: supported</think>\nEvidence: none\nVerdict: not supported",
            Ruling("not_supported"),
        ),
        ("Reason: r\r\nEvidence: 1\r\nVerdict: supported", Ruling("supported", (1,))),
        ("Evidence: 1\nVerdict: not fully supported", Ruling("partially_supported", (1,))),
        ("Evidence: none\nVerdict: It isn't supported.", Ruling("not_supported")),
        ("Evidence: 2\nVerdict: contradicted by the evidence", Ruling("contradicted", (2,))),
    ],
)
def test_replies_of_the_form_asked_for_are_read(text, ruling):
    assert parse(text) == ruling


@pytest.mark.parametrize(
    "text",
    [
        "",
        "supported",
        "Verdict: supported",
        "Evidence: 1\nVerdict: maybe",
        "Evidence: 1\nVerdict: supported or not_supported",
        "Evidence: 1\nVerdict: supported\nVerdict: not_supported",
        "Evidence: the first\nVerdict: supported",
        "I think so. Evidence: 1\nVerdict: supported",
        GOOD + "\nBut I may be wrong.",
    ],
)
def test_other_replies_are_no_verdict(text):
    assert parse(text) is None


@given(
    st.text() | st.lists(st.sampled_from(["Evidence:", "Verdict:", " supported", " 1", ",", "\n", "none"])).map("".join)
)
def test_no_reply_raises(text):
    assert judge(text).check([Pair("Revenue rose.", (REPORT,))])[0].label in ("supported", "unverified")


def test_the_sentences_that_the_judge_names_are_cited():
    verdict = judge("Reason: r\nEvidence: 1, 3\nVerdict: supported").check([Pair("Revenue rose.", (REPORT,))])[0]
    assert (verdict.label, verdict.score, verdict.method, verdict.failed) == ("supported", 1.0, "judge", None)
    assert [cited.quote for cited in verdict.citations] == ["Revenue rose to 41 million.", "The fleet has five ships."]
    assert all(REPORT.text[cited.start : cited.end] == cited.quote for cited in verdict.citations)


def test_a_sentence_that_does_not_exist_is_told_and_left_out():
    verdict = judge("Evidence: 1, 9\nVerdict: supported").check([Pair("Revenue rose.", (REPORT,))])[0]
    assert len(verdict.citations) == 1
    assert verdict.warnings == ("the judge named sentence 9, which does not exist; it was left out",)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("Yes, it is.", "has not the form asked for: 'Yes, it is.'"),
        (Completion("I would rather not", finish="refused"), "the model refused to answer"),
        (Completion("Reason: it is", finish="length", output_tokens=400), "cut off at 400 tokens"),
    ],
)
def test_what_cannot_be_read_is_stated_as_failed_and_never_a_verdict(reply, why):
    with notes.collect() as collected:
        verdict = judge(reply, GOOD).check([Pair("Revenue rose.", (REPORT,)), Pair("Costs fell.", (REPORT,))])
    assert collected.warnings == [f"'Revenue rose.': {verdict[0].failed}"]
    assert why in verdict[0].failed
    assert (verdict[0].label, verdict[0].score, verdict[0].warnings) == ("unverified", 0.0, (verdict[0].failed,))
    assert verdict[1].label == "supported"
    assert verdict[1].failed is None
    assert json.loads(json.dumps(verdict[0].to_dict()))["failed"] == verdict[0].failed


def test_an_error_of_one_claim_leaves_the_others_judged_and_an_error_of_all_is_raised():
    def reply(request):
        if "Costs" in request.messages[1].content.rpartition("Claim:")[2]:
            raise ContextTooLongError("too long", 9, 8)
        return GOOD

    pairs = [Pair("Costs fell.", (REPORT,)), Pair("Revenue rose.", (REPORT,))]
    verdicts = Judge(llm=Scripted(replies=reply)).check(pairs)
    assert verdicts[0].failed == "not judged: too long"
    assert verdicts[1].label == "supported"

    def refuse(_):
        raise AuthenticationError("no key")

    with pytest.raises(AuthenticationError):
        Judge(llm=Scripted(replies=refuse)).check(pairs)


def test_evidence_is_numbered_under_its_title_and_nothing_in_it_is_taken_for_a_gap():
    requests = []
    document = Document.from_text("Ships {claim} sank.\nAll of them.", "Log")
    Judge(llm=Scripted(replies=lambda request: requests.append(request) or GOOD)).check(
        [Pair("Ships {evidence}?!", (document,))]
    )
    user = requests[0].messages[1].content
    assert (
        "From: Log\n[1] Ships {claim} sank. All of them." in user
        or "From: Log\n[1] Ships {claim} sank.\n[2] All" in user
    )
    assert "Claim: Ships {evidence}?!" in user


def test_evidence_that_was_found_is_all_that_is_read():
    requests = []
    cited = Citation(REPORT.id, "p0.1", "sentence", "Costs fell by two per cent.", 28, 55, 0, 11)
    verdicts = Judge(llm=Scripted(replies=lambda request: requests.append(request) or GOOD)).check(
        [Pair("Costs fell.", (REPORT,), (cited,))]
    )
    assert "[1] Costs fell by two per cent." in requests[0].messages[1].content
    assert "41 million" not in requests[0].messages[1].content
    assert verdicts[0].citations == (cited,)


def test_a_claim_without_found_evidence_is_not_supported_and_not_asked_about():
    verdict = Judge(llm=Scripted(replies=[])).check([Pair("Costs fell.", (REPORT,), ())])[0]
    assert (verdict.label, verdict.score) == ("not_supported", 0.0)


def test_long_evidence_is_read_in_windows_and_the_best_verdict_counts():
    document = Document.from_text(" ".join(f"Ship {n} sank in the year {1900 + n}." for n in range(40)))

    def reply(request):
        yes = "Ship 33 sank" in request.messages[1].content
        return f"Evidence: {'1' if yes else 'none'}\nVerdict: {'partially_supported' if yes else 'not_supported'}"

    requests = []
    judge = Judge(llm=Scripted(replies=lambda request: requests.append(request) or reply(request)), room=100)
    verdict = judge.check([Pair("Ship 33 sank at sea.", (document,))])[0]
    assert verdict.label == "partially_supported"
    assert verdict.score == 0.5
    assert 2 < len(requests) < 20


def test_a_window_that_failed_counts_only_where_it_could_change_the_verdict():
    document = Document.from_text("Ships sank. " * 20)
    some = judge("Evidence: 1\nVerdict: supported", "nonsense", room=140).check([Pair("Ships sank.", (document,))])[0]
    assert (some.label, some.failed) == ("supported", None)
    assert "nonsense" in some.warnings[0]
    none = judge("Evidence: none\nVerdict: not_supported", "nonsense", room=140).check([Pair("It sank.", (document,))])[
        0
    ]
    assert "nonsense" in none.failed


def test_a_prompt_of_ones_own_needs_the_same_gaps(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("Judge.\n---\n{evidence}")
    with pytest.raises(UsageError, match=r"lacks \{claim\}"):
        judge(GOOD, prompt=str(path)).check([Pair("Revenue rose.", (REPORT,))])
    path.write_text("Judge.\n---\n{claim} | {evidence}")
    verdict = judge(GOOD, prompt=str(path))
    assert verdict.check([Pair("Revenue rose.", (REPORT,))])[0].label == "supported"
    assert verdict.prompts[0].sha256 != Judge(llm="x").prompts[0].sha256


def test_the_bench_counts_what_could_not_be_judged_as_failed(tmp_path):
    attributionbench(tmp_path)
    replies = iter(["nonsense"])
    judge = Judge(llm=Scripted(replies=lambda _: next(replies, "Evidence: 1\nVerdict: supported")))
    result = run("attributionbench", tmp_path, "dev", checker=judge)
    assert result.failed == 1
    assert "not judged" in result.failures[0]


def test_a_run_whose_service_fails_ends_without_blaming_an_item_and_goes_on_later(tmp_path):
    attributionbench(tmp_path)

    requests = []

    def reply(request):
        requests.append(request)
        if 1 < len(requests) < 4:
            raise UnreachableError("nobody there")
        return "Evidence: 1\nVerdict: supported"

    checker, out = Judge(llm=Scripted(replies=reply)), tmp_path / "run"
    with pytest.raises(UnreachableError):
        run("attributionbench", tmp_path, "dev", checker=checker, out=out)
    result = run("attributionbench", tmp_path, "dev", checker=checker, out=out)
    assert (result.n, result.failed) == (3, 0)
