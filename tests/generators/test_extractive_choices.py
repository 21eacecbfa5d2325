"""Which sentences the extractive reader gives, with the odds of every candidate said by the case."""

import numpy as np
import pytest

from citewell.document import Document
from citewell.generators.extractive import scoring
from citewell.generators.extractive.candidates import read
from citewell.generators.extractive.features import NAMES
from citewell.generators.extractive.generator import Extractive, _in_order, _line
from citewell.generators.extractive.questions import analyse
from citewell.generators.extractive.scoring import Weights, confidence
from citewell.generators.extractive.selection import select
from citewell.generators.extractive.slots import slots
from citewell.text.index import index
from citewell.types import Block

QUESTION = "Which mill ground barley for Osric?"  # slots: mill, ground, barley, osric
SENTENCES = (
    "The old mill stood near the river.",
    "Osric paid two crowns every spring.",
    "Barley grew badly after storms.",
    "A mill burned down long ago.",
    "Nobody ground oats there.",
    "Osric left for the coast.",
)
DOCUMENT = Document.from_text(" ".join(SENTENCES))


def reading(kind="which", covers=None, weights=None, document=DOCUMENT, question=QUESTION):
    """The candidates in document order; all have the same words of the question where `covers` does not say."""
    result = read(question, [document])
    size, slots = len(result.sentences.segments), len(result.slot.terms)
    soft = np.ones((slots, size), np.float32) if covers is None else np.array(covers, np.float32)
    slot = result.slot._replace(weights=np.array(weights, np.float32)) if weights else result.slot
    changed = result.question._replace(kind=kind)
    return result._replace(question=changed, slot=slot, candidates=np.arange(size), soft=soft)


def chosen(odds, limit=9, **settings):
    selection = select(reading(**settings), np.log(np.array(odds)) + 3, limit)
    return {number: round(float(value), 4) for number, value in selection.items()}


def test_the_words_of_the_question_are_the_slots():
    assert read(QUESTION, [DOCUMENT]).slot.terms == ("mill", "ground", "barley", "osric")


def test_the_best_is_given_with_odds_of_one_wherever_it_stands():
    assert chosen([0.01, 0.02, 1, 0.01, 0.01, 0.01]) == {2: 1}


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        ("which", {0: 1, 1: 0.6, 2: 0.31}),  # nearly as likely is from 0.3
        ("person", {0: 1, 1: 0.6}),  # from 0.5 where a name, a place or a date is enough
        ("place", {0: 1, 1: 0.6}),
        ("date", {0: 1, 1: 0.6}),
        ("count", {0: 1, 1: 0.6}),
        ("list", {0: 1, 1: 0.6, 2: 0.31, 3: 0.29, 4: 0.16}),  # from 0.15 where a list is asked for
    ],
)
def test_what_is_nearly_as_likely_is_given_too(kind, arguments):
    assert chosen([1, 0.6, 0.31, 0.29, 0.16, 0.14], kind=kind) == arguments


@pytest.mark.parametrize(("limit", "arguments"), [(1, [0]), (2, [0, 1]), (3, [0, 1, 2])])
def test_no_more_sentences_are_given_than_asked_for(limit, arguments):
    assert list(chosen([1, 0.9, 0.8, 0.7, 0.6, 0.5], limit=limit)) == arguments


@pytest.mark.parametrize(("weight", "arguments"), [(0.21, [0, 1]), (0.2, [0, 1]), (0.19, [0])])
def test_a_less_likely_sentence_must_add_a_fifth_of_the_question(weight, arguments):
    covers = [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0] * 6, [0] * 6]
    weights = [1 - weight, weight, 0, 0]
    assert list(chosen([1, 0.2, 0.01, 0.01, 0.01, 0.01], covers=covers, weights=weights)) == arguments


