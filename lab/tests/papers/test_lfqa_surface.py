"""Surface of answers: planted lengths and repetition are found, equal settings stay equal."""

import pytest

from citewell_lab.papers.lfqa import surface
from papers.lfqadata import response, sentence, study, text

pytestmark = pytest.mark.slow
pytest.importorskip("nltk", reason="self-BLEU needs nltk: pip install 'citewell-lab[bench]'")


def rows(make):
    return {row.setting: row for row in surface.measure(study(25, make))}


def test_longer_and_repetitive_answers_are_found():
    def make(generator, number):
        once = sentence(generator)
        loops = " ".join([once] * 4)
        return {
            "responses": (
                response("plain", None, text(generator, 3)),
                response("loops", None, text(generator, 4) + " " + loops),
            )
        }

    result = rows(make)
    assert result["loops"].sentences.low > result["plain"].sentences.high
    assert result["loops"].words.low > result["plain"].words.high
    assert result["loops"].self_bleu.low > result["plain"].self_bleu.high
    assert result["plain"].sentences.mean == 3
    assert result["plain"].sentences_sd == 0


def test_answers_from_one_source_do_not_differ_from_setting_to_setting():
    result = rows(
        lambda generator, _: {
            "responses": tuple(response(name, None, text(generator, generator.randint(3, 7))) for name in "ab")
        }
    )
    for measure in ("sentences", "words", "self_bleu", "self_bleu_1"):
        a, b = getattr(result["a"], measure), getattr(result["b"], measure)
        assert a.low <= b.high
        assert b.low <= a.high


def test_self_bleu_is_one_where_all_sentences_are_the_same_and_zero_for_a_single_one():
    assert surface.self_bleu(["The same five words here."] * 3) == pytest.approx(1)
    assert surface.self_bleu(["Only one sentence."]) == 0
    assert surface.self_bleu([]) == 0
    assert surface.self_bleu(["Amber basin candle drift.", "Ember fossil glacier harbor."], 1) < 0.5


def test_all_samples_of_a_setting_count():
    (row,) = surface.measure(study(4, lambda g, _: {"responses": (response("m", None, text(g), text(g), text(g)),)}))
    assert row.answers == 12
    assert row.rankgen is None
    assert row.perplexity is None


def test_scorers_are_given_question_and_answer():
    calls = []

    def scorer(pairs):
        calls.extend(pairs)
        return [float(number) for number in range(len(pairs))]

    (row,) = surface.measure(study(3, lambda g, _: {"responses": (response("m", None, text(g)),)}), rankgen=scorer)
    assert [question for question, _ in calls] == ["What is item 0?", "What is item 1?", "What is item 2?"]
    assert row.rankgen.mean == 1
