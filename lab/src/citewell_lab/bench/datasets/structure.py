"""Documents assembled from titled parts, with the positions of parts that can be evidence."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from citewell.document import Document
from citewell.errors import InputError
from citewell.types import Block, BlockKind, Span
from citewell_lab.bench.datasets import files
from citewell_lab.bench.datasets.locate import Words
from citewell_lab.bench.items import QuestionItem, Reference
from citewell_lab.bench.metrics.answers import ANSWERABLE, NO_ANSWER, unanswerable

UNANSWERED = Reference(NO_ANSWER, unanswerable=True, evidence=frozenset())  # the annotator says: no answer
_SPACE = re.compile(r"\s*")


class Part(NamedTuple):
    """A block of a document to be: its text, and what it is."""

    text: str
    kind: BlockKind = "paragraph"
    level: int = 0


class Built(NamedTuple):
    """A document and the offsets of its parts that are no headings, in order."""

    document: Document
    segments: tuple[Span, ...]

    def find(self, texts: Iterable[str]) -> frozenset[int] | None:
        """The segments that hold the texts; None where there are texts and none of them is found."""
        wanted = [text for text in texts if text.strip()]
        if not wanted:
            return frozenset()
        exact: dict[str, int] = self.document.memo(
            "bench segments", lambda: {self.document.text[a:b]: i for i, (a, b) in enumerate(self.segments)}
        )
        places: set[int] = set()
        for text in wanted:
            if text.strip() in exact:
                places.add(exact[text.strip()])
            else:
                words = self.document.memo("bench words", lambda: Words(self.document.text))
                places |= words.segments(text, self.segments)
        return frozenset(places) or None

    def question(self, key: str, question: str, references: Sequence[Reference]) -> QuestionItem:
        """A question about the document, grouped by whether it has an answer; a summary is asked for by no words."""
        group = (
            NO_ANSWER if question and unanswerable([reference.unanswerable for reference in references]) else ANSWERABLE
        )
        return QuestionItem(key, question, self.document, self.segments, tuple(references), group if question else "")


def build(parts: Iterable[Part], title: str | None = None) -> Built:
    """A document of the parts, parted by blank lines; empty parts are left out."""
    texts, blocks, segments, position = [], [], [], 0
    for part in parts:
        text = part.text.strip()
        if not text:
            continue
        texts.append(text)
        span = Span(position, position + len(text))
        blocks.append(Block(span.start, span.end, part.kind, part.level))
        if part.kind != "heading":
            segments.append(span)
        position = span.end + 2
    return Built(Document("\n\n".join(texts), title=title or None, blocks=tuple(blocks)), tuple(segments))


def lines(text: str, heading: re.Pattern[str] | None = None) -> Built:
    """A document whose paragraphs are its lines, and the offsets of every line, empty ones too.

    Lines that `heading` matches as a whole are headings.
    """
    segments, position = [], 0
    for line in text.split("\n"):
        segments.append(Span(position, position + len(line)))
        position += len(line) + 1
    blocks = []
    for start, end in segments:
        stripped = text[start:end].strip()
        if stripped:
            begin = text.index(stripped, start)
            kind: BlockKind = "heading" if heading and heading.fullmatch(stripped) else "paragraph"
            blocks.append(Block(begin, begin + len(stripped), kind, int(kind == "heading")))
    return Built(Document(text, blocks=tuple(blocks)), tuple(segments))


def objects(path: Path) -> Iterator[dict[str, Any]]:
    """The JSON objects of a file, one after another, whatever white space stands between them.

    Raises:
        InputError: the file is not there, or damaged.
    """
    try:
        with files.opened(path) as file:
            text = file.read()
        decoder, position = json.JSONDecoder(), 0
        while (position := _SPACE.match(text, position).end()) < len(text):  # type: ignore[union-attr]  # matches always
            row, position = decoder.raw_decode(text, position)
            if not isinstance(row, dict):
                raise InputError(f"{path}: there is {type(row).__name__} where an object should be")
            yield row
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error