def test_what_an_earlier_choice_has_is_not_added_again():
    covers = [[1, 0, 0, 0, 0, 0], [0, 1, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0] * 6]
    odds = [1, 0.2, 0.19, 0.18, 0.01, 0.01]
    assert list(chosen(odds, covers=covers, weights=[0.4, 0.3, 0.3, 0])) == [0, 1, 3]


@pytest.mark.parametrize(
    ("kind", "odds", "arguments"),
    [("which", 0.081, [0, 1]), ("which", 0.079, [0]), ("count", 0.21, [0, 1]), ("count", 0.19, [0])],
)
def test_what_is_hardly_likely_is_not_given_whatever_it_adds(kind, odds, arguments):
    covers = [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0] * 6, [0] * 6]
    assert (
        list(chosen([1, odds, 0.01, 0.01, 0.01, 0.01], kind=kind, covers=covers, weights=[0.5, 0.5, 0, 0])) == arguments
    )


def test_of_two_sentences_that_say_the_same_one_is_given():
    twins = Document.from_text("The mill ground barley for Osric. For Osric the mill ground barley. Osric left.")
    assert list(chosen([1, 0.9, 0.8], document=twins)) == [0, 2]
    # Three of five common terms are too few to be the same.
    cousins = Document.from_text("Mill barley Osric oats. Mill barley Osric rye. Osric left.")
    assert list(chosen([1, 0.9, 0.8], document=cousins)) == [0, 1, 2]


def blocks(*rows):
    calls, parts, position = [], [], 0
    for kind, text in rows:
        calls.append(Block(position, position + len(text), kind, 1 if kind == "heading" else 0))
        parts.append(text)
        position += len(text) + 1
    return Document("\n".join(parts), blocks=tuple(calls))


TABLE = blocks(
    ("table_row", "in crowns | 2021 | 2022"),
    ("table_row", "Barley ground | 1,204 | 1,400"),
    ("table_row", "Oats ground | 3 | 5"),
    ("table_row", "Barley ground (a) | 1,204 | 902"),
    ("paragraph", "Osric kept the mill."),
)


def test_a_row_brings_the_row_that_names_its_columns():
    assert chosen([0.01, 1, 0.01, 0.01, 0.01], document=TABLE) == {1: 1, 0: 1}
    assert chosen([0.01, 1, 0.6, 0.01, 0.01], document=TABLE) == {1: 1, 2: 0.6, 0: 1}
    assert chosen([0.01, 0.01, 0.01, 0.01, 1], document=TABLE) == {4: 1}
    assert list(chosen([0.01, 1, 0.01, 0.01, 0.01], document=TABLE, limit=1)) == [1, 0]


def test_a_less_likely_row_is_not_given_for_what_it_adds():
    covers = [[0, 0, 1, 0, 0], [0, 1, 0, 0, 0], [0] * 5, [0] * 5]
    assert list(chosen([0.01, 1, 0.25, 0.01, 0.01], document=TABLE, covers=covers, weights=[0.5, 0.5, 0, 0])) == [1, 0]


def test_of_two_rows_of_one_name_with_a_common_figure_one_is_given():
    assert list(chosen([0.01, 1, 0.01, 0.95, 0.01], document=TABLE)) == [1, 0]


def test_a_sentence_that_ends_with_a_colon_brings_the_items_below_it():
    document = blocks(
        ("paragraph", "Osric named three mills: "),
        ("list_item", "The mill at Elvik."),
        ("list_item", "The mill at Tor."),
        ("list_item", "The mill at Skag."),
        ("paragraph", "Barley grew."),
    )
    assert chosen([1, 0.01, 0.01, 0.01, 0.01], document=document) == {0: 1, 1: 1, 2: 1, 3: 1}
    assert chosen([0.01, 0.01, 0.01, 0.01, 1], document=document) == {4: 1}


