import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.errors import UsageError
from citewell.types import Span
from citewell_lab.bench.metrics import agreement, declared, evidence, labels, tokens
from citewell_lab.bench.metrics.declared import parse
from citewell_lab.bench.tasks import names, task
from citewell_lab.report import intervals


def test_f1_of_a_class_is_twice_the_hits_over_gold_and_predictions():
    gold, predicted = ["a", "a", "b", "b", "b"], ["a", "b", "b", "b", None]
    assert labels.counts(gold, predicted, "b") == (2, 1, 1)
    assert labels.f1(gold, predicted, "b") == pytest.approx(4 / 6)
    assert labels.f1(gold, predicted, "a") == pytest.approx(2 / 3)
    assert labels.macro_f1(gold, predicted, ("a", "b", "c")) == pytest.approx(2 / 3)
    assert labels.f1(gold, predicted, "c") == 0


def test_a_prediction_without_a_label_is_wrong_for_every_class():
    assert labels.macro_f1(["a", "b"], [None, "b"], ("a", "b")) == 0.5
    assert labels.accuracy(["a", "b"], [None, "b"]) == 0.5


def test_balanced_accuracy_is_the_mean_of_the_classes_recalls():
    gold, predicted = [True] * 3 + [False], [True, True, False, False]
    assert labels.balanced_accuracy(gold, predicted) == pytest.approx((2 / 3 + 1) / 2)


def test_area_under_the_roc_counts_ties_half():
    assert labels.roc_auc([True, False, True, False], [0.9, 0.9, 0.4, 0.1]) == pytest.approx((0.5 + 1 + 0 + 1) / 4)
    assert labels.roc_auc([True, True], [0.1, 0.2]) is None


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=2, max_size=30))
def test_area_under_the_roc_equals_the_share_of_ordered_pairs(rows):
    ups, downs = [s for g, s in rows if g], [s for g, s in rows if not g]
    if not ups or not downs:
        return
    share = np.mean([(a > b) + 0.5 * (a == b) for a in ups for b in downs])
    assert labels.roc_auc([g for g, _ in rows], [s for _, s in rows]) == pytest.approx(share)


def test_one_threshold_serves_all_groups_with_each_groups_own_class():
    # Group one counts the unsupported, group two the supported. At 0.5 both are right; at 0.25 or 0.75 one suffers.
    first = ([True, False, False], [0.9, 0.4, 0.1], False)
    second = ([True, False, False], [0.6, 0.3, 0.2], True)
    tuned = labels.tune([first, second])
    assert tuned.threshold == pytest.approx(0.5)
    assert (tuned.f1, tuned.accuracy) == (1.0, 1.0)


@given(
    st.lists(
        st.tuples(st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=1, max_size=12), st.booleans()),
        min_size=1,
        max_size=3,
    )
)
def test_tuning_agrees_with_trying_every_threshold(groups):
    data = [([g for g, _ in rows], [s / 6 for _, s in rows], target) for rows, target in groups]
    tuned = labels.tune(data)

    def mean_f1(threshold):
        return np.mean([labels.f1(gold, [s >= threshold for s in scores], target) for gold, scores, target in data])

    tried = [mean_f1(t) for t in [*np.linspace(-0.05, 1.05, 200)]]
    assert tuned.f1 == pytest.approx(max(tried))
    assert tuned.f1 == pytest.approx(mean_f1(tuned.threshold))
    accuracy = [labels.accuracy(gold, [s >= tuned.threshold for s in scores]) for gold, scores, _ in data]
    assert tuned.accuracy == pytest.approx(np.mean(accuracy))


def test_people_are_compared_pair_by_pair():
    votes = [[True, True, False], [False, False, False], [True, True, True]]
    # Annotators 1 and 2 agree on all; 1 and 3 (and 2 and 3) on two of three, F1 of False: 2*1/(1+2).
    f1, accuracy = agreement.human(votes, target=False)
    assert f1 == pytest.approx((1 + 2 / 3 + 2 / 3) / 3)
    assert accuracy == pytest.approx((1 + 2 / 3 + 2 / 3) / 3)


def test_the_commonest_label_has_no_f1_for_the_rarer_class():
    assert agreement.majority([True, True, True, False], target=False) == (0.0, 0.75)


def test_chance_draws_with_the_golds_shares_and_repeats_with_its_seed():
    gold = [True] * 70 + [False] * 30
    f1, accuracy = agreement.chance(gold, target=False, draws=400)
    assert f1 == pytest.approx(0.3, abs=0.02)
    assert accuracy == pytest.approx(0.58, abs=0.02)
    assert agreement.chance(gold, target=False) == agreement.chance(gold, target=False)


