"""Answers by a reader: a model marks the answering phrase, and the sentences that contain it are quoted.

    Reader(model="deepset/roberta-base-squad2").generate("What was revenue in 2022?", [document]).value

It reads the paragraphs that a retriever ranks best, in pieces that fit the model; the piece with the best odds for an
answer against none gives it. Any extractive question-answering model serves, on torch or, exported, on onnxruntime.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

from citewell import registry
from citewell.document import Document
from citewell.models.loading import Loaded, context_length
from citewell.models.local import PortableModel
from citewell.models.spans import Marked, marked
from citewell.text.spans import touched
from citewell.types import Abstention, Citation, Draft, Segment, Span, Value

_FRAME = 8  # tokens that a model puts around and between its texts, and some to spare


class Piece(NamedTuple):
    """A part of a document that a model reads at once."""

    document: Document
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class Reader(PortableModel):
    """Give the sentences that hold the phrase which a model marks.

    Attributes:
        model: an extractive question-answering model that knows of questions without an answer; hub id or path.
        threshold: the least probability of an answer, against none, with which it is given.
        retriever: what chooses the paragraphs that are read; it is not asked where all are.
        paragraphs: how many are read.
        longest: most tokens of the phrase.
        limit: most tokens of question and text at once.
    """

    model: str = "deepset/roberta-base-squad2"
    threshold: float = 0.5
    retriever: str = "bm25"
    paragraphs: int = 20
    longest: int = 30
    limit: int | None = None
    name: ClassVar[str] = "reader"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.threshold <= 1:
            raise ValueError(f"threshold lies between 0 and 1, not {self.threshold}")
        if self.paragraphs < 1 or self.longest < 1:
            raise ValueError("paragraphs and longest are at least 1")

    def generate(
        self,
        question: str,
        documents: Sequence[Document],
        on_draft: Callable[[Draft], None] | None = None,  # noqa: ARG002  (the Protocol's: nothing arrives bit by bit)
    ) -> Draft:
        """The sentences with the best phrase, which is the value; an abstention where none is likelier than none.

        Raises:
            BackendError: the model cannot be loaded or used for this.
        """
        blank = Draft("", question, method=self.name, origin="quoted", cites=True, confidence=0.0)
        chosen = self._chosen(question, documents)
        if not chosen:
            message = "the documents have no paragraphs to read"
            return replace(blank, abstention=Abstention("no_evidence", 0.0, self.threshold, message))
        loaded = self.load("reader")
        most = context_length(loaded, self.limit)
        room = max(most - _tokens(loaded, question), most // 2) - _FRAME  # of a longer question a part is read
        pieces = [piece for document, paragraph in chosen for piece in self._pieces(loaded, document, paragraph, room)]
        texts = [piece.document.text[piece.start : piece.end] for piece in pieces]
        marks = marked(loaded, question, texts, size=self.batch, longest=self.longest, limit=self.limit)
        # Some tokens hold nothing but white space, and may stand between two sentences.
        marked_pieces = [
            (piece, mark)
            for piece, text, mark in zip(pieces, texts, marks, strict=True)
            if mark and text[mark.start : mark.end].strip()
        ]
        marked_pieces.sort(key=lambda pair: -pair[1].odds)
        if not marked_pieces:
            message = "the question leaves the model no room to read"
            return replace(blank, abstention=Abstention("no_evidence", 0.0, self.threshold, message))
        draft = self._answer(blank, *marked_pieces[0])
        draft = replace(draft, candidates=tuple(self._candidate(draft, *pair) for pair in marked_pieces))
        return draft if (draft.confidence or 0.0) >= self.threshold else draft.unsure(self.threshold)

    def _chosen(self, question: str, documents: Sequence[Document]) -> list[tuple[Document, Segment]]:
        """The paragraphs to read, in their order."""
        every = [
            (document, part) for document in documents for part in document.segments("paragraph") if part.text.strip()
        ]
        if len(every) <= self.paragraphs:
            return every
        hits = registry.build("retriever", self.retriever).rank(question, [paragraph for _, paragraph in every])
        best = sorted(hit.position for hit in hits[: self.paragraphs]) or range(self.paragraphs)
        return [every[position] for position in best]

    def _pieces(self, loaded: Loaded, document: Document, paragraph: Segment, room: int) -> Iterator[Piece]:
        """A paragraph in parts that fit: as many whole sentences at a time as there is room for, of a longer one parts.

        Such parts overlap by the longest phrase, which so stands whole in one of them.
        """
        sentences = document.segments("sentence")
        begun, used = paragraph.start, 0
        for number in touched(sentences, paragraph):
            sentence = sentences[number]
            length = _tokens(loaded, sentence.text)
            if used and used + length > room:
                yield Piece(document, begun, sentence.start)
                begun, used = sentence.start, 0
            if 0 < room < length:
                *before, last = windows(loaded.tokenizer, document.text[begun : sentence.end], room, self.longest)
                for part in before:
                    yield Piece(document, begun + part.start, begun + part.end)
                begun, length = begun + last.start, _tokens(loaded, document.text[begun + last.start : sentence.end])
            used += length
        yield Piece(document, begun, paragraph.end)

    def _answer(self, blank: Draft, piece: Piece, mark: Marked) -> Draft:
        """The sentences of a piece that hold a phrase, each with its source."""
        phrase, sure = _phrase(piece, mark), _probability(mark.odds)
        text, statements, sources = "", list[Span](), list[Citation]()
        sentences = piece.document.segments("sentence")
        for sentence in (sentences[number] for number in touched(sentences, phrase)):
            line = " ".join(sentence.text.split())
            start = len(text) + bool(text)
            text = f"{text} {line}" if text else line
            statements.append(Span(start, len(text)))
            sources.append(Citation.of(sentence, piece.document.id, statements[-1], sure, self.name))
        words = " ".join(piece.document.text[phrase.start : phrase.end].split())
        value = Value(words, "phrase", citations=tuple(range(len(sources))))
        return replace(
            blank, text=text, statements=tuple(statements), sources=tuple(sources), value=value, confidence=sure
        )

    def _candidate(self, draft: Draft, piece: Piece, mark: Marked) -> Citation:
        """The sentence in which a phrase begins, as evidence for the whole answer."""
        phrase, whole = _phrase(piece, mark), Span(0, len(draft.text))
        sentences = piece.document.segments("sentence")
        sentence = sentences[touched(sentences, phrase).start]
        return Citation.of(sentence, piece.document.id, whole, _probability(mark.odds), self.name)


def _phrase(piece: Piece, mark: Marked) -> Span:
    return Span(piece.start + mark.start, piece.start + mark.end)


def _probability(odds: float) -> float:
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, odds))))


def _tokens(loaded: Loaded, text: str) -> int:
    return len(loaded.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])


def windows(tokenizer: Any, text: str, room: int, shared: int) -> list[Span]:
    """The parts of a text that a model cannot read at once, in order; the whole text where there is room for it.

    Args:
        tokenizer: of the model.
        text: what is read.
        room: most tokens of a part.
        shared: tokens that two neighbours have in common, so that what is no longer stands whole in one of them; at
            most half of a part.
    """
    encoding = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
    offsets, room = encoding["offset_mapping"], max(1, room)
    if len(offsets) <= room:
        return [Span(0, len(text))]
    firsts = range(0, len(offsets) - min(shared, room // 2), room - min(shared, room // 2))
    cut = [(int(offsets[first][0]), int(offsets[min(first + room, len(offsets)) - 1][1])) for first in firsts]
    return [
        Span(0 if start == cut[0][0] else start, len(text) if number == len(cut) - 1 else end)
        for number, (start, end) in enumerate(cut)
    ]
