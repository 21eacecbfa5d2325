import json

import pytest

from bench import benchdata
from bench.benchdata import Overlap, Share
from citewell.attributors.llm import LLMAttributor
from citewell.errors import UsageError
from citewell.llm.scripted import Scripted
from citewell.types import Citation, Span, Verdict
from citewell_lab.bench.kinds.base import by_target, position
from citewell_lab.bench.run import run
from citewell_lab.bench.tasks import names, task


def cite(start, end, answer_start=0, answer_end=1):
    return Citation("d", "s", "paragraph", "q", start, end, answer_start, answer_end)


def test_citations_go_to_the_target_they_share_most_with():
    targets = [Span(0, 5), Span(5, 20)]
    target = by_target([cite(0, 1, 0, 5), cite(0, 2, 4, 9), cite(0, 3, 30, 40)], targets)
    assert [[result.end for result in group] for group in target] == [[1], [2]]


def test_a_citation_belongs_to_the_segment_it_shares_most_with():
    segments = [Span(0, 5), Span(7, 20)]
    assert position(segments, cite(3, 12)) == 1
    assert position(segments, cite(5, 7)) is None


def test_spans_are_scored_by_passage_and_tokens_apart(tmp_path):
    benchdata.veri_gran(tmp_path)
    result = run("verifiability-granular", tmp_path, "dev", method=Overlap(tokens=True))
    assert result.scores.metrics["span_accuracy"] == 1
    # Judged: Ada Stone runs the mill | and she | sells flour . -- the attributor marks the words of the passages.
    assert result.scores.by_group["tokens"]["n"] == 10
    assert result.scores.metrics["token_precision"] == 1
    assert result.scores.metrics["token_recall"] == pytest.approx(7 / 8)
    assert result.scores.metrics["token_pr_auc"] == pytest.approx(7 / 8 + (1 / 8) * 0.8)


def test_a_span_without_a_citation_is_wrong_and_counted_as_abstained(tmp_path):
    class Half(Overlap):
        def attribute(self, draft, documents, granularity="sentence", k=None):
            return super().attribute(draft, documents, granularity, k)[:1]

    benchdata.veri_gran(tmp_path)
    result = run("verifiability-granular", tmp_path, "dev", method=Half())
    assert result.scores.metrics["span_accuracy"] == 0.5
    assert (result.n, result.scores.abstained, result.failed) == (1, 1, 0)


def test_a_models_replies_without_numbers_are_told_beside_their_zero(tmp_path):
    benchdata.veri_gran(tmp_path, count=2)
    benchdata.verifiability(tmp_path)
    marked = "The mill is old. [[Ada Stone runs the mill]] and she [[sells flour.]]"
    result = run("verifiability-granular", tmp_path, "dev", method=LLMAttributor(llm=Scripted(reply=marked)))
    assert result.scores.metrics["span_accuracy"] == 0
    assert result.scores.notes[1:] == (
        "of the model's replies: 4 marks without a number, counted as no evidence",
        "of the model's replies: 2 replies without a numbered mark, counted as no evidence",
    )
    result = run("verifiability", tmp_path, "dev", method=LLMAttributor(llm=Scripted(reply="No.")))
    assert result.scores.notes[1:] == (
        "of the model's replies: 1 replies without a numbered mark, counted as no evidence",
    )


def test_token_metrics_are_said_to_be_unscored_where_a_method_has_no_token_scores(tmp_path):
    benchdata.quotesum(tmp_path)
    result = run("quotesum", tmp_path, "dev", method=Overlap())
    assert set(result.scores.metrics) == {"span_accuracy"}
    assert set(result.scores.unscored) == {"token_precision", "token_recall", "token_f1", "token_pr_auc"}


class Tokens(Overlap):
    """A method that cuts "Green paint dries in two hours ." before "int" and "ies", with a score for each piece."""

    threshold = 0.3

    def least_copied(self):
        return self.threshold

    def scored_tokens(self, draft, documents):
        pieces = zip(
            [(0, 5), (6, 8), (8, 11), (12, 14), (14, 17), (18, 20), (21, 24), (25, 30), (31, 32)],
            [0.9, 0.4, 0.35, 0.2, 0.1, 0.3, 0.6, 0.31, -0.2],
            strict=True,
        )
        return tuple((Span(*piece), score) for piece, score in pieces)


def test_a_methods_own_threshold_marks_words_and_its_own_tokens(tmp_path):
    benchdata.quotesum(tmp_path)
    result = run("quotesum", tmp_path, "dev", method=Tokens())
    # Above 0.3: Green, pa, int, two, hours; copied are exactly these words.
    wanted = ("token_precision", "token_recall", "model_token_precision", "model_token_recall")
    assert [result.scores.metrics[name] for name in wanted] == [1, 1, 1, 1]
    assert result.scores.by_group["tokens"]["n"] == 7
    assert result.scores.by_group["the model's tokens"]["n"] == 9


