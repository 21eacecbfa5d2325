"""Verify-and-repair: fifty-one replies of our own making, and by hand what happens to citations that cannot be judged."""

from collections import Counter

import pytest

from attributors.repair_cases import CASES, PARAGRAPHS, REPORT
from citewell.attributors.repair import repair
from citewell.pipeline import Pipeline
from citewell.text.languages import differ
from citewell.types import Citation, Draft, Span, Verdict

SEGMENTS = REPORT.segments("paragraph")


def drafted(text, *numbers):
    """A reply of one statement that cites these paragraphs."""
    whole = Span(0, len(text))
    sources = tuple(Citation.of(SEGMENTS[number], REPORT.id, whole, method="model") for number in numbers)
    return Draft(text, "What does the report say?", (whole,), sources=sources, origin="written", cites=True)


def cited(citations):
    """The numbers of the paragraphs in which citations lie."""
    return {
        n
        for citation in citations
        for n, part in enumerate(SEGMENTS)
        if part.start <= citation.start and citation.end <= part.end
    }


def fine(case, left):
    """Whether right citations are kept, or wrong ones mended."""
    if set(case.cited) == set(case.right):
        return set(case.right) <= left
    return not left & set(case.cited) and set(case.right) <= left


@pytest.fixture(scope="module")
def answers():
    return {case: Pipeline().ground([REPORT], drafted(case.target, *case.cited)) for case in CASES}


def test_of_35_right_citations_34_are_kept_and_of_16_wrong_ones_15_are_mended(answers):
    assert [segment.text for segment in SEGMENTS] == list(PARAGRAPHS)
    right = [case for case in CASES if set(case.cited) == set(case.right)]
    assert (len(right), len(CASES) - len(right)) == (35, 16)
    kept = Counter(case in right for case in CASES if fine(case, cited(answers[case].citations)))
    assert kept[True] >= 34
    assert kept[False] >= 15


def test_nothing_is_deleted_because_of_its_language(answers):
    foreign = [case for case in CASES if case.kind == "other language"]
    assert len(foreign) == 7
    for case in foreign:
        answer = answers[case]
        assert cited(answer.citations) == set(case.right), case.target
        assert answer.statements[0].label != "not_supported"


def test_every_citation_that_is_gone_is_told(answers):
    for case in CASES:
        gone = set(case.cited) - cited(answers[case].citations)
        for number in gone:
            assert any(f"cites {SEGMENTS[number].id} " in warning for warning in answers[case].warnings), case.target


def test_what_is_kept_without_a_change_is_not_told(answers):
    assert [answers[case].warnings for case in CASES if case.kind == "same words"] == [()] * 6


class Rules:
    """A checker that goes by a table: words of the evidence, then a label; what is in no row is not supported."""

    name = "rules"

    def __init__(self, *rows, failed=None):
        self.rows, self.failed = rows, failed

    def check(self, pairs):
        return [self._verdict(pair) for pair in pairs]

    def _verdict(self, pair):
        if self.failed:
            return Verdict(pair.claim, "unverified", 0.0, method=self.name, failed=self.failed)
        text = " ".join(evidence.quote for evidence in pair.citations)
        label = next((label for *words, label in self.rows if all(word in text for word in words)), "not_supported")
        return Verdict(pair.claim, label, {"supported": 0.9, "partially_supported": 0.5}.get(label, 0.1))


class Finds:
    """An attributor that always names one paragraph, where it is among what it is given."""

    name = "finds"

    def __init__(self, number=None):
        self.number = number

    def attribute(self, draft, documents, granularity="sentence", k=None):
        if self.number is None or documents[0] is not REPORT:
            return ()
        return tuple(Citation.of(SEGMENTS[self.number], REPORT.id, target, 0.8, self.name) for target in draft.targets)


def repaired(draft, attributor, checker):
    return cited(repair(draft, [REPORT], attributor, checker, "paragraph"))


TARGET = "The lining of the furnace was renewed."


