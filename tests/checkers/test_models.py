from __future__ import annotations

import numpy as np
import pytest

from citewell import registry
from citewell.checkers.nli import Columns, columns
from citewell.checkers.premises import by_sentence, by_window
from citewell.document import Document
from citewell.errors import BackendError, SpecError
from citewell.models import classify, loading, seq2seq
from citewell.protocols import Pair
from citewell.types import Citation

REPORT = Document.from_text(
    "Revenue rose in 2022. Costs fell. Ann left the firm.\n\nBoats were sold to Norway.", "Report"
)


def test_labels_are_read_by_name_in_any_order():
    assert columns({0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"}, "m") == Columns(2, 0)
    assert columns({0: "entailment", 1: "not_entailment"}, "m") == Columns(0, None)
    assert columns({0: "SUPPORTS", 1: "REFUTES", 2: "NOT ENOUGH INFO"}, "m") == Columns(0, 1)
    assert columns({0: "non-entailment", 1: "entailment"}, "m") == Columns(1, None)


@pytest.mark.parametrize("labels", [{0: "LABEL_0", 1: "LABEL_1"}, {0: "entailed", 1: "entailment"}])
def test_labels_that_are_not_clear_are_asked_about(labels):
    with pytest.raises(BackendError, match="entailment=NUMBER"):
        columns(labels, "m")


def test_a_model_without_label_names_needs_the_number(zoo):
    with pytest.raises(BackendError, match="LABEL_0"):
        registry.build("checker", f"nli(model={zoo.nli_unnamed})").check([Pair("Costs fell.", (REPORT,))])
    with pytest.raises(BackendError, match="classes 0 to 2"):
        registry.build("checker", f"nli(model={zoo.nli_unnamed}, entailment=3)").check([Pair("Costs.", (REPORT,))])


@pytest.mark.parametrize(("name", "column"), [("nli", 0), ("nli_turned", 2)])
def test_the_score_is_the_best_sentence_s_probability_of_entailment(zoo, name, column):
    path = getattr(zoo, name)
    verdict = registry.build("checker", f"nli(model={path}, device=cpu)").check([Pair("Costs fell.", (REPORT,))])[0]
    loaded = loading.load("classifier", path, placement=loading.Placement("cpu"))
    texts = [segment.text for segment in REPORT.segments("sentence")]
    wanted = classify.softmax(classify.logits(loaded, [(text, "Costs fell.") for text in texts]))[:, column]
    assert verdict.score == pytest.approx(float(wanted.max()), abs=1e-5)
    if verdict.label == "supported":
        assert verdict.citations[0].quote == texts[int(wanted.argmax())]


def test_true_scores_the_token_1(zoo):
    verdict = registry.build("checker", f"true(model={zoo.t5}, device=cpu)").check([Pair("Costs fell.", (REPORT,))])[0]
    loaded = loading.load("seq2seq", zoo.t5, placement=loading.Placement("cpu"))
    prompt = f"premise: {REPORT.text} hypothesis: Costs fell."
    wanted = np.exp(seq2seq.first_token(loaded, [prompt])[0, seq2seq.token_id(loaded, "1")])
    assert verdict.score == pytest.approx(float(wanted), abs=1e-5)


def test_attrscore_merges_two_of_three_labels(zoo):
    pair = Pair("Costs fell.", (REPORT,))
    verdict = registry.build("checker", f"attrscore(model={zoo.t5}, device=cpu)").check([pair])[0]
    assert verdict.label in ("supported", "not_supported", "contradicted")
    assert (verdict.label == "supported") == (verdict.score >= 0.5)


def test_minicheck_knows_its_kinds_by_their_config(zoo):
    for path in (zoo.t5, zoo.minicheck_deberta, zoo.docnli):
        verdict = registry.build("checker", f"minicheck(model={path}, chunk=6)").check(
            [Pair("Costs fell.", (REPORT,))]
        )[0]
        assert 0 <= verdict.score <= 1
    with pytest.raises(BackendError, match="no model at"):
        registry.build("checker", "minicheck(model=/no/such)").check([Pair("Costs fell.", (REPORT,))])


@pytest.mark.parametrize("spec", ["nli(premise=pages)", "true(premise=pages)"])
def test_premises_are_sentences_or_windows(spec):
    with pytest.raises(SpecError):
        registry.build("checker", spec)


def test_true_by_sentence_is_the_maximum_over_the_sentences_and_cites_each_that_entails(zoo):
    loaded = loading.load("seq2seq", zoo.t5, placement=loading.Placement("cpu"))
    texts = [segment.text for segment in REPORT.segments("sentence")]
    prompts = [f"premise: {text} hypothesis: Costs fell." for text in texts]
    wanted = np.exp(seq2seq.first_token(loaded, prompts)[:, seq2seq.token_id(loaded, "1")])
    third, second = np.sort(wanted)[-3:-1].tolist()
    least = (third * second) ** 0.5  # two of the four sentences reach it
    spec = f"true(model={zoo.t5}, device=cpu, premise=sentences, threshold={least!r})"
    (verdict,) = registry.build("checker", spec).check([Pair("Costs fell.", (REPORT,))])
    assert verdict.score == pytest.approx(float(wanted.max()), abs=1e-5)
    best = [texts[place] for place in np.argsort(-wanted)[:2]]
    assert [cited.quote for cited in verdict.citations] == best
    assert all(cited.granularity == "sentence" for cited in verdict.citations)


def words(text):
    return len(text.split())


def test_windows_hold_whole_sentences_and_all_of_them():
    premises = by_window(Pair("x", (REPORT,)), words, 7)
    assert [premise.text for premise in premises] == [
        "Revenue rose in 2022. Costs fell.",
        "Ann left the firm.",
        "Boats were sold to Norway.",
    ]
    for premise in premises:
        assert REPORT.text[premise.start : premise.end] == premise.text
    assert [premise.text for premise in by_window(Pair("x", (REPORT,)), words, 100)] == [REPORT.text]
    assert len(by_window(Pair("x", (REPORT,)), words, 1)) == len(REPORT.segments("sentence"))


def test_evidence_that_was_found_is_read_in_document_order_under_its_title():
    def cite(quote):
        start = REPORT.text.index(quote)
        return Citation(REPORT.id, "x", "sentence", quote, start, start + len(quote), 0, 1)

    pair = Pair("x", (REPORT,), (cite("Boats were sold to Norway."), cite("Costs fell.")))
    assert [premise.text for premise in by_window(pair, words, 100)] == [
        "Report\nCosts fell.\nBoats were sold to Norway."
    ]
    assert [premise.text for premise in by_sentence(pair)] == ["Boats were sold to Norway.", "Costs fell."]
    assert by_window(Pair("x", (REPORT,), ()), words, 100) == []
