"""How well a sentence offers the kind of answer that is asked for, and which sentence tells of the other direction."""

import pytest

from citewell.generators.extractive.kinds import fits, opposite
from citewell.generators.extractive.questions import analyse
from citewell.generators.extractive.settings import settings

# Question, what offers the kind, what offers it less with the setting that says by how much, what does not.
OFFERS = [
    ("When was the ferry built?", "It was built in May 1926.", "It came two years later.", "date_words", "Built in Turku."),
    ("How many ships sail?", "There are 12 ships.", "There are twelve ships.", "count_words", "In 1926 ships sailed."),
    ("How long is the ship?", "It is 120 metres long.", "Ship 120 was sold.", "measure_bare", "It is long."),
    ("What was revenue?", "Revenue was $41.", "Revenue was 41.", "money_bare", "Revenue rose."),
    ("What percentage was sold?", "41% were sold.", "41 were sold.", "percent_bare", "Most were sold."),
    ("In which city was it built?", "It was built in the city of Turku.", "by Ann Smith", "place_name", "it was built."),
]  # fmt: skip


def fit(question, text, kind="sentence"):
    return fits(analyse(question), text, kind, frozenset(question.lower().strip("?.").split()))


@pytest.mark.parametrize(("question", "whole", "part", "setting", "nothing"), OFFERS)
def test_a_sentence_offers_the_kind_of_answer_wholly_in_part_or_not(question, whole, part, setting, nothing):
    assert fit(question, whole) == 1.0
    assert fit(question, part) == settings()[setting]
    assert fit(question, nothing) == 0.0


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When was the ferry of 2020 built?", "It was built in 2020."),
        ("How many of the 12 ships sail?", "There are 12 ships."),
        ("How many ships sail?", "There are 1.2 ships, 12% more."),
        ("Who is Ann Smith?", "Ann Smith built it."),
    ],
)
def test_what_the_question_has_and_what_is_no_count_do_not_answer(question, text):
    assert fit(question, text) == 0.0


def test_a_row_needs_no_currency_and_tells_a_share_better_than_a_sentence_without_a_sign():
    assert fit("What was revenue?", "Revenue | 41", "table_row") == 1.0
    assert fit("What percentage was sold?", "Sold | 41", "table_row") == settings()["percent_row"]


def test_names_reasons_and_lists():
    assert (fit("Who built it?", "Ann Smith did."), fit("Who built it?", "workers did.")) == (1.0, 0.0)
    assert (fit("Why was it late?", "because of ice"), fit("Why was it late?", "it was late")) == (1.0, 0.0)
    bare = settings()["list_bare"]
    assert [fit("List the parts.", text) for text in ("bow", "bow, hull", "bow, hull; keel", "bow, hull, keel, mast")] == [
        0.0, bare / 2, bare, bare,
    ]  # fmt: skip
    assert fit("What are the three parts?", "They are: bow, hull; stern.") == 1.0


@pytest.mark.parametrize(
    ("question", "text", "is_opposite"),
    [
        ("Why did revenue fall?", "Revenue rose.", True), ("Why did revenue rise?", "Costs declined.", True),
        ("Why did revenue fall?", "Revenue fell.", False), ("Why did revenue fall?", "It rose and then fell.", False),
        ("Why did revenue rise?", "Revenue increased.", False), ("Why did revenue fall?", "Ships sail.", False),
        ("Did revenue rise or fall?", "Revenue fell.", False), ("What is revenue?", "Revenue fell.", False),
    ],
)  # fmt: skip
def test_a_sentence_of_the_other_direction_alone_is_opposite(question, text, is_opposite):
    assert opposite(question, text) == float(is_opposite)
