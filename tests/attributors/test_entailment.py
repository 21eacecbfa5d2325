from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.attributors.entailment import Entailment
from citewell.attributors.minimal import minimal
from citewell.attributors.optimal_selection import Scorer, grow
from citewell.attributors.retrieval import Retrieval
from citewell.document import Document
from citewell.errors import SpecError, notes
from citewell.registry import build
from citewell.types import Citation, Draft, Span, Verdict


@dataclass(frozen=True)
class WordChecker:
    """The share of the claim's words that the evidence has; counts its calls."""

    calls: list = field(default_factory=list)
    name = "words"

    def check(self, pairs):
        self.calls.append(len(pairs))
        result = []
        for pair in pairs:
            premise_words = set(" ".join(document.text for document in pair.evidence).lower().replace(".", "").split())
            words = pair.claim.lower().replace(".", "").split()
            result.append(Verdict(pair.claim, "supported", sum(word in premise_words for word in words) / len(words)))
        return result


def naive(unit, texts, candidates, attr, delta):
    """Algorithm 1 as it is printed."""
    chosen, remaining, previous, count = [], list(candidates), -1.0, 0
    while remaining:
        values = [attr(" ".join(texts[i] for i in [*chosen, d]), unit) for d in remaining]
        count += len(values)
        best = max(values)
        if best <= previous + delta:
            break
        chosen.append(remaining.pop(values.index(best)))
        previous = best
    return chosen, previous, count


SENTENCES = ["a b", "c d", "a c", "e", "a b", "d e f", ""]


@given(
    st.lists(st.text("abcdef ", min_size=1, max_size=9).filter(str.strip), min_size=1, max_size=4),
    st.lists(st.sampled_from(range(len(SENTENCES))), unique=True, max_size=7),
    st.sampled_from([0.0, 0.1, 0.3]),
)
def test_growing_side_by_side_is_algorithm_1_unit_by_unit(units, candidates, delta):
    checker = WordChecker()
    scorer = Scorer(checker)
    with notes.collect() as noted:
        growths = grow(units, [candidates] * len(units), SENTENCES, scorer, delta=delta)
    total = 0
    for unit, growth in zip(units, growths, strict=True):
        chosen, score, count = naive(
            unit, SENTENCES, candidates, lambda p, h: Scorer(WordChecker())([(p, h)])[0], delta
        )
        total += count
        assert list(growth.chosen) == chosen
        assert growth.score == pytest.approx(max(score, 0.0))
    assert noted.counts["pairs asked for"] == total
    assert noted.counts["pairs scored"] == sum(checker.calls) <= total


DOCUMENT = Document.from_text("Ann founded Acme. Bob likes tea. Acme sold boats. Ann founded Acme. Rain fell.")


def attribute(text, **settings):
    draft = Draft(text, statements=(Span(0, len(text)),))
    return draft, Entailment(**settings).attribute(draft, [DOCUMENT])


def test_a_statement_of_two_facts_gets_both_sentences():
    _, citations = attribute("Ann founded Acme and Acme sold boats.", checker=WordChecker(), decompose=None, delta=0.1)
    assert [citation.quote for citation in citations] == ["Acme sold boats.", "Ann founded Acme."]
    assert [citation.score for citation in citations] == pytest.approx([6 / 7, 6 / 7])


def test_what_falls_short_of_the_threshold_is_not_cited():
    _, citations = attribute("Ann founded Acme.", checker=WordChecker(), threshold=1.0)
    assert [citation.quote for citation in citations] == ["Ann founded Acme."]
    _, citations = attribute("Ann founded Acme yesterday.", checker=WordChecker(), threshold=0.8)
    assert citations == ()


def test_without_selection_each_unit_has_one_sentence():
    _, citations = attribute("Ann founded Acme.", checker=WordChecker(), select=False, threshold=0.3)
    assert [(citation.start, citation.score) for citation in citations] == [(0, 1.0)]
    _, citations = attribute("Ann founded Acme, but Acme sold tea.", checker=WordChecker(), select=False)
    assert [citation.quote for citation in citations] == ["Ann founded Acme.", "Acme sold boats."]
    assert attribute("Zebras run.", checker=WordChecker(), select=False)[1] == ()


