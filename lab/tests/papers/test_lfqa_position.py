"""Order of evidence and the last sentence: planted effects are found, and none where there is none."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell_lab.papers.lfqa import position
from papers.lfqadata import annotated, document, judged, study

pytestmark = pytest.mark.rare

LENGTHS = (4, 4, 4)


def in_order(question, jitter=0):
    """Answers of twelve sentences; sentence i is supported by sentence i of the documents, or one near it."""
    generator = random.Random(question)
    result = []
    for place in range(12):
        there = min(11, max(0, place + generator.randint(-jitter, jitter)))
        result.append(judged(question, place, 12, support=[(there // 4, there % 4)], lengths=LENGTHS))
    return result


def anywhere(question):
    generator = random.Random(question)
    return [
        judged(question, place, 12, support=[(generator.randrange(3), generator.randrange(4))], lengths=LENGTHS)
        for place in range(12)
    ]


def rows(make, count=30):
    orders, heats = position.order([item for number in range(count) for item in make(number)], "test")
    pick = {(row.group, row.documents): row for row in orders}
    return pick["with documents", "as given"], pick["with documents", "shuffled"], heats


@pytest.mark.slow
def test_answers_that_follow_the_documents_correlate_and_less_so_with_shuffled_ones():
    plain, shuffled, heats = rows(lambda number: in_order(number, jitter=2))
    assert plain.r.low > 0.8
    assert shuffled.r.high < plain.r.low
    heat = heats[0]
    assert np.argmax(heat.cells[0]) <= 2
    assert np.argmax(heat.cells[-1]) >= 7


@pytest.mark.slow
def test_answers_that_draw_from_anywhere_do_not_correlate():
    plain, shuffled, heats = rows(anywhere, 60)
    assert plain.r.low < 0 < plain.r.high
    assert abs(shuffled.r.mean) < 0.1
    assert max(heats[0].average) < 0.2


@pytest.mark.slow
def test_order_inside_documents_survives_shuffling_them():
    def inside(question):
        """Each third of the answer tells one document in order, the documents in any order."""
        order = random.Random(question).sample(range(3), 3)
        return [
            judged(question, place, 12, support=[(order[place // 4], place % 4)], lengths=LENGTHS)
            for place in range(12)
        ]

    plain, shuffled, _ = rows(inside, 200)
    assert plain.r.mean == pytest.approx(shuffled.r.mean, abs=0.08)


def test_a_heat_map_has_rows_that_sum_to_one():
    _, _, heats = rows(in_order)
    for heat in heats:
        assert all(sum(row) == pytest.approx(1) or sum(row) == 0 for row in heat.cells)
        assert sum(heat.average) == pytest.approx(1)


def test_one_place_for_all_evidence_has_no_correlation_to_tell():
    same = [judged(number, place, 4, support=[(0, 0)]) for number in range(5) for place in range(4)]
    assert position.correlation(position.places(same)) is None


def ending(question, last, others):
    generator = random.Random(question)
    return [
        judged(
            question,
            place,
            6,
            "supported" if generator.random() >= (last if place == 5 else others) else "not_supported",
        )
        for place in range(6)
    ]


def last_row(last, others, count=120, first=0):
    part = [part for number in range(count) for part in ending(first + number, last, others)]
    parts, ends = position.unsupported(part, "test")
    return [part for part in parts if part.group == "with documents"], next(
        part for part in ends if part.group == "with documents"
    )


@pytest.mark.slow
def test_a_last_sentence_that_lacks_support_more_often_is_found():
    parts, row = last_row(0.5, 0.2)
    assert row.difference.low > 0.1
    assert row.last_n == 120
    assert row.others_n == 600
    assert row.times > 1.7
    assert parts[-1].unsupported.low > parts[0].unsupported.high


@pytest.mark.slow
def test_a_last_sentence_like_the_others_is_taken_for_an_effect_no_more_often_than_chance_allows():
    rows = [last_row(0.3, 0.3, 60, first=1000 * draw)[1].difference for draw in range(30)]
    assert sum(not row.low < 0 < row.high for row in rows) <= 5


def test_answers_of_one_sentence_have_no_last_one_to_compare():
    assert position.last(position.marked([judged(1, 0, 1), judged(2, 0, 1)]), "g", "s") is None


def test_sentences_without_a_claim_are_left_out():
    assert position.marked([judged(1, 0, 2, "no_claim"), judged(1, 1, 2, "partially_supported")]) == [
        position.Marked("q1", judged(1, 1, 2).setting, 1, 2, unsupported=True)
    ]


def test_answers_judged_by_irrelevant_documents_join_no_pooled_group():
    result = [judged(1, 0, 2, evidence="random", against="random"), judged(1, 0, 2, evidence="mine", against="other")]
    assert list(position.by_group(result)) == ["m+random"]


def test_the_evidence_that_people_named_is_read():
    data = study(
        8,
        lambda g, n: {
            "documents": {"mine": (document("One is here. Two is here. Three is here."),)},
            "annotated": (
                annotated(
                    "m",
                    "mine",
                    "mine",
                    ["supported", ("supported", "not_supported", "partially_supported")],
                    support=((0, 2), (7, 7)),
                ),
            ),
        },
    )
    rows = position.human(data)
    assert [row.position for row in rows] == [0] * 8, "the sentence without a majority is left out"
    assert rows[0].support == ((0, 2),), "a place that is not there is left out"
    assert rows[0].lengths == (3,)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=3, max_size=30))
def test_pearson_from_sums_is_numpys(pairs):
    result = float(position.pearson(np.array([position.moments(x, y) for x, y in pairs]).sum(axis=0)))
    x, y = np.array(pairs).T
    if np.isnan(result):
        assert min(np.var(x), np.var(y)) < 1e-6
    elif min(np.std(x), np.std(y)) > 1e-3:
        assert result == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-6)


def test_peoples_labels_can_stand_with_the_evidence_of_a_checker():
    data = study(
        1,
        lambda g, n: {
            "documents": {"mine": (document("One is here. Two is here."),)},
            "annotated": (
                annotated("m", "mine", "mine", ["supported", "not_supported", ("supported", "not_supported")]),
            ),
        },
    )
    checked = [judged(0, place, 3, "not_supported", [(0, place % 2)]) for place in range(3)]
    mixed = position.relabelled(checked, data)
    assert [place.label for place in mixed] == ["supported", "not_supported"], "no majority, no label"
    assert [(place.answer, place.document) for place in position.places(mixed)] == [(0.5 / 3, 0.5 / 12)]


def test_answers_to_shuffled_documents_are_a_group_of_their_own():
    given_as = [judged(n, 0, 2, support=[(0, 0)]) for n in range(3)]
    mixed = [judged(n, 0, 2, support=[(0, 0)], evidence="mine-shuffled", against="mine-shuffled") for n in range(2)]
    elsewhere = [judged(9, 0, 2, evidence="mine-shuffled", against="mine")]
    groups = position.by_group([*given_as, *mixed, *elsewhere])
    assert {name: len(group) for name, group in groups.items()} == {
        "with documents": 3, "with shuffled documents": 2, "m+mine": 3, "m+mine-shuffled": 2,
    }  # fmt: skip
