"""An answer to be written in a response's format, and how the response gave its citations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any, NamedTuple

from citewell.audit.claims import CitationJson
from citewell.types import Answer, Citation


class Written(NamedTuple):
    """An answer, and how a response gave its citations.

    Attributes:
        answer: with its citations.
        payloads: by the answer's own numbers of citations, without those that were added.
        data: the JSON of the response, which the result has the shape of; None where there is none.
    """

    answer: Answer
    payloads: Mapping[int, CitationJson]
    data: Mapping[str, Any] | None = None

    def parts(self) -> Iterator[tuple[str, list[int]]]:
        """The text in pieces: each statement with the numbers of its citations, and what stands between them."""
        text, position = self.answer.text, 0
        for statement in self.answer.statements:
            if statement.start > position:
                yield text[position : statement.start], []
            yield text[statement.start : statement.end], list(statement.citations)
            position = statement.end
        if position < len(text):
            yield text[position:], []

    def known(self, citation: Citation, *names: str) -> dict[str, Any]:
        """What the response calls the citation's document, if it cites it anywhere."""
        cited = self.answer.citations
        same = next((values for n, values in self.payloads.items() if cited[n].document_id == citation.document_id), {})
        return {name: same[name] for name in names if same.get(name) is not None}

    def place(self, citation: Citation) -> int:
        """The place of the citation's document among those that were given."""
        return next(n for n, info in enumerate(self.answer.documents) if info.id == citation.document_id)

    def title(self, citation: Citation) -> str | None:
        """The title of the citation's document, else where it lies."""
        info = self.answer.documents[self.place(citation)]
        return info.title or info.source

    def name(self, citation: Citation) -> str:
        """What a list of sources calls the citation's document: its address, else its file without folders."""
        info = self.answer.documents[self.place(citation)]
        source = info.source or ""
        return source if "://" in source else re.split(r"[\\/]", source)[-1] or info.title or info.id


def octets(text: str) -> list[int]:
    """For each place of a text how many bytes of UTF-8 stand before it."""
    return [0, *accumulate(len(char.encode("utf-8", "surrogatepass")) for char in text)]
