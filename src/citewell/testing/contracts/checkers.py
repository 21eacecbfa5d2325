"""The contract of checkers: one verdict per pair, probabilities, exact quotes, and independent pairs."""

from __future__ import annotations

from dataclasses import replace

from citewell import Document
from citewell.errors import UsageError
from citewell.protocols import Checker, Pair
from citewell.testing.contracts.scenarios import MARKS, expect, expect_quotes, near
from citewell.types import LABELS, Citation

FIRST = Document.from_text("The company was founded in 1990 by Ann Smith. Revenue rose to 41 million in 2022.")
SECOND = Document.from_text("Café owners in Zürich say 😀 costs fell.\n\n東京は日本の首都です。 Nothing else is known.")
LONG = Document.from_text(" ".join(f"In {1900 + year} the firm sold {year} boats to Norway." for year in range(60)))
CLAIMS = (
    "Revenue rose to 41 million.",
    "Costs fell in Zürich 😀.",
    "東京は日本の首都です。",
    "The firm sold 59 boats.",
)


def _pairs() -> list[Pair]:
    return [Pair(claim, (FIRST, SECOND)) for claim in CLAIMS]


def it_has_the_verb_and_a_name(checker: Checker) -> None:
    """It has `check` and a name."""
    expect(isinstance(checker, Checker), "a checker has `check`")
    expect(getattr(checker, "name", ""), "a checker has a name")


def there_is_one_verdict_a_pair(checker: Checker) -> None:
    """In the order of the pairs, with a label, a probability and the checker's name."""
    verdicts = checker.check(_pairs())
    expect([verdict.claim for verdict in verdicts] == list(CLAIMS), "one verdict a pair, in order")
    for verdict in verdicts:
        expect(0.0 <= verdict.score <= 1.0, f"a score lies between 0 and 1, not {verdict.score}")
        expect(verdict.label in LABELS, f"{verdict.label!r} is a label")
        expect(verdict.method == getattr(checker, "name", ""), "a verdict names its checker")


def citations_quote_the_documents_exactly(checker: Checker) -> None:
    """Offsets are code points; a citation is for the whole claim."""
    for verdict in checker.check([*_pairs(), Pair("The firm sold 59 boats.", (LONG,))]):
        expect_quotes(verdict.citations, (FIRST, SECOND, LONG))
        for cited in verdict.citations:
            whole = (cited.answer_start, cited.answer_end) == (0, len(verdict.claim))
            expect(whole, "a citation's range is the whole claim")


def what_is_uncovered_stands_in_the_claim(checker: Checker) -> None:
    """Offsets of words that the evidence lacks are those of the claim."""
    for verdict in checker.check(_pairs()):
        for start, end in verdict.uncovered:
            expect(0 <= start < end <= len(verdict.claim), f"{start}:{end} lies in the claim")


def reasons_name_words_of_the_claim_and_places_in_the_documents(checker: Checker) -> None:
    """Offsets of a reason are those of the claim, its evidence lies in one of the documents, and it says something."""
    texts = {document.id: document.text for document in (FIRST, SECOND)}
    for verdict in checker.check(_pairs()):
        for reason in verdict.reasons:
            expect(0 <= reason.start < reason.end <= len(verdict.claim), "a reason is about words of the claim")
            expect(reason.message.strip(), "a reason says what differs")
            if (place := reason.evidence) is not None:
                inside = 0 <= place.start < place.end <= len(texts.get(place.document_id, ""))
                expect(inside, "the evidence of a reason lies in a document")


def what_cannot_be_judged_has_no_score(checker: Checker) -> None:
    """`unverified` claims nothing about support, and a failure is always unverified."""
    for verdict in checker.check(_pairs()):
        expect(verdict.label != "unverified" or verdict.score == 0.0, "what is not verified has the score 0")
        expect(not verdict.failed or verdict.label == "unverified", "what failed is not verified")


