"""Which of several figures belongs to a noun: "41 boats" is not said by "310 boats and 41 rafts"."""

import pytest

from citewell import Document, check

FLEET = "The fleet has 12 ferries and 40 buses."
SCHOOL = "The school employs 85 teachers and 14 nurses; 300 pupils attend."
LIBRARY = "The library lent 9,000 books and 2,100 films to 4,000 members."
LISTS = "In 2024 and 2023, the yard built 310 and 295 boats, respectively, and 41 and 52 rafts, respectively."
SHIPS = "Of 60 ships, 41 sailed and 19 stayed."
OAKS = "They planted 300 trees, mostly oaks: 200 oaks and 100 pines."


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (FLEET, "The fleet has 12 ferries."),
        (FLEET, "The fleet has 40 buses."),
        (SCHOOL, "300 pupils attend the school."),
        (LIBRARY, "It lent 2,100 films."),
        (LISTS, "The yard built 41 rafts in 2024."),
        (LISTS, "The yard built 310 boats in 2024."),
        (SHIPS, "41 ships sailed."),  # what they did is no noun
        (OAKS, "They planted 300 trees."),
        (f"{FLEET} The 12 buses of the north were sold.", "The fleet has 12 ferries."),
    ],
)
def test_a_figure_of_the_noun_is_supported(text, claim):
    assert check(Document.from_text(text), [claim])[0].label == "supported"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (FLEET, "The fleet has 12 buses."),
        (FLEET, "The fleet has 40 ferries."),
        (SCHOOL, "The school employs 85 nurses."),
        (LIBRARY, "It has 9,000 members."),
        (LISTS, "The yard built 41 boats in 2024."),
        (LISTS, "The yard built 310 rafts in 2024."),
        (OAKS, "They planted 100 oaks."),
    ],
)
def test_a_figure_of_another_noun_beside_it_is_not(text, claim):
    assert check(Document.from_text(text), [claim])[0].label == "contradicted"


def test_another_sentence_may_have_the_figure_for_the_noun():
    text = f"{FLEET} In the north there are 12 buses."
    assert check(Document.from_text(text), ["In the north there are 12 buses."])[0].label == "supported"