def test_a_threshold_below_every_score_marks_all(tmp_path):
    class All(Tokens):
        threshold = -1.0

    benchdata.quotesum(tmp_path)
    scores = run("quotesum", tmp_path, "dev", method=All()).scores
    # Four of seven words and five of nine pieces were copied.
    assert (scores.metrics["token_precision"], scores.metrics["token_recall"]) == (pytest.approx(4 / 7), 1)
    assert (scores.metrics["model_token_precision"], scores.metrics["model_token_recall"]) == (pytest.approx(5 / 9), 1)
    assert scores.by_group["tokens, all marked"]["f1"] == scores.metrics["token_f1"]


def test_a_token_at_the_threshold_is_not_marked(tmp_path):
    class Higher(Tokens):
        threshold = 0.35

    benchdata.quotesum(tmp_path)
    scores = run("quotesum", tmp_path, "dev", method=Higher()).scores
    # Green, pa and two are above; a word is marked where one of its pieces is.
    assert scores.metrics["token_recall"] == pytest.approx(3 / 4)
    assert scores.metrics["model_token_recall"] == pytest.approx(3 / 5)
    assert (
        scores.metrics["token_pr_auc"]
        == run("quotesum", tmp_path, "dev", method=Tokens()).scores.metrics["token_pr_auc"]
    )


def test_the_attributor_never_sees_the_marks_of_sub_task_one(tmp_path):
    calls = []

    class Spy(Overlap):
        def attribute(self, draft, documents, granularity="sentence", k=None):
            calls.append((granularity, draft.targets))
            return ()

    benchdata.veri_gran(tmp_path)
    run("verifiability-granular", tmp_path, "dev", method=Spy())
    assert [call for call in calls if call[0] == "token"] == [("token", ())]


def test_ranked_sentences_are_scored_at_one_two_and_four(tmp_path):
    benchdata.verifiability(tmp_path)
    result = run("verifiability", tmp_path, "dev", method=Overlap())
    # Target "Bees produce honey." shares two words with the first gold sentence, one with the second.
    assert result.scores.metrics["precision@1"] == 1
    assert result.scores.metrics["recall@1"] == 0.5
    assert result.scores.metrics["f1@1"] == pytest.approx(2 / 3)
    assert result.scores.metrics["f1@2"] == 1
    assert result.scores.by_group["sentences"] == {"n": 1, "abstained": 0, "verbatim": 1, "unmatched": 1}
    benchdata.hagrid(tmp_path)
    assert run("hagrid", tmp_path, "dev", method=Overlap()).scores.by_group["sentences"]["n"] == 2


def test_salad_reports_settings_means_and_rows_from_the_annotations(tmp_path):
    benchdata.salad(tmp_path)
    result = run("salad", tmp_path, "all", checker=Share())
    metrics = result.scores.metrics
    # webgpt: gold T, F; scores 1, 1/3. gpt3_whudoc: T, 1. alpaca: T, F; 1, 0. All are right at the checker's labels.
    assert metrics["accuracy"] == 1
    assert metrics["f1"] == pytest.approx(2 / 3)  # gpt3_whudoc has no unsupported sentence: its F1 is 0
    assert metrics["f1_tuned"] == pytest.approx(2 / 3)
    assert metrics["auc"] == 1
    assert list(result.scores.by_group) == ["webgpt", "gpt3_whudoc", "alpaca"]
    human = result.scores.baselines["human"]["webgpt"]
    # webgpt, supported or not: T T F and F F F, so two pairs of annotators agree on one of two, one on both.
    assert human["accuracy"] == pytest.approx((1 + 0.5 + 0.5) / 3)
    assert result.scores.baselines["majority"]["alpaca"] == {"f1": 2 / 3, "accuracy": 0.5, "f1_unsupported": 0}


def test_salads_tuned_threshold_is_one_for_all_settings():
    rows = [
        {"group": group, "gold": gold, "label": "supported", "score": score}
        for group, gold, score in [
            ("webgpt", True, 0.4),
            ("webgpt", False, 0.2),
            ("gpt3", True, 0.9),
            ("gpt3", False, 0.6),
            ("gpt3", False, 0.5),
        ]
    ]
    scores = task("salad").score(rows)
    # Below 0.4 webgpt has F1 1 and gpt3 2*1/(2+2) = 0.5; above 0.6 webgpt has 2/3 and gpt3 1, which is more.
    assert scores.metrics["f1_tuned"] == pytest.approx((2 / 3 + 1) / 2)
    assert scores.metrics["accuracy_tuned"] == pytest.approx((0.5 + 1) / 2)
    assert "0.7500" in scores.notes[0]


def test_attributionbench_is_scored_with_and_without_the_answers_of_salad(tmp_path):
    benchdata.attributionbench(tmp_path)
    result = run("attributionbench", tmp_path, "dev", checker=Share())
    assert result.scores.metrics["balanced_accuracy"] == pytest.approx((1 + 0.5) / 2)
    assert result.scores.metrics["macro_f1"] == pytest.approx((2 / 3 + 2 / 3) / 2)
    assert result.scores.by_group["without LFQA"]["macro_f1"] == 1


