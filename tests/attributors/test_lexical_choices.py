"""What the lexical attributor chooses and drops, worked out by hand: every content word weighs one."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from citewell.attributors import lexical
from citewell.attributors.lexical import Lexical, Pick
from citewell.document import Document
from citewell.text.coverage import Claim
from citewell.text.index import TermIndex
from citewell.types import Draft, Span

ANSWER = "Alpha bravo charlie delta echo foxtrot golf hotel india juliet."
SOURCE = "Alpha bravo charlie delta echo. Foxtrot golf. Hotel. Kilo lima."


@pytest.fixture(autouse=True)
def _even(monkeypatch):
    monkeypatch.setattr(TermIndex, "weights", lambda self, query: np.ones(len(query.ids), dtype=np.float32))
    monkeypatch.setattr(lexical, "_weights", lambda: WEIGHTS)


WEIGHTS = {"superfluous": 0.5, "copied_constant": -2.0, "copied_length": 1.5, "copied_score": 1.0}


def cite(answer=ANSWER, source=SOURCE, granularity="sentence", k=None, target=None, **settings):
    draft = Draft(answer, None, (Span(0, len(answer)),), (target,) if target else ())
    document = Document.from_text(source)
    return Lexical(**settings).attribute(draft, [document], granularity, k)


def phrases(words):
    start = ANSWER.index(words)
    return Span(start, start + len(words))


def quotes(citations):
    return [citation.quote for citation in citations]


def test_segments_are_taken_while_each_adds_enough_and_scored_by_what_they_add():
    first, second = cite()
    assert (first.quote, second.quote) == ("Alpha bravo charlie delta echo.", "Foxtrot golf.")
    # Half of the words, twice, and half in pairs and in triples at a half each: (0.5 + 0.5 + 0.25 + 0.25) / 3.
    assert first.score == pytest.approx(0.5)
    # Two of the five words left, twice, and in pairs: (0.4 + 0.4 + 0.2) / 3, of the half that was left.
    assert second.score == pytest.approx(0.5 * 1 / 3)
    assert ANSWER[first.answer_start : first.answer_end] == "Alpha bravo charlie delta echo"
    assert ANSWER[second.answer_start : second.answer_end] == "foxtrot golf"


def test_what_was_covered_before_counts_for_nothing_in_a_further_segment():
    first, second = cite(source="Alpha bravo charlie delta echo. Foxtrot golf alpha.")
    assert first.score == pytest.approx(0.5)
    assert second.score == pytest.approx(0.5 * 1 / 3)
    assert ANSWER[second.answer_start : second.answer_end] == "foxtrot golf"


def test_a_further_segment_that_has_only_old_words_of_the_target_is_cited_at_those():
    target = phrases("Alpha bravo")
    _, second = cite(source="Alpha bravo charlie delta echo. Foxtrot golf alpha.", target=target)
    assert ANSWER[second.answer_start : second.answer_end] == "Alpha"


def test_exactly_the_gain_is_enough_and_so_is_one_word():
    assert len(cite("Alpha bravo charlie delta.", "Alpha bravo. Charlie delta.", gain=0.5)) == 2
    assert quotes(cite("Hotel.", "Hotel.")) == ["Hotel."]


def test_citations_name_their_document_segment_and_method():
    for granularity in ("sentence", "token"):
        (citation,) = cite("Hotel india.", "Golf. Hotel india.", granularity)
        assert (citation.document_id, citation.segment_id) == (Document.from_text("Golf. Hotel india.").id, "p0.1")
        assert citation.method == "lexical"


@pytest.mark.parametrize(("gain", "count"), [(0.09, 2), (0.19, 2), (0.21, 1), (0.6, 1)])
def test_a_further_segment_must_add_the_gain(gain, count):
    assert len(cite(gain=gain)) == count


@pytest.mark.parametrize(("floor", "count"), [(0.49, 2), (0.5, 2), (0.51, 0)])
def test_the_best_segment_must_cover_the_floor(floor, count):
    assert len(cite(floor=floor)) == count


def test_the_floor_is_met_by_the_statement_or_by_the_words_in_question():
    # One word of ten is too little, but it is all of what is in question.
    assert quotes(cite(source="Juliet.", target=phrases("juliet"))) == ["Juliet."]
    assert cite(source="Juliet.") == ()
    # Half of the statement is enough although it has nothing of what is in question.
    assert quotes(cite(source="Alpha bravo charlie delta echo.", target=phrases("juliet"))) == [
        "Alpha bravo charlie delta echo."
    ]


@pytest.mark.parametrize(
    ("limit", "k", "count"), [(1, None, 1), (2, None, 2), (0, None, 0), (5, 1, 1), (1, 2, 2), (5, 0, 0)]
)
def test_as_many_are_chosen_as_the_limit_says_or_k_where_it_is_given(limit, k, count):
    assert len(cite(limit=limit, k=k)) == count


def test_one_further_word_is_no_reason_unless_it_is_a_number():
    answer = "Alpha bravo charlie seven."
    assert len(cite(answer, "Alpha bravo charlie. Delta seven.")) == 2
    assert len(cite("Alpha bravo charlie delta.", "Alpha bravo charlie. Delta echo.")) == 1


def test_function_words_alone_are_no_evidence():
    assert cite("It was the one.", "It was the. Alpha bravo.") == ()


def test_a_first_choice_that_later_ones_made_superfluous_is_dropped():
    answer = "Alpha bravo charlie delta echo foxtrot golf hotel."
    source = "Charlie delta echo foxtrot. Alpha bravo charlie delta. Echo foxtrot golf hotel."
    assert quotes(cite(answer, source, gain=0.2)) == ["Alpha bravo charlie delta.", "Echo foxtrot golf hotel."]


def claim(*weights, content=None, numbers=None):
    size, yes = len(weights), np.ones(len(weights), dtype=bool)
    content = yes if content is None else np.array(content, bool)
    numbers = ~yes if numbers is None else np.array(numbers, bool)
    return Claim(
        np.arange(size), np.arange(size) + 1, np.arange(size), np.array(weights, np.float32), yes, content, numbers, yes
    )


def pick(segment, *words):
    flags = np.array(words, dtype=bool)
    return Pick(segment, 1.0, flags, flags)


@pytest.mark.parametrize(
    ("weights", "picks", "kept"),
    [
        ((4, 3, 3), [(1, 0, 0), (1, 1, 1)], [1]),  # the second has all of the first
        ((4, 3, 3), [(0, 1, 0), (1, 0, 1)], [0, 1]),  # each has its own
        ((1, 4, 5), [(1, 1, 0), (0, 1, 1)], [0, 1]),  # what it has alone is worth just enough: 0.5 * 0.2 * 10
        ((0.9, 4.1, 5), [(1, 1, 0), (0, 1, 1)], [1]),  # and just too little
        ((4, 3, 3), [(1, 0, 0), (1, 0, 0), (0, 1, 1)], [1, 2]),  # of two that say the same one stays
        ((4, 3, 3), [(1, 1, 1), (0, 1, 0)], [0, 1]),  # the last was worth its gain when it was taken
        ((4, 3, 3), [(0, 0, 0)], [0]),  # the only one stays
        ((4, 3, 3), [], []),
    ],
)
def test_what_a_choice_has_alone_must_be_worth_half_of_the_gain(weights, picks, kept):
    chosen = [pick(number, *words) for number, words in enumerate(picks)]
    assert [pick.segment for pick in lexical._needed(chosen, claim(*weights), 0.2)] == kept


@pytest.mark.parametrize(
    ("new", "content", "numbers", "more"),
    [
        ((1, 1, 0), (1, 1, 1), (0, 0, 0), True),
        ((1, 0, 0), (1, 1, 1), (0, 0, 0), False),
        ((1, 0, 0), (1, 1, 1), (1, 0, 0), True),
        ((1, 0, 0), (1, 1, 1), (0, 1, 0), False),
        ((1, 1, 0), (1, 0, 1), (0, 0, 0), False),
    ],
)
def test_what_says_more(new, content, numbers, more):
    assert lexical._says_more(np.array(new, bool), claim(1, 1, 1, content=content, numbers=numbers)) is more


@pytest.mark.parametrize(
    ("scores", "rest", "first"),
    [
        ((0.4, 0.5), (9, 0, 0, 0, 0, 0, 0, 0, 0), 1),  # the best alone
        ((0.5, 0.49995), (0, 0, 0, 0, 0, 0, 0, 0, 0), 0),  # equal, and no neighbourhood decides
        ((0.5, 0.49995), (0, 0, 0, 0, 0, 0, 0, 1, 0), 1),  # two places after the second
        ((0.5, 0.49995), (0, 0, 0, 1, 0, 0, 0, 0, 0), 1),  # two places before it
        ((0.5, 0.49995), (0, 0, 0, 0, 0, 0, 0, 0, 1), 0),  # three places after it
        ((0.49995, 0.5), (0, 0, 1, 0, 0, 0, 0, 0, 0), 0),  # two places after the first
        ((0.5, 0.4998), (0, 0, 0, 0, 0, 1, 0, 0, 0), 0),  # not equal
        ((0.5, 0.5), (0.2, 0, 0, 0, 0, 0.2004, 0, 0, 0), 0),  # neighbourhoods that differ by less than a thousandth
        ((0.5, 0.5), (0.2, 0, 0, 0, 0, 0.202, 0, 0, 0), 1),
    ],
)
def test_among_equals_the_neighbourhood_decides_then_the_order(scores, rest, first):
    around = SimpleNamespace(cover_rest=lambda claim: np.array(rest, dtype=np.float32))
    assert lexical._first(np.array(scores), np.array([0, 5]), around, claim(1)) == first


def test_runs_are_common_words_in_the_same_order():
    assert list(lexical._runs([1, 2, 3], [2, 3, 9, 1, 2])) == [(0, 3, 2), (1, 0, 2), (1, 4, 1), (2, 1, 1)]
    assert list(lexical._runs([-1, -2, 4], [-1, 4])) == [(2, 1, 1)]
    assert list(lexical._runs([0, -1], [0, -1])) == [(0, 0, 1)]
    assert list(lexical._runs([1, 0], [1, 0])) == [(0, 0, 2), (1, 1, 1)]
    assert list(lexical._runs([], [1])) == []


def test_the_longest_runs_come_first_and_no_word_is_told_twice():
    assert lexical._longest([(0, 0, 3, 1), (2, 0, 0, 2), (1, 0, 5, 2)]) == [(0, 0, 3, 1), (1, 0, 5, 2)]
    assert lexical._longest([(0, 0, 0, 1), (0, 0, 5, 3)]) == [(0, 0, 5, 3)]
    assert lexical._longest([(4, 1, 0, 1), (0, 0, 0, 3), (3, 0, 7, 1)]) == [(0, 0, 0, 3), (3, 0, 7, 1), (4, 1, 0, 1)]


def test_tokens_are_runs_with_the_probability_that_they_were_copied():
    answer, source = "Yes bravo charlie and echo.", "Alpha bravo charlie delta echo."
    pair, single = cite(answer, source, "token")
    assert (pair.quote, pair.start, pair.end) == ("bravo charlie", 6, 19)
    assert (pair.answer_start, pair.answer_end, pair.granularity) == (4, 17, "token")
    assert (single.quote, answer[single.answer_start : single.answer_end]) == ("echo", "echo")
    (segment,) = cite(answer, source)
    assert pair.score == pytest.approx(1 / (1 + math.exp(2 - 1.5 * math.log(2) - segment.score)))
    assert single.score == pytest.approx(1 / (1 + math.exp(2 - segment.score)))
    assert cite(answer, source, "token", k=1) == (pair,)


def test_tokens_outside_of_the_target_are_not_told():
    answer, source = "Bravo charlie and echo.", "Alpha bravo charlie delta echo."
    assert quotes(cite(answer, source, "token", target=Span(18, 22))) == ["echo"]


def test_a_draft_or_a_request_without_anything_gets_nothing():
    assert Lexical().attribute(Draft("", None), [Document.from_text("Alpha.")]) == ()
    assert Lexical().attribute(Draft("Alpha.", None, (Span(0, 6),)), []) == ()


def test_the_part_of_the_answer_is_the_new_words_inside_the_target():
    (golf,) = cite(target=phrases("golf hotel"), source="Foxtrot golf.")
    assert ANSWER[golf.answer_start : golf.answer_end] == "golf"
    whole, outside = cite(target=phrases("Alpha bravo"), source="Alpha bravo charlie delta echo. Foxtrot golf.")
    assert ANSWER[whole.answer_start : whole.answer_end] == "Alpha bravo"
    assert (outside.answer_start, outside.answer_end) == (0, 11)  # it has nothing of the target
    (half,) = cite(target=Span(2, 9), source="Alpha bravo charlie delta echo.")
    assert (half.answer_start, half.answer_end) == (2, 9)  # a target that cuts words
