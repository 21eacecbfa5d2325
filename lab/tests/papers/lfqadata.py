"""Studies made by the tests: what is planted in them is known."""

import random

from citewell.document import Document
from citewell_lab.papers.lfqa.data import Annotated, Labelled, Question, Response, Setting, Study
from citewell_lab.papers.lfqa.support import Judged

# Two thousand words of three syllables: two texts share hardly any.
_SYLLABLES = "ba co du fe gi ho ku la me ni pa ro su".split()
WORDS = [a + b + c for a in _SYLLABLES for b in _SYLLABLES for c in _SYLLABLES]


def sentence(generator, length=9):
    return " ".join(generator.sample(WORDS, length)).capitalize() + "."


def text(generator, sentences=5):
    return " ".join(sentence(generator) for _ in range(sentences))


def study(count, make):
    """`make(generator, number)` gives the fields of a question beside its id and text."""
    questions = []
    for number in range(count):
        fields = {"documents": {}, "responses": (), "annotated": ()} | make(random.Random(number), number)
        questions.append(Question(f"q{number}", f"What is item {number}?", **fields))
    return Study(tuple(questions))


def document(body):
    return Document.from_text(body)


def response(model, evidence, *samples):
    return Response(Setting(model, evidence), samples)


def annotated(model, evidence, against, labels, **more):
    """Sentences with these label tuples, or one label for all three annotators."""
    rows = [label if isinstance(label, tuple) else (label,) * 3 for label in labels]
    return Annotated(
        Setting(model, evidence),
        against,
        tuple(Labelled(f"Sentence {number} of it.", row, **more) for number, row in enumerate(rows)),
    )


def judged(
    question, position, total, label="supported", support=(), lengths=(4, 4, 4), evidence="mine", against="mine"
):
    return Judged(f"q{question}", Setting("m", evidence), against, 0, position, total, label, tuple(support), lengths)
