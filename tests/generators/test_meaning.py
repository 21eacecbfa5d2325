"""A sentence encoder beside the words of the extractive reader."""

import citewell
from citewell.document import Document
from citewell.generators.extractive import meaning
from citewell.generators.extractive.generator import Extractive
from citewell.types import Hit

TEXT = (
    "The miller has a horse and a cart. The miller is paid in flour every spring. "
    "Ferries bring the miller grain on Mondays. Nobody else grinds there."
)
QUESTION = "What does the miller receive?"


class Similar:
    """Holds what has one word for the most similar."""

    def __init__(self, word):
        self.word = word

    def rank(self, query, segments):
        return tuple(Hit(number, float(self.word in segment.text)) for number, segment in enumerate(segments))


def first(monkeypatch, word):
    monkeypatch.setattr(meaning, "_retriever", lambda encoder: Similar(word))
    return Extractive(max_sentences=1, threshold=0.0, encoder="tiny").generate(QUESTION, [Document.from_text(TEXT)])


def test_the_most_similar_of_equal_candidates_is_given_and_the_method_says_so(monkeypatch):
    for word in ("flour", "cart"):
        draft = first(monkeypatch, word)
        assert word in draft.text
        assert "encoder" in draft.method
        assert all(TEXT[each.start : each.end] == each.quote for each in draft.sources)


def test_no_encoder_is_asked_by_default(monkeypatch):
    monkeypatch.setattr(meaning, "_retriever", lambda encoder: 1 / 0)
    answer = citewell.ask(Document.from_text(TEXT), QUESTION)
    assert answer.method is None or "encoder" not in answer.method