def test_the_confidence_is_the_logistic_of_the_weighted_signals():
    weights = Weights(
        np.zeros(1, np.float32), {"constant": 9.0}, {"share": 0.5, "missing": -1.0, "constant": 0.25}, 0.5, 0.5
    )
    # 2 * 0.5 - 1 * 1.0 + 0.25 = 0.25; a signal that no weight was fitted for counts nothing
    measured = {"share": 2.0, "missing": 1.0, "unknown": 7.0}
    assert confidence(measured, weights) == pytest.approx(1 / (1 + np.exp(-0.25)))
    far = Weights(np.zeros(1, np.float32), {"best_says": 1.0, "constant": -90.0}, {}, 0.5, 0.5)
    assert confidence({"best_says": 1.0}, far) == pytest.approx(1 / (1 + np.exp(30)))  # the weights with the odds


def test_the_signals_tell_score_margin_and_share():
    document = read(QUESTION, [DOCUMENT])
    ranked = np.full(len(document.candidates), -2.0, np.float32)
    ranked[0], ranked[1] = 3.0, 3.0 - np.log(2)
    signals = scoring.signals(document, ranked)
    rest = len(ranked) - 2
    assert signals["score"] == pytest.approx(0.3)
    assert signals["margin"] == pytest.approx(np.log(2) / 4)
    assert signals["share"] == pytest.approx(1 / (1 + 0.5 + rest * np.exp(-5)))
    assert signals["alternatives"] == pytest.approx(1 / 8)  # odds of just a half are none
    assert (signals["few_words"], signals["one_word"]) == (0.25, 0)
    assert sum(value for name, value in signals.items() if name.startswith("asks_")) == 1


def told_of(result, ranked):
    return scoring.signals(result, np.array(ranked, np.float32))


def test_the_signals_are_those_of_the_best_candidate_wherever_it_stands():
    document = read(QUESTION, [DOCUMENT])
    for best in (0, 2):
        result = told_of(document, [3.0 if place == best else 1.0 for place in range(len(document.candidates))])
        mapping = dict(zip(NAMES, document.features[best].tolist(), strict=True))
        assert (result["best_own"], result["best_bm25"]) == pytest.approx((mapping["own"], mapping["bm25"]))


def test_the_signals_tell_what_is_missing_here_and_everywhere():
    document = read(QUESTION, [DOCUMENT])
    soft, context = np.zeros_like(document.soft), np.zeros_like(document.context)
    soft[1, 1], soft[2, 0], context[2, 0], context[0, 0] = 1, 0.25, 0.75, 1
    document = document._replace(
        soft=soft, context=context, slot=document.slot._replace(rarity=np.array([0.9, 0.8, 0.7, 0.1], np.float32))
    )
    result = told_of(document, [3.0] + [1.0] * (len(document.candidates) - 1))
    # Beside the best there is no second word; the first stands in no candidate, the third only to a quarter.
    assert result["missing"] == pytest.approx(0.8)
    assert result["missing_anywhere"] == pytest.approx(0.9)
    nothing = document._replace(slot=document.slot._replace(rarity=np.zeros(4, np.float32)))
    assert told_of(nothing, [3.0] + [1.0] * (len(document.candidates) - 1))["missing"] == 0


def test_the_signals_of_one_word_one_candidate_and_many_alternatives():
    alone = read("Which barley?", [Document.from_text(SENTENCES[2])])
    assert len(alone.candidates) == 1
    result = told_of(alone, [2.0])
    assert (result["margin"], result["share"], result["one_word"], result["few_words"]) == (1, 1, 1, 1)
    ten = read("Which mill?", [Document.from_text(" ".join(f"The mill had {n} wheels." for n in range(10)))])
    assert told_of(ten, [2.0] * 10)["alternatives"] == 1


