"""Formats with one text and one list of sources that differ only in field names: Exa, Kagi, Vectara."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from citewell.audit.claims import Claim, Response
from citewell.audit.wire_lists import listed, web
from citewell.audit.written import Written

_LINK = re.compile(r"\(\[[^\[\]\n]{0,300}\]\((https?://[^\s()]{1,2000})\)\)")


class Listing(NamedTuple):
    """Where a format has what."""

    form: str  # its name
    text: tuple[str, ...]  # the fields that lead to the answer
    sources: tuple[str, ...]  # those that lead to the list
    name: str  # the field of a source that names its document
    quote: str  # that of its words
    # Whether sources are marked by links to their addresses, `([title](https://...))`, and not by numbers
    links: bool = False

    def fits(self, data: Mapping[str, Any]) -> bool:
        """Whether a response has these fields."""
        entries = _at(data, self.sources)
        return (
            isinstance(_at(data, self.text), str)
            and isinstance(entries, list)
            and all(isinstance(entry, Mapping) and self.quote in entry for entry in entries)
        )

    def read(self, data: Mapping[str, Any]) -> Response:
        """The answer and its claims."""
        entries, text = _at(data, self.sources), _at(data, self.text)
        sources = {
            number: Claim(0, 0, entry.get(self.name), (str(entry[self.quote]),), address=web(entry.get("url")))
            for number, entry in enumerate(entries, 1)
        }
        if self.links:
            numbers = {str(entry.get("url")): number for number, entry in enumerate(entries, 1)}
            text = _LINK.sub(lambda match: f"[{numbers.get(match[1], len(numbers) + 1)}]", text)
        return listed(self.form, text, sources)

    def write(self, written: Written) -> dict[str, Any]:
        """The response with our citations; what is added follows its sources."""
        data = copy.deepcopy(dict(written.data or {}))
        entries = list(_at(data, self.sources) or ())
        text, added = written.marked(len(entries) + 1, lambda number: f" [{number}]")
        for cited in added:
            address = written.name(cited)
            url = {"url": address} if web(address) or self.links else {}
            named = written.title(cited) if url else address
            entries.append({self.name: named, self.quote: cited.quote, **url})
        if self.links:
            linked = [f" ([{entry.get(self.name)}]({entry.get('url')}))" for entry in entries]
            text, _ = written.marked(len(entries) - len(added) + 1, lambda number: linked[number - 1])
        for path, value in ((self.text, text), (self.sources, entries)):
            holder = data
            for field in path[:-1]:
                holder = holder.setdefault(field, {})
            holder[path[-1]] = value
        return data


def _at(data: Any, path: tuple[str, ...]) -> Any:
    for field in path:
        data = data.get(field) if isinstance(data, Mapping) else None
    return data


LISTINGS = (
    Listing("exa", ("answer",), ("citations",), "title", "text", links=True),
    Listing("kagi", ("data", "output"), ("data", "references"), "title", "snippet"),
    Listing("vectara", ("summary",), ("search_results",), "document_id", "text"),
)
