"""Libraries in several languages: a document in another language takes nothing over."""

import random

import numpy as np
import pytest

from citewell import Document
from citewell.library.search import languages
from citewell.library.search.postings import Segment, merge, of_document
from citewell.library.search.rank import Ranking
from citewell.text.words import words

TOPICS = (
    "harbour engine ticket winter captain island bridge timetable lighthouse repair cargo insurance pilot fog".split()
)
FOREIGN = {
    "de": "Der Vorstand hat beschlossen, dass die Werft nicht geschlossen wird, weil sie mit den Banken einig ist und {}.",
    "fr": "Le conseil a décidé que les chantiers ne seront pas fermés, parce que la demande est dans une bonne phase et {}.",
    "es": "El consejo ha decidido que los astilleros no se cierran, porque la demanda es muy alta en el norte y {}.",
    "it": "Il consiglio ha deciso che i cantieri non sono chiusi, perché la domanda è molto alta nel nord e {}.",
    "nl": "De raad heeft besloten dat de werf niet wordt gesloten, omdat de vraag naar schepen met een nieuwe motor {}.",
}
SUMMARY = "Summary in English: the {} and the {} of the company were the subject of a report that was made in the year."


def ranking_of(documents):
    """A ranking over documents whose numbers are their places."""
    parts = [Segment(of_document(number, document)) for number, document in enumerate(documents)]
    whole = Segment(merge(parts, [np.ones(1, bool) for _ in parts]))
    return Ranking([whole], [np.ones(len(documents), bool)])


def english(count, draw):
    for number in range(count):
        subject, other = draw.sample(TOPICS, 2)
        yield Document.from_text(
            f"The {subject} of line {number} was inspected in the spring.\n\nThe owners say that the {other} is safe.",
            title=f"Line {number}",
        )


def questions():
    return [f"What is said of the {topic} and of line {number}?" for number, topic in enumerate(TOPICS)]


def firsts(documents):
    ranking = ranking_of(documents)
    return [ranking.search(question, 1)[0].document for question in questions()]


@pytest.mark.parametrize("code", FOREIGN)
@pytest.mark.parametrize("seed", range(4))
def test_a_document_in_another_language_changes_no_first_place(code, seed):
    draw = random.Random(seed)
    documents = list(english(40, draw))
    body = [FOREIGN[code].format(draw.choice(TOPICS)) for _ in range(12)]
    summary = [SUMMARY.format(*draw.sample(TOPICS, 2)) for _ in range(2)]
    foreign = Document.from_text("\n\n".join([*body, *summary]), title="Report")
    assert firsts([*documents, foreign]) == firsts(documents)


def test_a_question_in_its_own_language_finds_the_only_document_in_it():
    documents = [*english(60, random.Random(1)), Document.from_text(FOREIGN["de"].format("die Fähre Eider fährt"))]
    hits = ranking_of(documents).search("Warum wird die Werft nicht geschlossen?", 1)
    assert hits[0].document == 60


def spoken(text):
    document = Document.from_text(text)
    parts = document.segments("paragraph")
    read = words(document.text)
    where = [sum(part.start <= start for part in parts) - 1 for start in read.starts.tolist()]
    paragraphs = languages.of_paragraphs(read, np.array(where), len(parts))
    return {code: flags.tolist() for code, flags in paragraphs.items()}


def test_a_summary_in_another_language_counts_in_its_own():
    text = "\n\n".join([FOREIGN["de"].format("alles gut ist")] * 3 + [SUMMARY.format("engine", "fog")])
    assert spoken(text) == {"de": [True, True, True, False], "en": [False, False, False, True]}


def test_text_that_could_be_in_two_languages_counts_in_both():
    result = spoken("Det var en mann som ikke var der, og han var ikke her.")
    assert set(result) == {"da", "no"} or {"da", "no"} <= set(result)


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("What was the revenue of the company in 2020?", "en"),
        ("Wie hoch war der Umsatz der Firma?", "de"),
        ("Umsatz 2020?", None),
    ],
)
def test_the_language_of_a_question_is_that_of_most_of_its_function_words(question, code):
    assert languages.of_question(question) == code


def test_the_first_two_languages_of_a_paragraph_are_kept():
    german, english, french = (np.array(flags) for flags in ([1, 1, 0, 0], [0, 1, 1, 0], [0, 1, 0, 0]))
    flags = {code: inside.astype(bool) for code, inside in (("fr", french), ("de", german), ("en", english))}
    codes = languages.packed(flags, 4)
    assert [[languages.code_of(int(code)) if code else "" for code in row] for row in codes] == [
        ["de", ""],
        ["de", "en"],
        ["en", ""],
        ["", ""],
    ]
