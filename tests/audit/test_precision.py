"""Which citations are to the point, by a checker that says what each set of evidence supports."""

import pytest

from citewell.audit.precision import Cited, Evidence, judged, share
from citewell.document import Document
from citewell.types import Citation, Span, Verdict

A, B, C = (Document.from_text(text) for text in ("Alpha.", "Bravo.", "Charlie."))


def run(evidence, supports, partly=()):
    calls = []

    def check(pairs):
        calls.append(["".join(sorted(document.text[0] for document in pair.evidence)) for pair in pairs])
        labels = [
            "supported" if names in supports else "partially_supported" if names in partly else "not_supported"
            for names in calls[-1]
        ]
        return [Verdict(pair.claim, label, 0.5) for pair, label in zip(pairs, labels, strict=True)]

    (verdicts,) = judged([Cited("It is so.", tuple(map(Evidence, evidence)))], check)
    return verdicts, calls


@pytest.mark.parametrize(
    ("evidence", "supports", "precise"),
    [
        (((A,),), ("A",), (True,)),
        (((A,),), (), (False,)),
        (((A,), (B,)), ("A", "AB"), (True, False)),  # the second adds nothing
        (((A,), (B,)), ("A", "B", "AB"), (True, True)),  # each supports alone
        (((A,), (B,)), ("AB",), (True, True)),  # only both together
        (((A,), (B,)), ("A",), (False, False)),  # together they do not support: the statement is not cited
        (((A,), (B,), (C,)), ("AB", "ABC"), (True, True, False)),  # two need each other, the third is spare
        (((A,), (B,), (C,)), ("ABC",), (True, True, True)),
    ],
)
def test_a_citation_is_precise_where_it_supports_alone_or_cannot_be_done_without(evidence, supports, precise):
    result, _ = run(evidence, supports)
    assert result.precise == precise
    assert result.together.label == (
        "supported" if "".join(result[0].text[0] for result in evidence) in supports else "not_supported"
    )


def test_support_in_part_makes_no_citation_precise():
    assert run(((A,),), (), partly=("A",))[0].precise == (False,)
    assert run(((A,), (B,)), ("AB", "B"), partly=("A",))[0].precise == (False, True)


def test_the_checker_is_asked_in_two_batches_and_the_same_only_once():
    result, outcome = run(((A,), (B,)), ("A", "AB"))
    assert outcome == [["AB", "A", "B"], ["A"]]
    assert [verdict.label for verdict in result.alone] == ["supported", "not_supported"]
    assert run(((A,),), ("A",))[1] == [["A"]]
    assert run(((A,), (B,)), ())[1] == [["AB", "A", "B"]]


def test_statements_are_judged_each_by_its_own_evidence():
    verdicts = judged(
        [Cited("one", (Evidence((A,)),)), Cited("two", (Evidence((A,)), Evidence((B,))))],
        lambda pairs: [Verdict(p.claim, "supported" if p.claim == "two" else "not_supported", 0.5) for p in pairs],
    )
    assert [item.precise for item in verdicts] == [(False,), (True, True)]
    assert [item.together.claim for item in verdicts] == ["one", "two"]


def test_places_are_judged_in_their_document_and_a_whole_document_beside_them_from_end_to_end():
    calls = []

    def check(pairs):
        calls.extend(pairs)
        return [Verdict(pair.claim, "not_supported", 0.1) for pair in pairs]

    report = Document.from_text("Alpha one. Alpha two.")
    place = Citation.of(report.segments("sentence")[1], report.id, Span(0, 9))
    judged([Cited("It is so.", (Evidence((report,), (place,)), Evidence((B,))))], check)
    assert [(pair.evidence, pair.citations and [c.quote for c in pair.citations]) for pair in calls] == [
        ((report, B), ["Alpha two.", "Bravo."]),
        ((report,), ["Alpha two."]),
        ((B,), None),
    ]
    assert calls[0].citations[0] is place


def test_a_share_of_nothing_is_none():
    assert (share([]), share([True, False, True, True])) == (None, 0.75)
