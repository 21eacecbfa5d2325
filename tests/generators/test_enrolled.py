"""How many people took part in a study: the sentence that counts all who were enrolled."""

import pytest

import citewell

OTHERS = "Hay fever is common. The first group had 40 participants. In all 12 nurses kept diaries. "


def trial(sentence):
    return citewell.Document.from_text(
        f"Drops against hay fever\n\n{OTHERS}{sentence} Later 90 patients were included in a survey.\n"
    )


@pytest.mark.parametrize(
    ("sentence", "number"),
    [
        ("A total of 203 subjects were enrolled at 40 sites.", "203"),
        ("34 adult patients with hay fever were randomized to two groups.", "34"),
        ("Between 2018 and 2020 we enrolled 1,553 eligible patients.", "1,553"),
        ("Seventeen sites took part, and 306 patients fulfilling the criteria were included.", "306"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("question", ["How many patients took part?", "How many participants were there in the trial?"])
def test_the_first_count_of_all_is_the_short_answer(sentence, number, question):
    answer = citewell.ask(trial(sentence), question)
    assert answer.value.text == number
    assert answer.citations[answer.value.citations[0]].quote == number


def test_people_of_a_word_of_their_own_are_counted_by_it():
    document = trial("We enrolled 240 patients and recruited 310 household contacts.")
    assert citewell.ask(document, "How many contacts were enrolled?").value.text == "310"
