"""Other frameworks' chunks as documents, and citations as ranges in a chunk and in its source.

cited = Chunks([Chunk("Revenue rose.", id="a", source="report", start=120)]).attribute("Revenue rose.")
cited.places[0]   # Place in chunk "a", 0 to 13, of the source "report", 120 to 133

Chunks of one source become one document, in the order of their offsets where they have them. Where a chunk stands in
its source is known by what the chunk says, never by searching, and is held against the source where that is given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import Any, NamedTuple

from citewell import Document
from citewell.errors import UsageError
from citewell.library.ranking import Ranking
from citewell.pipeline import ask, attribute, check
from citewell.pipeline.sources import Documents, opened
from citewell.pipeline.unsupported import Policy, applied
from citewell.text import segments
from citewell.text.claims import makes_claim
from citewell.types import HOLDS, Answer, Citation, Granularity, Rect, Segment, Span, Statement, Verdict

# Where a chunk starts and, where that is told, ends: ours and LangChain's, LlamaIndex's, Haystack's.
START = ("start_index", "start_char_idx", "split_idx_start")
END = ("end_index", "end_char_idx")
SOURCE = ("document_id", "source_id", "ref_doc_id", "file_path", "source", "file_name", "url")

TEXT = ("text", "page_content", "content", "contents", "data")
ID = ("id", "doc_id", "chunk_id", "node_id")


class Chunk(NamedTuple):
    """A piece of text as a framework has it.

    Attributes:
        text: its text.
        id: the framework's id of it.
        source: the id of the document that it was cut from; chunks without one are documents of their own.
        start: where it starts in that document, None where the framework did not keep it.
        title: what its document is called.
        page: the page that it stands on, from 1.
    """

    text: str
    id: str | None = None
    source: str | None = None
    start: int | None = None
    title: str | None = None
    page: int | None = None

    @classmethod
    def of(cls, text: str, name: str | None, data: Mapping[str, Any], **known: Any) -> Chunk:
        """A chunk with what its metadata say of where it comes from, by the names that the frameworks use.

        A text that is not as long as its range was changed after it was cut, and does not stand there.
        """
        start, end = (next((int(data[key]) for key in keys if _whole(data.get(key))), None) for keys in (START, END))
        if start is not None and end is not None and end - start != len(text):
            start = None
        source = next((str(data[key]) for key in SOURCE if _is_text(data.get(key))), None)
        number, label = data.get("page_number"), data.get("page_label")
        page: Any = number if _whole(number) else label if isinstance(label, str) and label.isdecimal() else 0
        payload = {
            "source": source,
            "start": start,
            "title": data.get("title") if _is_text(data.get("title")) else None,
            "page": int(page) or None,
        }
        return cls(text, name, **{**payload, **{key: value for key, value in known.items() if value is not None}})

    @classmethod
    def read(cls, arguments: Any) -> Chunk:
        """A passage as people have it: a text, or a mapping with the text, an id and what is known of its place.

        The text is under `text`, `page_content`, `content`, `contents` or `data`, the id under `id`, `doc_id`,
        `chunk_id` or `node_id`; where it stands is told by the mapping itself, or by its `metadata` or `meta`.

        Raises:
            UsageError: it is neither, or has no text.
        """
        if isinstance(arguments, str):
            return cls(arguments)
        if not isinstance(arguments, Mapping):
            raise UsageError(f"a passage is a text or a mapping, not {type(arguments).__name__}")
        text = next((arguments[key] for key in TEXT if isinstance(arguments.get(key), str)), None)
        if text is None:
            raise UsageError(f"a passage has no text: none of {', '.join(TEXT)} among {', '.join(map(str, arguments))}")
        name = next(
            (str(arguments[key]) for key in ID if arguments.get(key) == 0 or _is_text(arguments.get(key))), None
        )
        inner = (arguments[key] for key in ("metadata", "meta") if isinstance(arguments.get(key), Mapping))
        data = {key: value for part in (arguments, *inner) for key, value in part.items()}
        return cls.of(text, name, data)


class Place(NamedTuple):
    """Where a citation stands: in a chunk, and in the whole document that the chunk was cut from.

    Attributes:
        chunk: the chunk's position among those given, from 0.
        chunk_id: the framework's id of it.
        chunk_start: where the quote starts in the chunk's text.
        chunk_end: where it ends there.
        source: the document that the chunk was cut from.
        title: what that document is called.
        start: where the quote starts in that document, None where the chunk does not say where it stands.
        end: where it ends there.
        quote: the chunk's text from `chunk_start` to `chunk_end`.
        answer_start: where the statement starts in the answer.
        answer_end: where it ends.
        page: the page of the quote, from 1.
        score: the attributor's score.
        rects: the quote's rectangles on its pages, where the source is given and has pages.
    """

    chunk: int
    chunk_id: str | None
    chunk_start: int
    chunk_end: int
    source: str | None
    title: str | None
    start: int | None
    end: int | None
    quote: str
    answer_start: int
    answer_end: int
    page: int | None
    score: float
    rects: tuple[Rect, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {**self._asdict(), "rects": [list(rect) for rect in self.rects]}


@dataclass(frozen=True, slots=True)
class Cited:
    """An answer over chunks, and a place for each of its citations, in their order."""

    answer: Answer
    places: tuple[Place, ...] = ()

    @classmethod
    def nothing(cls, text: str, question: str | None = None, on_unsupported: Policy = "mark") -> Cited:
        """An answer for which nothing was given that it could rest on: none of its claims is supported."""
        parts = [Statement(text[start:end], start, end) for start, end in segments.statements(text)]
        judged = (replace(part, label="not_supported" if makes_claim(part.text) else "no_claim") for part in parts)
        return cls(applied(Answer(text, tuple(judged), question=question), on_unsupported))

    @property
    def marked(self) -> str:
        """The text as a reader sees it, n of `[n]` counting the chunks from 1 as they were given."""
        return self.answer.with_marks(lambda number: self.places[number].chunk + 1)

    @property
    def supporting(self) -> tuple[Place, ...]:
        """The places that support their statements: those that may be shown as citations."""
        return tuple(self.places[number] for number in self.answer.supporting)

    @property
    def support(self) -> float | None:
        """The share of the answer's claims that the chunks support; None where it claims nothing."""
        claims = [statement for statement in self.answer.statements if statement.label != "no_claim"]
        return sum(statement.label in HOLDS for statement in claims) / len(claims) if claims else None

    @property
    def faults(self) -> str:
        """The claims that are not supported, a line each: label, statement, reasons."""
        return "\n".join(
            f"{statement.label}: {statement.text}" + "".join(f" ({reason.message})" for reason in statement.reasons)
            for statement in self.answer.statements
            if statement.label not in (*HOLDS, "no_claim")
        )

    def to_dict(self) -> dict[str, Any]:
        """What goes into a framework's metadata: the statements with their labels, and the citations as places."""
        return {
            "text": self.answer.text,
            "marked": self.marked,
            "abstained": self.answer.abstained,
            "support": self.support,
            "statements": [statement.to_dict() for statement in self.answer.statements],
            "citations": [place.to_dict() for place in self.places],
            "warnings": list(self.answer.warnings),
        }