def test_a_grown_set_may_have_a_threshold_of_its_own():
    for least, cited in ((None, 0), (0.0, 1)):
        settings = {"checker": WordChecker(), "decompose": None, "threshold": 0.9, "set_threshold": least}
        assert len(attribute("Ann left Acme.", **settings)[1]) == cited
        assert attribute("Ann left Acme.", select=False, **settings)[1] == ()


def test_candidates_are_asked_by_the_unit_or_by_the_whole_statement():
    text = "Bob liked the tea, but Acme sold boats."
    for query, cited in (("unit", 2), ("statement", 1)):
        settings = {"checker": WordChecker(), "query": query, "candidates": 1, "select": False}
        assert len(attribute(text, **settings)[1]) == cited


def test_units_are_cited_where_they_stand_in_the_answer():
    text = "Ann founded Acme, but Acme sold boats."
    _, citations = attribute(text, checker=WordChecker(), decompose="clauses")
    answer_texts = {citation.quote: text[citation.answer_start : citation.answer_end] for citation in citations}
    assert answer_texts == {"Ann founded Acme.": "Ann founded Acme", "Acme sold boats.": "Acme sold boats."}


def test_repeated_pairs_are_not_scored_again_and_that_is_counted():
    checker = WordChecker()
    with notes.collect() as noted:
        attribute("Ann founded Acme.", checker=checker, delta=0.0)
    assert noted.counts["pairs scored"] == sum(checker.calls)
    assert noted.counts["pairs scored"] < noted.counts["pairs asked for"]  # one sentence stands there twice


def test_no_more_candidates_are_judged_than_was_said():
    checker = WordChecker()
    attribute("Ann founded Acme.", checker=checker, candidates=2, select=False)
    assert sum(checker.calls) <= 2


def cite(quote):
    start = DOCUMENT.text.index(quote)
    return Citation(DOCUMENT.id, "x", "sentence", quote, start, start + len(quote), 0, 1)


def test_evidence_that_adds_nothing_is_dropped():
    text = "Ann founded Acme and sold boats."
    draft = Draft(text, statements=(Span(0, len(text)),))
    needed = [cite("Ann founded Acme."), cite("Acme sold boats.")]
    assert minimal(draft, [needed[0], cite("Bob likes tea."), needed[1]], WordChecker()) == tuple(needed)
    assert minimal(draft, [cite("Rain fell.")], WordChecker()) == (cite("Rain fell."),)


def test_no_evidence_that_is_left_can_be_removed_without_loss():
    text = "Ann founded Acme and sold boats and tea."
    draft = Draft(text, statements=(Span(0, len(text)),))
    given_all = [cite(quote) for quote in ("Ann founded Acme.", "Bob likes tea.", "Acme sold boats.", "Rain fell.")]
    kept = minimal(draft, given_all, WordChecker())
    score = Scorer(WordChecker())

    def probability(citations):
        return score([(" ".join(citation.quote for citation in citations), text)])[0]

    assert probability(kept) == probability(given_all)
    for citation in kept:
        assert probability([other for other in kept if other != citation]) < probability(kept)


@pytest.mark.parametrize(
    "spec", ["threshold=2", "delta=-1", "candidates=0", "set_threshold=2", "query=question", "nonsense=1"]
)
def test_settings_that_make_no_sense_are_refused(spec):
    with pytest.raises(SpecError):
        build("attributor", f"entailment({spec})")


def test_the_query_of_retrieval_is_what_was_asked_for():
    text = "Acme sold boats."
    draft = Draft(text, question="tea", statements=(Span(0, len(text)),), targets=(Span(0, 4),))
    first = {query: Retrieval(query=query, k=3).attribute(draft, [DOCUMENT]) for query in ("target", "statement")}
    assert {citation.quote for citation in first["target"]} == {"Ann founded Acme.", "Acme sold boats."}
    assert first["statement"][0].quote == "Acme sold boats."
    citations = Retrieval(query="question", k=5).attribute(draft, [DOCUMENT])
    assert "Bob likes tea." in {citation.quote for citation in citations}
    assert len(Retrieval().attribute(draft, [DOCUMENT])) == 2
