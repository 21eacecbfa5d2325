"""Which citations are to the point, by a checker that says what each set of evidence supports."""

import pytest

from citewell.audit.precision import Cited, Evidence, judged, share
from citewell.document import Document
from citewell.types import Citation, Span, Verdict

A, B, C = (Document.from_text(text) for text in ("Alpha.", "Bravo.", "Charlie."))


def run(evidence, supports, partly=()):
    asked = []

    def check(pairs):
        asked.append(["".join(sorted(document.text[0] for document in pair.evidence)) for pair in pairs])
        labels = [
            "supported" if names in supports else "partially_supported" if names in partly else "not_supported"
            for names in asked[-1]
        ]
        return [Verdict(pair.claim, label, 0.5) for pair, label in zip(pairs, labels, strict=True)]

    (found,) = judged([Cited("It is so.", tuple(map(Evidence, evidence)))], check)
    return found, asked


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
    found, _ = run(evidence, supports)
    assert found.precise == precise
    assert found.together.label == (
        "supported" if "".join(own[0].text[0] for own in evidence) in supports else "not_supported"
    )


def test_support_in_part_makes_no_citation_precise():
    assert run(((A,),), (), partly=("A",))[0].precise == (False,)
    assert run(((A,), (B,)), ("AB", "B"), partly=("A",))[0].precise == (False, True)


def test_the_checker_is_asked_in_two_batches_and_the_same_only_once():
    found, asked = run(((A,), (B,)), ("A", "AB"))
    assert asked == [["AB", "A", "B"], ["A"]]
    assert [verdict.label for verdict in found.alone] == ["supported", "not_supported"]
    assert run(((A,),), ("A",))[1] == [["A"]]
    assert run(((A,), (B,)), ())[1] == [["AB", "A", "B"]]


def test_statements_are_judged_each_by_its_own_evidence():
    made = judged(
        [Cited("one", (Evidence((A,)),)), Cited("two", (Evidence((A,)), Evidence((B,))))],
        lambda pairs: [Verdict(p.claim, "supported" if p.claim == "two" else "not_supported", 0.5) for p in pairs],
    )
    assert [one.precise for one in made] == [(False,), (True, True)]
    assert [one.together.claim for one in made] == ["one", "two"]


def test_places_are_judged_in_their_document_and_a_whole_document_beside_them_from_end_to_end():
    asked = []

    def check(pairs):
        asked.extend(pairs)
        return [Verdict(pair.claim, "not_supported", 0.1) for pair in pairs]

    report = Document.from_text("Alpha one. Alpha two.")
    place = Citation.of(report.segments("sentence")[1], report.id, Span(0, 9))
    judged([Cited("It is so.", (Evidence((report,), (place,)), Evidence((B,))))], check)
    assert [(pair.evidence, pair.citations and [c.quote for c in pair.citations]) for pair in asked] == [
        ((report, B), ["Alpha two.", "Bravo."]),
        ((report,), ["Alpha two."]),
        ((B,), None),
    ]
    assert asked[0].citations[0] is place


def test_a_share_of_nothing_is_none():
    assert (share([]), share([True, False, True, True])) == (None, 0.75)