def test_a_judge_that_cannot_be_read_deletes_and_replaces_nothing():
    failing = Rules(failed="the reply has not the form asked for")
    assert repaired(drafted(TARGET, 3), Finds(9), failing) == {3}
    answer = Pipeline(attributor=Finds(9), checker=failing).ground([REPORT], drafted(TARGET, 3, 4))
    assert cited(answer.citations) == {3, 4}
    assert any(
        "could not be verified (the reply has not the form asked for): it was kept" in w for w in answer.warnings
    )


def test_what_the_checker_cannot_verify_is_kept():
    assert repaired(drafted(TARGET, 3), Finds(9), Rules(("Lund", "unverified"), ("glass", "supported"))) == {3}


def test_what_the_model_cited_is_preferred_where_both_hold():
    assert repaired(drafted(TARGET, 3), Finds(9), Rules(("Lund", "supported"), ("glass", "supported"))) == {3}


def test_what_holds_elsewhere_replaces_what_does_not_hold():
    assert repaired(drafted(TARGET, 3), Finds(9), Rules(("glass", "supported"))) == {9}


def test_what_holds_in_part_is_kept_beside_no_better():
    rows = ("Lund", "partially_supported"), ("glass", "partially_supported")
    assert repaired(drafted(TARGET, 3), Finds(9), Rules(*rows)) == {3}


def test_a_place_that_model_and_attributor_both_name_is_kept_whatever_the_checker_says():
    assert repaired(drafted(TARGET, 3), Finds(3), Rules()) == {3}


def test_two_citations_that_only_hold_together_are_both_kept():
    assert repaired(drafted(TARGET, 3, 9), Finds(1), Rules(("Lund", "glass", "supported"))) == {3, 9}


def test_what_nobody_sees_evidence_in_is_dropped():
    assert repaired(drafted(TARGET, 3), Finds(), Rules()) == set()


def test_parts_that_overlap_get_evidence_of_their_own():
    draft = drafted(TARGET, 3)
    part = Citation.of(SEGMENTS[4], REPORT.id, Span(4, 10), method="model")
    both = Draft(TARGET, None, (Span(0, len(TARGET)),), sources=(*draft.sources, part))
    repairs = repair(both, [REPORT], Finds(9), Rules(("glass", "supported")), "paragraph")
    assert [(repair.answer_start, repair.answer_end) for repair in repairs] == [(0, len(TARGET)), (4, 10)]


class Counting:
    """Counts the characters of the answer that an attributor is given."""

    def __init__(self):
        self.read = 0

    def attribute(self, draft, documents, granularity="sentence", k=None):
        self.read += len(draft.text)
        return ()


@pytest.mark.parametrize("count", [10, 40])
def test_an_answer_is_read_a_bounded_number_of_times_however_many_citations_it_has(count):
    text = " ".join([TARGET] * count)
    starts = [n * (len(TARGET) + 1) for n in range(count)]
    places = tuple(Span(start, start + len(TARGET)) for start in starts)
    sources = tuple(Citation.of(SEGMENTS[3], REPORT.id, place) for place in places)
    attributor = Counting()
    repair(Draft(text, None, places, sources=sources), [REPORT], attributor, Rules())
    assert attributor.read <= 3 * len(text)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("Der Gewinn stieg auf neun Millionen.", "The profit rose to nine million and the board was content.", True),
        ("利润上升到九百万。", "The profit rose to nine million.", True),
        ("ارتفع الربح إلى تسعة ملايين.", "The profit rose to nine million.", True),
        (
            "The profit of the year rose.",
            "Der Gewinn stieg auf neun Millionen, und der Vorstand war mit dem Jahr zufrieden.",
            True,
        ),
        ("Profit: 9 million.", "The profit rose to nine million and the board was content.", False),
        ("It was so in May.", "The profit rose to nine million and the board was content.", False),
        ("9,000,000", "利润上升到九百万。", False),
    ],
)
def test_texts_in_different_languages_are_told_apart(first, second, expected):
    assert differ(first, second) is expected
