"""LongCite: answers of models that are trained to cite ranges of numbered sentences in their own format.

Source: Zhang et al., LongCite: Enabling LLMs to Generate Fine-grained Citations in Long-Context QA (2024, arXiv
2409.02897; code and prompt THUDM/LongCite, Apache-2.0; models THUDM/LongCite-glm4-9b and THUDM/LongCite-llama3.1-8b).

    model = "openai(model=THUDM/LongCite-llama3.1-8b, base_url=http://127.0.0.1:8000/v1)"
    LongCite(llm=model).generate("Who pays?", [document])
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

from citewell.document import Document
from citewell.errors import ReplyError, UsageError
from citewell.llm import asking, tokens
from citewell.protocols import LLM, Message, Request
from citewell.text import segments
from citewell.types import Abstention, Citation, Draft, Segment, Span

_PROMPT = (  # word for word: the models were trained with it
    "Please answer the user's question based on the following document. When a sentence S in your response uses"
    " information from some chunks in the document (i.e., <C{s1}>-<C_{e1}>, <C{s2}>-<C{e2}>, ...), please append these"
    ' chunk numbers to S in the format "<statement>{S}<cite>[{s1}-{e1}][{s2}-{e2}]...</cite></statement>". You must'
    " answer in the same language as the user's question.\n\n[Document Start]\n%s\n[Document End]\n\n%s"
)
_GAP = "\n\n"  # between documents
_OPEN = re.compile(r"\A\s*statement>")  # the first tag of a reply that lost its bracket
_TAG = re.compile(r"<(/?)(statement|cite)>", re.IGNORECASE)
_RANGE = re.compile(r"\[\s*(\d{1,7})\s*(?:[-–]\s*(\d{1,7})\s*)?\]")


class Run(NamedTuple):
    """Numbers of the first and the last sentence of what is cited together."""

    first: int
    last: int


class Reply(NamedTuple):
    """A reply: its text without tags, its statements with what each cites, and what was left out."""

    text: str
    statements: tuple[tuple[Span, tuple[Run, ...]], ...]
    warnings: tuple[str, ...] = ()


class Chunk(NamedTuple):
    """A sentence with all that follows it up to the next one, and the number of its document."""

    document: int
    segment: Segment
    text: str


@dataclass(frozen=True, kw_only=True)
class LongCite:
    """Ask a model that was trained by LongCite.

    Attributes:
        llm: its spec, or a ready client.
        max_input: the most tokens of a prompt; of longer documents the sentences in the middle are left out.
        max_tokens: the most tokens of a reply.
        temperature: 0 is greedy; the published code draws at 0.95.
        snippets: the most runs of sentences that a statement cites; None for all that it names.
    """

    llm: str | LLM
    max_input: int = 128_000
    max_tokens: int = 1024
    temperature: float = 0.0
    snippets: int | None = 3
    name: ClassVar[str] = "longcite"

    def __post_init__(self) -> None:
        if self.max_input < 1 or self.max_tokens < 1 or (self.snippets is not None and self.snippets < 1):
            raise ValueError("max_input, max_tokens and snippets are at least 1")

    def generate(
        self, question: str, documents: Sequence[Document], on_draft: Callable[[Draft], None] | None = None
    ) -> Draft:
        """Answer from all sentences, or from the first and the last ones where not all fit; nothing is told early.

        Raises:
            BackendError: the model failed, or was cut off before it said anything.
            UsageError: not one sentence fits.
        """
        del on_draft
        every = chunks(documents)
        rendered = self._fitting(question, every)
        text = "".join(f"<C{number}>{every[number].text}" for number in rendered)
        request = Request((Message("user", _PROMPT % (text, question)),), self.max_tokens, self.temperature)
        completion = asking.complete(self._client, request)
        method = completion.model or self.name
        warnings = []
        if len(rendered) < len(every):
            left = len(every) - len(rendered)
            warnings.append(
                f"the documents are longer than max_input ({self.max_input} tokens): {left} of {len(every)} sentences"
                " in the middle were not read"
            )
        if completion.finish == "length":
            warnings.append("the reply was cut off at its most tokens: raise max_tokens")
        reply = parse(completion.text, rendered, self.snippets)
        empty = not any(map(str.isalnum, reply.text))
        if empty and completion.finish == "length":
            raise ReplyError("the reply was cut off before it said anything: raise max_tokens")
        if empty or completion.finish == "refused":
            statements = (
                "the model refuses to answer" if completion.finish == "refused" else "the model's reply is empty"
            )
            return Draft("", question, abstention=Abstention("declined", message=statements), method=method)
        sources = [
            _cited(documents, every, run, statements, method) for statements, runs in reply.statements for run in runs
        ]
        return Draft(
            reply.text,
            question,
            tuple(statements for statements, _ in reply.statements),
            sources=tuple(source for of_run in sources for source in of_run),
            method=method,
            usage={**asking.used(completion), "sentences": len(rendered)},
            warnings=(*warnings, *reply.warnings),
            origin="written",
            cites=True,
            may_decline=True,
        )

    @cached_property
    def _client(self) -> LLM:
        return asking.client(self.llm)

    def _fitting(self, question: str, every: Sequence[Chunk]) -> list[int]:
        """The numbers of the sentences that fit: all, or as many from both ends."""
        room = self.max_input - self._count(_PROMPT % ("", question))
        sizes = [self._count(f"<C{number}>{chunk.text}") for number, chunk in enumerate(every)]
        if sum(sizes) <= room:
            return list(range(len(every)))
        ends: tuple[list[int], list[int]] = [], []
        for numbers, order in zip(ends, (range(len(every)), reversed(range(len(every)))), strict=True):
            total = 0
            for number in order:
                total += sizes[number]
                if total > room // 2:
                    break
                numbers.append(number)
        kept = sorted({*ends[0], *ends[1]})
        if not kept:
            raise UsageError(f"not one sentence fits into {self.max_input} tokens besides the prompt: raise max_input")
        return kept

    def _count(self, text: str) -> int:
        return tokens.count(self._client, text)[0]


def chunks(documents: Sequence[Document]) -> list[Chunk]:
    """The sentences of all documents; together their texts are those of the documents from the first sentence on."""
    result: list[Chunk] = []
    for number, document in enumerate(documents):
        sentences = document.segments("sentence")
        ends = [*(sentence.start for sentence in sentences[1:]), len(document.text)]
        gap = _GAP if number + 1 < len(documents) else ""
        for sentence, end in zip(sentences, ends, strict=False):
            last = gap if end == len(document.text) else ""
            result.append(Chunk(number, sentence, document.text[sentence.start : end] + last))
    return result


def parse(reply: str, known: Sequence[int], most: int | None = 3) -> Reply:
    """Read a reply; none raises, however malformed.

    Args:
        reply: what the model wrote.
        known: the numbers of the sentences that it was shown, ascending.
        most: runs that a statement keeps; runs that follow one another are one.

    Words between statements are statements without citations. A statement or a citation that is not closed ends with
    the reply, or where the next statement begins.
    """
    rest = _OPEN.sub("<statement>", reply.replace("\r\n", "\n"))
    text: list[str] = []
    length = position = start = 0
    citing, names, inside = False, "", False
    parts: list[tuple[Span, str | None]] = []  # None for words between statements

    def close() -> None:
        nonlocal start, names
        if length > start:
            parts.append((Span(start, length), names if inside else None))
        start, names = length, ""

    for tag in (*_TAG.finditer(rest), None):
        piece = rest[position : tag.start() if tag else len(rest)]
        if citing:
            names += piece
        else:
            text.append(piece)
            length += len(piece)
        if tag is None:
            close()
            break
        position, ends, kind = tag.end(), bool(tag[1]), tag[2].lower()
        if kind == "cite":
            citing = not ends
        else:
            close()
            inside, citing = not ends, False
    whole = "".join(text)
    lead = len(whole) - len(whole.lstrip())
    message = whole.strip()
    warnings: list[str] = []
    statements: list[tuple[Span, tuple[Run, ...]]] = []
    for span, named in parts:
        at = _trimmed(message, span.start - lead, span.end - lead)
        words = message[at.start : at.end]
        if not any(map(str.isalnum, words)):
            continue
        if named is None:
            spans = [Span(at.start + span.start, at.start + span.end) for span in segments.statements(words)]
            statements += [(span, ()) for span in spans]
        else:
            statements.append((at, _runs(named, known, most, warnings)))
    return Reply(message, tuple(statements), tuple(dict.fromkeys(warnings)))


def _trimmed(text: str, start: int, end: int) -> Span:
    """A range of a text without blanks at its ends."""
    start = min(max(0, start), len(text))
    words = text[start : max(start, end)]
    start += len(words) - len(words.lstrip())
    return Span(start, max(start, start + len(words.strip())))


def _runs(named: str, known: Sequence[int], most: int | None, warnings: list[str]) -> tuple[Run, ...]:
    """The runs of sentences that a citation names, those that follow one another joined, cut to what was shown."""
    result: list[Run] = []
    for match in _RANGE.finditer(named):
        first, last = int(match[1]), int(match[2] or match[1])
        cited = known[bisect_left(known, first) : bisect_right(known, last)]
        if not cited:
            warnings.append(f"the model cites the sentences {match[0]}, which it was not shown; they were left out")
        elif len(cited) <= last - first:
            warnings.append(f"of the sentences {match[0]}, which the model cites, it was shown {len(cited)}")
        for number in cited:
            if result and number == result[-1].last + 1:
                result[-1] = Run(result[-1].first, number)
            else:
                result.append(Run(number, number))
    return tuple(result[:most])


def _cited(documents: Sequence[Document], every: Sequence[Chunk], run: Run, span: Span, method: str) -> list[Citation]:
    """A run of sentences as citations: one for each document in which it stands, of a sentence where it is one."""
    result: list[Citation] = []
    for number in dict.fromkeys(every[at].document for at in range(run.first, run.last + 1)):
        segments = [every[at].segment for at in range(run.first, run.last + 1) if every[at].document == number]
        document = documents[number]
        if len(segments) == 1:
            result.append(Citation.of(segments[0], document.id, span, method=method))
        else:
            at = Span(segments[0].start, segments[-1].end)
            result.append(document.cite(at, segments[0].id, span, granularity="window", method=method))
    return result