@dataclass(frozen=True, slots=True)
class Chunks:
    """Chunks to answer from or to cite.

    Attributes:
        chunks: the chunks in the framework's order.
        sources: the whole documents by their ids, where they are at hand: a chunk that does not stand where it says is
            then cited by its own text alone, and told in the warnings.
    """

    chunks: Sequence[Chunk]
    sources: Mapping[str, Document] = field(default_factory=dict)

    @classmethod
    def read(cls, passages: Any, sources: Mapping[str, Document] | None = None) -> Chunks:
        """One passage or several, each as `Chunk.read` takes them.

        Raises:
            UsageError: one of them is no passage.
        """
        single = isinstance(passages, str | Mapping) or not isinstance(passages, Iterable)
        values = [passages] if single else passages
        return cls([Chunk.read(passage) for passage in values], sources or {})

    def documents(self) -> tuple[Document, ...]:
        """The documents that the chunks become, the source of the first chunk first; empty chunks are left out.

        Raises:
            UsageError: no chunk has words.
        """
        groups: dict[object, list[int]] = {}
        for number, chunk in enumerate(self.chunks):
            if chunk.text.strip():
                groups.setdefault(number if chunk.source is None else chunk.source, []).append(number)
        if not groups:
            raise UsageError("no chunk contains any words")
        return tuple(self._joined(numbers) for numbers in groups.values())

    def ask(self, question: str, **settings: Any) -> Cited:
        """Answer from the chunks, or abstain; `settings` are those of `citewell.ask`."""
        return self._cited(lambda documents: ask(documents, question, **settings))

    def attribute(self, answer: str, question: str | None = None, **settings: Any) -> Cited:
        """Find the evidence for somebody else's answer in the chunks; `settings` are those of `citewell.attribute`.

        An answer without words claims nothing, and chunks without words support nothing.

        Raises:
            UsageError: the answer is no text.
        """
        if not isinstance(answer, str):
            raise UsageError(f"an answer is a text, not {type(answer).__name__}")
        if not answer.strip() or not any(chunk.text.strip() for chunk in self.chunks):
            return Cited.nothing(answer, question, settings.get("on_unsupported", "mark"))
        return self._cited(lambda documents: attribute(documents, answer, question, **settings))

    def check(self, claims: Iterable[str], **settings: Any) -> list[tuple[Verdict, tuple[Place, ...]]]:
        """Judge claims, each with a place for each of its citations; `settings` are those of `citewell.check`.

        Chunks without words support nothing.
        """
        texts = list(claims)
        if not any(chunk.text.strip() for chunk in self.chunks):
            bare = (Verdict(text, "not_supported", 0.0).without_evidence(makes_claim(text)) for text in texts)
            return [(verdict, ()) for verdict in bare]
        documents = self.documents()
        known = {document.id: document for document in reversed(documents)}
        verdicts = check(documents, texts, **settings)
        return [
            (verdict, tuple(self._place(cited, known[cited.document_id])[0] for cited in verdict.citations))
            for verdict in verdicts
        ]

    def rank(self, question: str, k: int, retriever: Any = "bm25") -> tuple[Place, ...]:
        """The best `k` sentences of all chunks for a question, best first, by the spec of a retriever.

        Raises:
            UsageError: no chunk has words.
        """
        ranked = Ranking(self.documents(), granularity="sentence", retriever=retriever).best(question, k)
        nothing = Span(0, 0)
        return tuple(
            self._place(Citation.of(part, document.id, nothing, score), document)[0] for document, part, score in ranked
        )

    def best(self, question: str, k: int, retriever: Any = "bm25") -> dict[int, list[dict[str, Any]]]:
        """The chunks of the best `k` sentences, best first, by their numbers, each with the places of its sentences."""
        best: dict[int, list[dict[str, Any]]] = {}
        if any(chunk.text.strip() for chunk in self.chunks):
            for place in self.rank(question, k, retriever):
                best.setdefault(place.chunk, []).append(place.to_dict())
        return best

    def _cited(self, work: Callable[[tuple[Document, ...]], Answer]) -> Cited:
        documents = self.documents()
        answer = work(documents)
        known = {document.id: document for document in reversed(documents)}
        places, warnings = [], dict[str, None]()
        for citation in answer.citations:
            place, warning = self._place(citation, known[citation.document_id])
            places.append(place)
            warnings.update({warning: None} if warning else {})
        return Cited(replace(answer, warnings=(*answer.warnings, *warnings)), tuple(places))

    def _joined(self, numbers: Sequence[int]) -> Document:
        """The chunks of one source as one document, the numbers of the chunks as ids of its parts."""
        first, ordered = self.chunks[numbers[0]], list(numbers)
        starts = {number: start for number in numbers if (start := self.chunks[number].start) is not None}
        if len(starts) == len(numbers):
            ordered = sorted(numbers, key=lambda number: (starts[number], number))
        parts = [(str(number), self.chunks[number].text) for number in ordered]
        return Document.from_chunks(parts, first.title, source=first.source)

    def _place(self, citation: Citation, document: Document) -> tuple[Place, str | None]:
        part = document.chunk_at(citation)
        if part is None:  # the parts cover all segments of the document
            raise AssertionError(f"{citation.segment_id} stands in no chunk")
        number, at = int(part.id), citation.start - part.start
        chunk, size = self.chunks[number], citation.end - citation.start
        start, warning = self._start(chunk)
        source = self.sources.get(chunk.source or "")
        begins = None if start is None else start + at
        ends = None if begins is None else begins + size
        statement = (citation.quote, citation.answer_start, citation.answer_end, chunk.page, citation.score)
        place = Place(number, chunk.id, at, at + size, chunk.source, chunk.title, begins, ends, *statement)
        if source is not None and begins is not None and ends is not None:
            page = source.page_at(begins) or chunk.page
            place = place._replace(page=page, rects=source.locate(begins, ends))
        return place, warning

    def _start(self, chunk: Chunk) -> tuple[int | None, str | None]:
        """Where a chunk starts in its source, None where it does not stand there; and what is wrong."""
        source = self.sources.get(chunk.source or "")
        if chunk.start is None or source is None or source.text.startswith(chunk.text, chunk.start):
            return chunk.start, None
        called = "a chunk" if chunk.id is None else f"chunk {chunk.id}"
        return None, f"{called} does not stand at {chunk.start} of {chunk.source}, as its metadata say"


