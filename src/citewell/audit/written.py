"""An answer to be written in a response's format, and that format's way of citing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate
from types import MappingProxyType
from typing import Any, NamedTuple

from citewell.audit.claims import CitationJson
from citewell.types import Answer, Citation


class Written(NamedTuple):
    """An answer, and how a response gave its citations."""

    answer: Answer  # with its citations
    payloads: Mapping[int, CitationJson]  # by the answer's own numbers of citations, without those that were added
    # The JSON of the response, which the result has the shape of; None where there is none
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

    def marked(
        self,
        first: int,
        mark: Callable[[int], str],
        key: Callable[[Citation], Any] = lambda cited: (cited.document_id, cited.start, cited.end),
        known: Mapping[Any, int] = MappingProxyType({}),
    ) -> tuple[str, list[Citation]]:
        """The text with marks that count sources, and the citations that need a source of their own, in their order.

        Args:
            first: the number of the first source that is added.
            mark: what stands in the text for a number.
            key: what citations of one source have in common.
            known: numbers that sources have, by their keys.
        """
        numbers, added, parts = dict(known), list[Citation](), list[str]()
        for text, members in self.parts():
            named = dict[int, None]()
            for member in members:
                cited = self.answer.citations[member]
                if member in self.payloads:
                    numbers.setdefault(key(cited), self.payloads[member]["number"])
                elif key(cited) not in numbers:
                    numbers[key(cited)] = first + len(added)
                    added.append(cited)
                named[self.payloads[member]["number"] if member in self.payloads else numbers[key(cited)]] = None
            parts += [text, *map(mark, named)]
        return "".join(parts), added

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
