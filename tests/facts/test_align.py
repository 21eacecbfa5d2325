"""What of a claim the evidence contradicts, where both stand, and what it says instead."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.facts.align import Finding, findings
from citewell.facts.features import look, names, vector
from citewell.facts.tokens import tokens

EVIDENCE = (
    "Turnover at Halden rose to 62 million kroner in 2019.",
    "Output did not meet the plan.",
    "The council rejected the union with Bergen.",
    "Keller taught Larsen in Vienna before 1990.",
)


def conflicts(claim: str) -> list[Finding]:
    return [finding for finding in findings(look(claim, [tokens(text) for text in EVIDENCE])) if finding.conflict]


@pytest.mark.parametrize(
    ("claim", "kind", "message", "expected"),
    [
        ("Turnover at Halden rose to 63 million kroner in 2019.", "number", "63 million kroner", "62 million kroner"),
        (
            "Turnover at Halden rose to 62 billion kroner in 2019.",
            "magnitude",
            "62 billion kroner",
            "62 million kroner",
        ),
        ("Turnover at Halden rose to 62 million kroner in 2018.", "date", "2018", "2019"),
        ("Turnover at Halden fell to 62 million kroner in 2019.", "direction", "fell", "rose"),
        ("The council accepted the union with Bergen.", "direction", "accepted", "rejected"),
        ("The council rejected the union with Oslo.", "entity", "Oslo", "Bergen"),
        ("Output met the plan.", "negation", "met", "not"),
        ("Larsen taught Keller in Vienna before 1990.", "roles", "Larsen taught Keller", "Keller taught Larsen"),
        ("Keller taught Larsen in Vienna after 1990.", "direction", "after", "before"),
    ],
)
def test_a_changed_fact_is_found_with_both_places(claim: str, kind: str, message: str, expected: str) -> None:
    finding_by_key = {finding.kind: finding for finding in conflicts(claim)}
    assert kind in finding_by_key
    finding = finding_by_key[kind]
    assert claim[finding.claim_span.start : finding.claim_span.end] == message
    assert finding.evidence_span is not None
    alignment = look(claim, [tokens(text) for text in EVIDENCE])
    text = alignment.premises[finding.sentence].text
    assert text[finding.evidence_span.start : finding.evidence_span.end] == expected


@pytest.mark.parametrize(
    "claim",
    [
        "Turnover at Halden rose to 62 million kroner in 2019.",
        "Halden's turnover increased to 62m kroner in 2019.",
        "Output did not meet the plan.",
        "Output failed to meet the plan.",
        "The union with Bergen was rejected by the council.",
        "Larsen was taught by Keller in Vienna before 1990.",
    ],
)
def test_the_same_said_otherwise_conflicts_with_nothing(claim: str) -> None:
    assert conflicts(claim) == []


def test_what_the_evidence_lacks_is_missing_and_no_conflict() -> None:
    claim = "Turnover at Halden rose to 62 million kroner in 2019 after strikes."
    result = findings(look(claim, [tokens(text) for text in EVIDENCE]))
    assert [(finding.kind, claim[slice(*finding.claim_span)], finding.conflict) for finding in result] == [
        ("missing", "strikes", False)
    ]


def test_the_message_says_what_the_evidence_says() -> None:
    (finding,) = conflicts("Turnover at Halden rose to 63 million kroner in 2019.")
    assert finding.message == "says 63 million kroner; the evidence says 62 million kroner"


words = st.lists(
    st.sampled_from("Keller taught not 62 million 2019 rose fell in Oslo , and the all".split()), max_size=14
)


@given(words, st.lists(words, max_size=3))
def test_features_are_finite_and_spans_lie_in_their_texts(claim: list[str], evidence: list[list[str]]) -> None:
    text, texts = " ".join(claim), [" ".join(sentence) for sentence in evidence]
    result = look(text, [tokens(sentence) for sentence in texts])
    row = vector(result)
    assert len(row) == len(names())
    assert all(abs(value) < 1e3 for value in row)
    for finding in findings(result):
        assert 0 <= finding.claim_span.start < finding.claim_span.end <= len(text)
        if finding.evidence_span is not None:
            assert (
                0
                <= finding.evidence_span.start
                < finding.evidence_span.end
                <= len(result.premises[finding.sentence].text)
            )