def pieces(
    documents: Document | Iterable[Document], granularity: Granularity = "paragraph"
) -> list[tuple[str, str, dict[str, Any]]]:
    """Documents cut for somebody's index: id, text and metadata of each segment, with its exact offsets.

    The document's `text[start_index:end_index]` is the text of each, so that a citation of a piece is one of the whole.

    Raises:
        UsageError: the granularity is not section, paragraph or sentence.
    """
    values = [documents] if isinstance(documents, Document) else documents
    return [piece(document, part) for document in values for part in document.segments(granularity)]


def piece(document: Document, part: Segment) -> tuple[str, str, dict[str, Any]]:
    """A segment with its metadata: document, offsets, and page where the document has pages."""
    about = {
        "document_id": document.id,
        "segment_id": part.id,
        "start_index": part.start,
        "end_index": part.end,
        "page_number": document.page_at(part.start),
        "title": document.title,
        "source": document.source,
    }
    return f"{document.id}:{part.id}", part.text, {key: value for key, value in about.items() if value is not None}


def by_id(documents: Mapping[str, Documents] | Documents) -> Mapping[str, Document]:
    """Whole documents, or their paths, by the ids that chunks name: one's own, or those of `pieces`.

    Raises:
        UsageError: something else is among them.
    """
    if isinstance(documents, Mapping):
        return {name: opened(document)[0] for name, document in documents.items()}
    values = () if documents in ((), []) else opened(documents)
    return {document.id: document for document in values}


def _whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 0


def _is_text(value: Any) -> bool:
    """Whether something is told at all: rows of a table have NaN where nothing is."""
    return bool(value) and not (isinstance(value, float) and math.isnan(value))
