"""Markdown: the rendered text without markup, so that quotes are readable; link addresses are left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import unescape
from typing import Any, cast

from citewell.document import Document
from citewell.errors import EmptyDocumentError, TooLargeDocumentError
from citewell.readers.budget import DEFAULT, Allowance, Budget
from citewell.readers.builder import Builder
from citewell.readers.decode import decode
from citewell.readers.front import Front, read_front

_NAMED = re.compile(r"\s*\{[#.][\w:. #-]*\}\s*\Z")  # what others link to: "Timing {#timing}"
_SCRIPT = re.compile(r"<(/?)(?:script|style|template|noscript)\b", re.IGNORECASE)


def read_markdown(data: bytes, *, source: str | None = None, budget: Budget = DEFAULT) -> Document:
    """A Markdown file: CommonMark with tables, footnotes and strikethrough.

    Raises DocumentError: as `citewell.read`.
    """
    import mistune

    text, warnings = decode(data)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    front = read_front(text)
    builder = Builder(Allowance(budget, len(data), source or "the document"))
    builder.warnings += warnings
    parse = mistune.create_markdown(renderer=None, plugins=["table", "footnotes", "strikethrough", "task_lists"])
    try:
        tokens, _ = parse.parse(front.below)
        _begin(builder, front)
        _Walker(builder).blocks(cast("list[dict[str, Any]]", tokens), 0)
    except RecursionError as error:
        raise TooLargeDocumentError(f"{source or 'the document'} nests quotes or lists too deep", "nesting") from error
    if not builder.blocks:
        raise EmptyDocumentError(f"{source or 'the document'} has no text")
    return builder.document(title=front.title, source=source)


def _begin(builder: Builder, front: Front) -> None:
    """What front matter says of the text, above it: pages show it there."""
    for line in front.lines:
        builder.add(line)


class _Walker:
    """Turns mistune's tokens into blocks."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self._script = False  # between <script> and </script>, which may stand in different tokens

    def blocks(self, tokens: Iterable[Mapping[str, Any]], depth: int) -> None:
        """Append block tokens; `depth` is that of the list around them."""
        add = self.builder.add
        for token in tokens:
            kind, inside = token["type"], token.get("children", ())
            if kind == "block_html":
                self._html(token["raw"])
            elif kind == "heading":
                add(_NAMED.sub("", self._inline(inside).replace("\n", " ")), "heading", token["attrs"]["level"])
            elif kind == "paragraph" and [each["type"] for each in inside] == ["image"]:
                add(self._inline(inside), "caption")
            elif kind in {"paragraph", "block_text"}:
                add(self._inline(inside), *(("list_item", depth) if depth else ("paragraph", 0)))
            elif kind == "block_code":
                add("" if self._script else token["raw"], "code")
            elif kind == "table":
                self.builder.table([[self._inline(cell.get("children", ())) for cell in row] for row in _rows(inside)])
            elif inside:
                self.blocks(inside, depth + (kind == "list"))

    def _inline(self, tokens: Iterable[Mapping[str, Any]]) -> str:
        parts: list[str] = []
        for token in tokens:
            kind, raw = token["type"], token.get("raw", "")
            if kind == "inline_html":
                parts.append("\n" if raw.lower().startswith("<br") else "")
                self._track(raw)
            elif self._script:
                continue
            elif kind == "softbreak":
                parts.append(" ")
            elif kind == "linebreak":
                parts.append("\n")
            elif kind == "footnote_ref":
                parts.append(f"[{token['attrs']['index']}]")
            elif "children" in token:
                parts.append(self._inline(token["children"]))
            else:
                parts.append(raw if kind == "codespan" else unescape(raw))
        return "".join(parts)

    def _html(self, raw: str) -> None:
        from citewell.readers.html import Walker, parse

        hidden = self._script
        self._track(raw)
        if hidden:
            raw = (
                ""
                if self._script
                else re.sub(r"\A.*</(?:script|style|template|noscript)\s*>", "", raw, flags=re.DOTALL | re.IGNORECASE)
            )
        root = parse(raw) if raw.strip() else None
        if root is not None:
            Walker(self.builder).walk(root)

    def _track(self, raw: str) -> None:
        for match in _SCRIPT.finditer(raw):
            self._script = not match[1]


def _rows(parts: Iterable[Mapping[str, Any]]) -> Iterable[Sequence[Mapping[str, Any]]]:
    for part in parts:
        if part["type"] == "table_head":
            yield part["children"]  # the cells of the head stand in no row
        else:
            yield from (row["children"] for row in part["children"])
