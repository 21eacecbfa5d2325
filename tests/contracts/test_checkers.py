"""What every checker keeps to."""

from __future__ import annotations

import pytest

from citewell.document import Document
from citewell.errors import UsageError
from citewell.protocols import Checker, Pair
from citewell.types import LABELS, Citation
from contracts.specs import build, every

FIRST = Document.from_text("The company was founded in 1990 by Ann Smith. Revenue rose to 41 million in 2022.")
SECOND = Document.from_text("Café owners in Zürich say 😀 costs fell.\n\n東京は日本の首都です。 Nothing else is known.")
LONG = Document.from_text(" ".join(f"In {1900 + year} the firm sold {year} boats to Norway." for year in range(60)))
CLAIMS = ["Revenue rose to 41 million.", "Costs fell in Zürich.", "東京は日本の首都です。", "The firm sold 59 boats."]


@pytest.fixture(params=every("checker"))
def checker(request):
    return build("checker", request.param, request)


def pairs():
    return [Pair(claim, (FIRST, SECOND)) for claim in CLAIMS]


def test_it_is_a_checker(checker):
    assert isinstance(checker, Checker)
    assert checker.name


def test_there_is_one_verdict_a_pair_with_a_probability_and_a_label(checker):
    verdicts = checker.check(pairs())
    assert [verdict.claim for verdict in verdicts] == CLAIMS
    for verdict in verdicts:
        assert 0.0 <= verdict.score <= 1.0
        assert verdict.label in LABELS
        assert verdict.method == checker.name


def test_citations_quote_the_documents_exactly(checker):
    by_id = {document.id: document for document in (FIRST, SECOND, LONG)}
    for verdict in checker.check([*pairs(), Pair("The firm sold 59 boats.", (LONG,))]):
        for citation in verdict.citations:
            assert by_id[citation.document_id].text[citation.start : citation.end] == citation.quote
            assert (citation.answer_start, citation.answer_end) == (0, len(verdict.claim))


def test_no_pairs_give_no_verdicts(checker):
    assert checker.check([]) == []


def test_a_claim_without_words_makes_no_claim(checker):
    assert [verdict.label for verdict in checker.check([Pair("…", (FIRST,))])] == ["no_claim"]


def test_a_pair_without_documents_is_refused(checker):
    with pytest.raises(UsageError, match="document"):
        checker.check([Pair("Revenue rose.", ())])


def test_a_batch_equals_its_pairs_one_by_one_in_any_order(checker):
    together = checker.check(pairs())
    turned = checker.check(pairs()[::-1])[::-1]
    alone = [checker.check([pair])[0] for pair in pairs()]
    for one, other, third in zip(together, turned, alone, strict=True):
        assert one.score == pytest.approx(other.score, abs=1e-4)
        assert one.score == pytest.approx(third.score, abs=1e-4)


def test_the_same_pairs_get_the_same_verdicts(checker):
    assert checker.check(pairs()) == checker.check(pairs())


def test_evidence_longer_than_the_context_is_read_whole(checker):
    verdict = checker.check([Pair("The firm sold 59 boats to Norway in 1959.", (LONG,))])[0]
    assert 0.0 <= verdict.score <= 1.0


def test_evidence_that_was_found_is_kept_and_judged(checker):
    start = FIRST.text.index("Revenue")
    quote = FIRST.text[start:]
    found = Citation(FIRST.id, "p0.1", "sentence", quote, start, len(FIRST.text), 0, 27)
    verdict = checker.check([Pair(CLAIMS[0], (FIRST,), (found,))])[0]
    assert verdict.citations == (found,)