def test_the_answer_stands_in_document_order_and_every_source_has_its_share_of_the_confidence(monkeypatch):
    from citewell.generators.extractive import generator

    monkeypatch.setattr(generator, "select", lambda reading, ranked, limit: {5: 0.5, 0: 1.0})
    monkeypatch.setattr(generator, "confidence", lambda measured, weights: 0.8)
    draft = Extractive().generate(QUESTION, [DOCUMENT])
    assert draft.text == f"{SENTENCES[0]} {SENTENCES[5]}"
    assert [draft.text[span.start : span.end] for span in draft.statements] == [SENTENCES[0], SENTENCES[5]]
    sources = [source for source in draft.sources if source.granularity == "sentence"]
    assert [(source.quote, source.score) for source in sources] == [(SENTENCES[0], 0.8), (SENTENCES[5], 0.4)]
    assert [(source.answer_start, source.answer_end) for source in sources] == [(0, 34), (35, 60)]
    assert (draft.confidence, draft.question, draft.method) == (0.8, QUESTION, "extractive")
    scores = [candidate.score for candidate in draft.candidates]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == pytest.approx(0.8)
    assert all((candidate.answer_start, candidate.answer_end) == (0, 60) for candidate in draft.candidates)


@pytest.mark.parametrize(("threshold", "answers"), [(0.8, True), (0.81, False), (0.0, True)])
def test_an_answer_is_given_from_the_threshold_on(monkeypatch, threshold, answers):
    from citewell.generators.extractive import generator

    monkeypatch.setattr(generator, "confidence", lambda measured, weights: 0.8)
    draft = Extractive(threshold=threshold).generate(QUESTION, [DOCUMENT])
    assert (draft.abstention is None) is answers
    if not answers:
        assert (draft.abstention.reason, draft.abstention.score, draft.abstention.threshold) == (
            "low_confidence",
            0.8,
            0.81,
        )
        assert draft.withheld.text


@pytest.mark.parametrize("setting", [{"max_sentences": 0}, {"threshold": -0.1}, {"threshold": 1.1}])
def test_settings_out_of_range_are_refused(setting):
    with pytest.raises(ValueError, match="max_sentences is at least 1|threshold lies between 0 and 1"):
        Extractive(**setting)


def test_nothing_in_common_and_no_documents_are_no_evidence():
    for documents in ([], [Document.from_text("Ships sail.")]):
        draft = Extractive(threshold=0.4).generate(QUESTION, documents)
        assert (draft.abstention.reason, draft.abstention.score, draft.abstention.threshold) == (
            "no_evidence",
            0.0,
            0.4,
        )
        assert (draft.text, draft.confidence, draft.origin, draft.cites) == ("", 0.0, "quoted", True)


def test_breaks_inside_a_sentence_become_spaces():
    assert _line(" The mill \n\n stood\r\nthere. ") == "The mill stood there."


def test_of_a_question_as_long_as_a_page_the_rarest_words_are_asked():
    common = [f"plain{number}" for number in range(400)]
    text = "\n\n".join([*(" ".join(common) + "." for _ in range(3)), "The harbour froze in January."])
    document = Document.from_text(text)
    question = f"Tell me of {' '.join(common)} when the harbour froze?"
    slot = slots(analyse(question), index((document,)))
    assert len(slot.terms) == len(slot.ids) == len(slot.weights) == 256
    assert {"harbour", "froze"} <= set(slot.terms)
    assert slot.order[-1] == slot.terms.index("froze")
    assert max(slot.order) == 255
    assert float(slot.weights.sum()) == pytest.approx(1)


def test_the_paragraph_of_the_best_sentence_leads_the_answer():
    document = Document.from_text("Ann rowed.\n\nBea rowed. Cy rowed.\n\nDan rowed.")
    read_in = reading(document=document, question="Who rowed?")
    assert _in_order(read_in, {0: 0.9, 1: 0.8, 2: 1.0, 3: 0.7}) == [1, 2, 0, 3]
    assert _in_order(read_in, {3: 0.7, 0: 1.0}) == [0, 3]
    rows = Document("Year | Rowers\n\nAnn | 4\n\nBea rowed.", blocks=(
        Block(0, 13, "table_row"), Block(15, 22, "table_row"), Block(24, 34)))  # fmt: skip
    assert _in_order(reading(document=rows, question="Who rowed?"), {0: 0.9, 1: 0.8, 2: 1.0}) == [0, 1, 2]