def test_wice_scores_labels_and_evidence_with_the_predicted_and_with_the_gold_label(tmp_path):
    benchdata.wice(tmp_path)
    result = run("wice", tmp_path, "dev", checker=Share(), method=Overlap())
    assert result.scores.metrics == {
        "label_macro_f1": 1,
        "label_accuracy": 1,
        "evidence_f1": 1,
        "evidence_f1_first": 1,
        "evidence_f1_union": pytest.approx((2 / 3 + 1) / 2, abs=1e-6),  # of {2} or {0, 2} it names 2
        "evidence_f1_gold_label": 1,
    }
    assert result.method == "share | overlap"


def test_evidence_of_a_wrong_label_counts_but_not_with_the_gold_label(tmp_path):
    class Never(Share):
        def check(self, pairs):
            return [Verdict(claim, "not_supported", 0.0) for claim, *_ in pairs]

    benchdata.wice(tmp_path)
    metrics = run("wice", tmp_path, "dev", checker=Never(), method=Overlap()).scores.metrics
    assert metrics["evidence_f1"] == 0.5
    assert metrics["evidence_f1_gold_label"] == 1
    assert metrics["label_macro_f1"] == pytest.approx((0 + 2 / 3) / 2)


def test_a_verdict_that_names_no_label_is_wrong_for_every_class(tmp_path):
    class Silent(Share):
        def check(self, pairs):
            return [Verdict(claim, "no_claim", 0.0) for claim, *_ in pairs]

    benchdata.wice(tmp_path)
    result = run("wice", tmp_path, "dev", checker=Silent(), method=Overlap())
    assert result.scores.metrics["label_macro_f1"] == 0
    assert result.scores.abstained == 2


def test_the_annotator_who_fits_the_prediction_best_is_the_gold(tmp_path):
    benchdata.evidence_inference(tmp_path)
    result = run("evidence-inference", tmp_path, "dev", checker=Share(), method=Overlap())
    # Prompt 1: one annotator says increased, one no difference; the words of "increased" are all in the text.
    assert result.n == 2
    assert result.scores.by_group["significantly increased"]["label_accuracy"] == 1
    assert result.scores.by_group["significantly increased"]["evidence_f1"] == pytest.approx(2 / 3)


def test_contracts_are_judged_by_the_statement_and_its_inversion(tmp_path):
    benchdata.contract_nli(tmp_path)

    class Copy(Share):
        def check(self, pairs):
            return [
                Verdict(c, "supported", 0.9) if "shall not create" in c else Verdict(c, "not_supported", 0.1)
                for c, *_ in pairs
            ]

    result = run("contract-nli", tmp_path, "dev", checker=Copy(), method=Overlap())
    assert result.scores.by_group["nda-17"]["label_accuracy"] == 1
    assert result.scores.by_group["nda-18"] == {
        "n": 1,
        "label_macro_f1": 1,
        "label_accuracy": 1,
        "evidence_f1": 1,
        "evidence_f1_gold_label": 1,
    }
    assert result.scores.metrics["label_accuracy"] == pytest.approx(2 / 3)


def test_data_without_evidence_marks_has_no_evidence_score(tmp_path):
    benchdata.scifact(tmp_path)
    result = run("scifact", tmp_path, "dev", checker=Share(), method=Overlap())
    assert result.scores.metrics == {"label_macro_f1": 1, "label_accuracy": 1}
    assert "evidence_f1" in result.scores.unscored


def test_fever_scores_what_it_has_and_counts_what_it_lacks(tmp_path):
    benchdata.fever(tmp_path)
    result = run("fever", tmp_path, "dev", checker=Share(), method=Overlap())
    assert (result.n, result.failed) == (1, 1)
    assert result.scores.metrics["label_accuracy"] == 1


def test_an_unknown_task_gets_the_nearest_name():
    with pytest.raises(UsageError, match="did you mean 'quotesum'"):
        task("quotesums")


def test_tasks_without_records_have_no_figures_but_do_not_break():
    for name in names():
        assert all(0 <= value <= 1 for value in task(name).score([]).metrics.values())


def test_a_claim_whose_references_are_empty_is_not_supported_and_no_failure(tmp_path):
    rows = [
        {"claim": claim, "references": references, "attribution_label": label, "src_dataset": "ExpertQA"}
        for claim, references, label in (
            ("a b", ["a b c"], "attributable"),
            ("a d", [], "not attributable"),
            ("c d", ["", " "], "not attributable"),
            ("a", [""], "attributable"),
        )
    ]
    benchdata.lines(tmp_path / "attributionbench" / "dev.jsonl", rows)
    result = run("attributionbench", tmp_path, "dev", checker=Share(), out=tmp_path / "run")
    assert (result.n, result.failed) == (4, 0)
    records = [json.loads(line) for line in (tmp_path / "run" / "items.jsonl").read_text().splitlines()]
    assert [(record["label"], record["score"]) for record in records][1:] == [("not_supported", 0)] * 3
    assert result.scores.metrics["accuracy"] == 0.75