def test_evidence_without_gold_is_right_when_nothing_was_predicted():
    assert evidence.set_f1(set(), set()) == 1
    assert evidence.set_f1({1}, set()) == 0
    assert evidence.set_f1(set(), {1}) == 0
    assert evidence.set_f1({1, 2}, {2, 3, 4}) == pytest.approx(2 / 5)
    assert evidence.best_set_f1({1, 2}, [{2, 3, 4}, {1, 2, 3}]) == pytest.approx(4 / 5)
    assert evidence.best_set_f1(set(), []) == 1


def test_precision_at_k_divides_by_what_was_predicted():
    assert evidence.at_k([4, 4, 9], {4, 7}, 4) == pytest.approx((0.5, 0.5, 0.5))
    assert evidence.at_k([4, 9], {4, 7}, 1) == pytest.approx((1, 0.5, 2 / 3))
    assert evidence.at_k([], {1}, 2) == (0, 0, 0)


def test_a_token_is_copied_where_all_its_characters_are_marked():
    text = "So it's 5%."
    result = tokens.tokens(text, Span(3, len(text)))
    assert [text[a:b] for a, b in result] == ["it", "'", "s", "5", "%", "."]
    assert tokens.inside(result, [Span(3, 6), Span(8, 10)]) == [True, True, False, True, True, False]


def test_token_point_and_average_precision_by_hand():
    gold, scores = [True, False, True, False], [0.9, 0.8, 0.8, 0.1]
    assert tokens.point(gold, scores, 0.5) == pytest.approx((0.5, 2 / 3, 1, 0.8))
    # Steps: recall 0.5 at precision 1, recall 1 at precision 2/3 (a tie of two), then nothing new.
    assert tokens.pr_auc(gold, scores) == pytest.approx(0.5 * 1 + 0.5 * 2 / 3)
    assert [item.recall for item in tokens.curve(gold, scores)] == pytest.approx([0.5, 1, 1])
    assert tokens.pr_auc([], []) == 0


def test_a_bootstrap_interval_holds_the_mean_and_repeats():
    values = [0.0] * 40 + [1.0] * 60
    interval = intervals.interval(values)
    assert interval.mean == pytest.approx(0.6)
    assert interval.low == pytest.approx(0.6 - 1.96 * 0.049, abs=0.02)
    assert interval.high == pytest.approx(0.6 + 1.96 * 0.049, abs=0.02)
    assert interval == intervals.interval(values)
    with pytest.raises(ValueError, match="at least one"):
        intervals.interval([])


def test_a_paired_bootstrap_finds_a_planted_difference_and_no_other():
    rng = np.random.default_rng(1)
    first = rng.integers(0, 2, 300).astype(float)
    better = np.maximum(first, rng.random(300) < 0.2)
    planted = intervals.paired(first, better)
    assert planted.p < 0.01
    assert planted.low > 0
    shuffled = np.array([1.0, -1.0] * 150) * 0.5
    null = intervals.paired(first, first + shuffled)
    assert null.p > 0.5
    assert null.low < 0 < null.high
    with pytest.raises(ValueError, match="same items"):
        intervals.paired([1.0], [])


DECLARED = {metric for name in names() for metric in task(name).metrics}


@given(st.sampled_from(sorted(DECLARED, key=str)), st.integers(1, 99), st.sampled_from(["", "webgpt", "without LFQA"]))
def test_metrics_print_and_parse_back(metric, at, group):
    if metric.takes is not None:
        metric = metric(at if metric.takes is int else at / 100)
    metric = metric.of(group)
    assert parse(str(metric), DECLARED) == metric


@pytest.mark.parametrize(
    "text", ["precision", "answer_f1@2", "precision@0", "precision@1.5", "risk@2", "risk@x", "f2@1"]
)
def test_a_metric_that_is_none_says_so(text):
    with pytest.raises(UsageError):
        parse(text, DECLARED)


def test_declared_metrics_know_what_is_better_and_where_their_value_stands():
    assert declared.RISK(0.5).better(0.1, 0.2)
    assert declared.F1.better(0.2, 0.1)
    assert declared.F1_TUNED.of("gpt3").value({"f1_tuned": 0.1}, {"gpt3": {"f1_tuned": 0.4}}) == 0.4
    assert declared.F1_TUNED.value({"f1_tuned": 0.1}, {}) == 0.1
    assert declared.means((declared.ROUGE_L, declared.EVIDENCE_F1), [{"rouge_l": 0.5}, {"rouge_l": 1.0}]) == {
        "rouge_l": 0.75
    }


def test_names_of_metrics_are_declared_once():
    assert len({metric.name for metric in DECLARED if metric.takes is None}) == len(
        [metric for metric in DECLARED if metric.takes is None]
    )