def no_pairs_give_no_verdicts(checker: Checker) -> None:
    """Nothing asked, nothing answered."""
    expect(checker.check([]) == [], "no pairs, no verdicts")


def a_claim_without_words_makes_no_claim(checker: Checker) -> None:
    """Marks alone say nothing that could be true."""
    (verdict,) = checker.check([Pair("…", (FIRST,))])
    expect(verdict.label == "no_claim", f"the label is no_claim, not {verdict.label}")


def a_pair_without_documents_is_refused(checker: Checker) -> None:
    """A claim cannot be judged against nothing."""
    try:
        checker.check([Pair("Revenue rose.", ())])
    except UsageError as error:
        expect("document" in str(error), "the refusal says that a document is missing")
    else:
        raise AssertionError("a pair without documents raises UsageError")


def no_evidence_supports_nothing(checker: Checker) -> None:
    """A pair that brings an empty tuple of citations has no evidence; a document without words has none either."""
    for pair in (Pair(CLAIMS[0], (FIRST,), ()), Pair(CLAIMS[0], (MARKS,))):
        (verdict,) = checker.check([pair])
        expect(0.0 <= verdict.score <= 1.0, "there is a verdict")
        expect(pair.citations is None or verdict.label == "not_supported", f"not supported, not {verdict.label}")


def a_batch_equals_its_pairs_alone_in_any_order(checker: Checker) -> None:
    """No pair changes another's verdict."""
    together = checker.check(_pairs())
    turned = checker.check(_pairs()[::-1])[::-1]
    alone = [checker.check([pair])[0] for pair in _pairs()]
    for first, second, third in zip(together, turned, alone, strict=True):
        same = near(first.score, second.score) and near(first.score, third.score)
        expect(same, f"{first.claim!r} has one score: {first.score}, {second.score}, {third.score}")


def a_repeated_pair_gets_the_same_verdict(checker: Checker) -> None:
    """Twice in a batch, and in two calls."""
    first, second = checker.check([_pairs()[0]] * 2)
    expect(first == second, "a pair that stands twice has one verdict")
    expect(checker.check(_pairs()) == checker.check(_pairs()), "two calls agree")


def evidence_longer_than_a_context_is_read_whole(checker: Checker) -> None:
    """Long documents do not fail."""
    (verdict,) = checker.check([Pair("The firm sold 59 boats to Norway in 1959.", (LONG,))])
    expect(0.0 <= verdict.score <= 1.0, "there is a verdict")


def evidence_that_was_given_is_kept_and_judged(checker: Checker) -> None:
    """A pair's own citations come back unchanged."""
    start = FIRST.text.index("Revenue")
    citation = Citation(FIRST.id, "p0.1", "sentence", FIRST.text[start:], start, len(FIRST.text), 0, len(CLAIMS[0]))
    (verdict,) = checker.check([Pair(CLAIMS[0], (FIRST,), (citation,))])
    expect(verdict.citations == (citation,), "the citations are those of the pair")
    (other,) = checker.check([Pair(CLAIMS[0], (FIRST, SECOND), (citation,))])
    expect(near(verdict.score, other.score), "a document that is not cited is not judged by")
    expect(replace(other, score=verdict.score) == verdict, "and changes no verdict")


SCENARIOS = (
    it_has_the_verb_and_a_name,
    there_is_one_verdict_a_pair,
    citations_quote_the_documents_exactly,
    what_is_uncovered_stands_in_the_claim,
    reasons_name_words_of_the_claim_and_places_in_the_documents,
    what_cannot_be_judged_has_no_score,
    no_pairs_give_no_verdicts,
    a_claim_without_words_makes_no_claim,
    a_pair_without_documents_is_refused,
    no_evidence_supports_nothing,
    a_batch_equals_its_pairs_alone_in_any_order,
    a_repeated_pair_gets_the_same_verdict,
    evidence_longer_than_a_context_is_read_whole,
    evidence_that_was_given_is_kept_and_judged,
)
