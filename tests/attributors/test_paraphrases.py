"""Statements in other words find their evidence; statements about something else find none."""

import numpy as np
import pytest

from citewell.attributors.lexical import Lexical
from citewell.document import Document
from citewell.facts import relatives
from citewell.text.coverage import Matcher
from citewell.text.index import index
from citewell.text.segments import statements
from citewell.types import Draft, Span

MUSEUM = (
    "The museum purchased the painting from a Dutch merchant.",
    "Attendance reached 2.4 million guests over the season.",
    "The east wing opened on 9 August 2021.",
    "Its director resigned after a quarrel with the trustees.",
    "Repairing the roof cost 735 thousand dollars.",
    "Sixteen guards watch the galleries at night.",
    "The gift shop sells copies of ancient coins.",
    "A sculptor donated three bronze horses.",
    "Water destroyed part of the archive in the cellar.",
    "Researchers can examine the letters in a reading room.",
    "Dogs may not enter the garden.",
    "The restaurant serves only regional dishes.",
    "Electricity comes from panels on the roof.",
    "The collection comprises paintings from five centuries.",
    "School classes choose between four guided tours.",
    "The foundation finances every exhibition.",
    "The courtyard is 40 kilometres from the border.",
    "Thieves stole a necklace in daylight.",
    "The oldest vase was discovered by a farmer.",
    "Visitors begin their walk in the entrance hall.",
)
SHARING_A_WORD = (
    "A regional train stops here.",
    "Repair shops in 40 towns closed.",
    "Some spectators left early.",
    "Horse riding is forbidden.",
    "The watchmen went home.",
    "An old map hangs in the store.",
    "The scholars of Leiden met.",
    "A domestic animal escaped.",
    "Pupils applauded.",
    "There was a theft of lamps.",
    "The agriculturist retired.",
    "Floods were feared.",
)
DOCUMENT = Document.from_text("\n\n".join((*SHARING_A_WORD, *MUSEUM)))

PARAPHRASES = (
    "They bought a picture.",
    "About 2,400,000 spectators attended.",
    "It was inaugurated on 2021-08-09.",
    "There was a resignation following an argument.",
    "They paid $735,000 for the repair.",
    "At night 16 watchmen are there.",
    "Antique coin copies are in the store.",
    "The gift of a carver: 3 horse statues.",
    "Flooding led to the destruction of the archives.",
    "Scholars examine the correspondence.",
    "No animal may go into the gardens.",
    "Meals are from the region.",
    "Electrical power is made above.",
    "It comprised pictures.",
    "Pupils chose a guide.",
    "Exhibits were financed.",
    "It lies 40 km away from the frontier.",
    "A theft of jewelry in broad daylight.",
    "An agriculturist made the discovery of the vase.",
    "People start in the foyer.",
)
UNRELATED = (
    "Interest rates in Brazil have tripled.",
    "Penguins breed in colonies.",
    "Her novel won a prize in Stockholm.",
    "The vaccine must be kept frozen.",
    "Parliament passed a law against spam.",
    "Jupiter has dozens of moons.",
    "Sugar dissolves faster when stirred.",
    "The striker missed two penalties.",
    "Their album topped the charts in Japan.",
    "Compilers translate programs.",
)


def cite(text, document=DOCUMENT):
    return Lexical().attribute(Draft(text, None, statements(text)), [document])


@pytest.mark.parametrize(("statement", "sentence"), list(zip(PARAPHRASES, MUSEUM, strict=True)))
def test_a_statement_in_other_words_finds_its_sentence_first(statement, sentence):
    citations = cite(statement)
    assert citations[0].quote.strip() == sentence


@pytest.mark.parametrize("statement", UNRELATED)
def test_a_statement_about_something_else_stays_without_citation(statement):
    assert cite(statement) == ()


def test_without_relatives_a_quarter_of_them_find_another_sentence_or_none(monkeypatch):
    monkeypatch.setattr(Lexical, "_kin", lambda *_: ())
    first = [[citation.quote.strip() for citation in cite(statement)[:1]] for statement in PARAPHRASES]
    assert sum(quotes != [sentence] for quotes, sentence in zip(first, MUSEUM, strict=True)) >= len(MUSEUM) / 4


def test_copied_text_is_looked_up_by_its_own_words_alone(monkeypatch):
    monkeypatch.setattr(relatives, "of_word", None)
    assert [citation.quote for citation in cite(MUSEUM[3])] == [MUSEUM[3]]


def test_a_figure_is_known_in_other_thousands_and_by_the_rounding_of_the_coarser():
    document = Document.from_text("Sold: 2,413 thousand; 2.4 million; 2.5 million; 2,390,000; 24.")
    terms = index([document])
    figure, _ = relatives.of_facts("2.41 million", terms.numerals, terms.term_ids)
    names = {number: term for term, number in terms.term_ids.items()}
    assert (figure[0], figure[1]) == (0, 4)
    assert {names[number] for number in figure[2].tolist()} == {"2413", "2.4"}
    coarse, _ = relatives.of_facts("2.4 million", terms.numerals, terms.term_ids)
    assert {names[number] for number in coarse[2].tolist()} == {"2413", "2.4", "2390000"}


def test_a_figure_is_known_in_every_thousand_and_not_where_its_rounding_takes_too_much_of_it():
    document = Document.from_text("Sold: 1.7 million; 2,000 thousand; 5,000 billion; 5.3 trillion.")
    terms = index([document])
    names = {number: term for term, number in terms.term_ids.items()}

    def terms_of(figure):
        return [
            {names[n] for n in ids.tolist()} for *_, ids in relatives.of_facts(figure, terms.numerals, terms.term_ids)
        ]

    assert terms_of("2 million")[0] == {"2000"}
    assert terms_of("5 trillion")[0] == {"5000"}


def test_a_word_for_nearly_everything_has_no_kinds():
    assert "sleigh" in relatives.of_word("vehicle")
    assert len(relatives.of_word("object")) < len(relatives.of_word("vehicle"))


def test_a_relative_is_worth_its_share_and_no_more_than_its_own_rarity():
    document = Document.from_text("A quarrel began.\n\nThe gate is shut.")
    terms = index([document])
    matcher = Matcher(terms, "An argument began.")
    claim = matcher.claim(Span(0, 18))
    (kin,) = matcher.kin(claim, {1: np.array([terms.term_ids["quarrel"]])})
    assert (kin.word, kin.segments.tolist()) == (1, [0])
    assert 0 < kin.worth[0] <= 0.5
    assert matcher.alignment(claim, [1, 0]).with_kin((kin,)).matched[:, 1].tolist() == [False, True]


def test_work_grows_with_the_terms_that_are_looked_up_and_not_with_the_words_of_the_document(monkeypatch):
    requests = []
    of_word = relatives.of_word
    monkeypatch.setattr(relatives, "of_word", lambda word: requests.append(word) or of_word(word))
    cite("There was a resignation following an argument.", Document.from_text("\n\n".join(MUSEUM)))
    once = len(requests)
    cite("There was a resignation following an argument.", Document.from_text("\n\n".join(MUSEUM * 8)))
    assert len(requests) == 2 * once > 0
