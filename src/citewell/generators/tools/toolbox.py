"""The tools with which a model reads documents: their arguments and results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from citewell import registry
from citewell.document import Document
from citewell.errors import UsageError
from citewell.generators.tools import arithmetic
from citewell.generators.tools.outline import Outline
from citewell.llm.tools import read_arguments
from citewell.protocols import Parameter, Tool, ToolCall
from citewell.text import untrusted
from citewell.text.tokens import estimate
from citewell.types import Passage, Segment

_FOUND = 5  # passages of a search
_LONGEST = 300  # characters of an argument in a trace
_NUMBER = {"string": str, "integer": int}
TOOLS = (
    Tool(
        "search",
        f"Search all documents. Returns the {_FOUND} passages that fit best, each with its number and page.",
        (Parameter("query", "string", "The words of the question, or others that the document may use."),),
    ),
    Tool(
        "open_section",
        "Read a section of the outline.",
        (Parameter("section", "integer", "Its number in the outline: 3 for S3."),),
    ),
    Tool(
        "open_page",
        "Read a page of a document.",
        (
            Parameter("document", "integer", "The number of the document, from 1."),
            Parameter("page", "integer", "The page, from 1."),
        ),
    ),
    Tool(
        "read_table",
        "Read a table of the outline, row by row, with the units and scales of its figures.",
        (Parameter("table", "integer", "Its number in the outline: 3 for T3."),),
    ),
    Tool(
        "compute",
        "Compute with figures that you have read. Never compute yourself.",
        (Parameter("expression", "string", "Numbers, + - * / and brackets: (41.3 - 38.4) / 38.4 * 100"),),
    ),
)


class Toolbox:
    """The tools over some documents, and what a model has read with them.

    Args:
        documents: what is read.
        room: the most tokens that all calls may bring together.
        each: the most tokens that one call may bring.

    Attributes:
        passages: what was read, in the order of its numbers, which begin at 1.
        trace: each call with its tool, its arguments, and the ranges that it read, the result or the error.
    """

    def __init__(self, documents: Sequence[Document], outline: Outline, *, room: int, each: int) -> None:
        self._documents, self._outline, self.room, self._each = documents, outline, room, each
        self.passages: list[Passage] = []
        self.trace: list[dict[str, Any]] = []
        self._numbers: dict[tuple[int, str], int] = {}
        self._asked: set[tuple[str, str]] = set()
        self._retriever = registry.build("retriever", "bm25")
        self._does: dict[str, Callable[..., Iterator[Passage] | str]] = {
            "search": self._search,
            "open_section": self._section,
            "open_page": self._page,
            "read_table": self._table,
            "compute": self._compute,
        }

    def call(self, call: ToolCall) -> str:
        """What a call brings, as the model reads it; what is wrong with the call is told in a sentence."""
        arguments = read_arguments(call)
        shown = {name[:64]: value for name, value in arguments.items() if isinstance(value, str | int)}
        shown = {name: value[:_LONGEST] if isinstance(value, str) else value for name, value in shown.items()}
        entry: dict[str, Any] = {"tool": call.name[:64], "arguments": shown}
        self.trace.append(entry)
        try:
            brought = self._called(call.name, arguments)
        except UsageError as error:
            entry["error"] = str(error)
            result = f"Error: {error}."
        else:
            if isinstance(brought, str):
                result = entry["result"] = brought
            else:
                result, read = self._rendered(brought)
                entry["read"] = self._ranges(read)
        self.room -= estimate(result)
        return result

    def _called(self, name: str, arguments: dict[str, Any]) -> Iterator[Passage] | str:
        asked = (name, repr(sorted(arguments.items())))
        if asked in self._asked:
            raise UsageError("this was called before: see the result above")
        self._asked.add(asked)
        tool = next((tool for tool in TOOLS if tool.name == name), None)
        if tool is None:
            raise UsageError(f"there is no tool {name[:64]!r}; there are {', '.join(tool.name for tool in TOOLS)}")
        values = []
        for parameter in tool.parameters:
            value = arguments.get(parameter.name)
            if parameter.type == "integer" and isinstance(value, str) and value.lstrip("ST").isdecimal():
                value = int(value.lstrip("ST")[:9])
            if not isinstance(value, _NUMBER[parameter.type]) or isinstance(value, bool):
                raise UsageError(f"{name} takes {parameter.name}, {parameter.type}: {parameter.description}")
            values.append(value)
        return self._does[name](*values)

    def _ranges(self, passages: Sequence[Passage]) -> list[dict[str, Any]]:
        """Where passages stand, those that follow each other as one range."""
        ranges = list[dict[str, Any]]()
        for number, segment in passages:
            document = self._documents[number]
            last = ranges[-1] if ranges and ranges[-1]["document"] == document.id else None
            if (
                last
                and last["start"] <= segment.start
                and not document.text[last["end"] : max(last["end"], segment.start)].strip()
            ):
                last["end"] = max(last["end"], segment.end)
            else:
                ranges.append({"document": document.id, "start": segment.start, "end": segment.end})
        return ranges

    def _rendered(self, passages: Iterator[Passage]) -> tuple[str, list[Passage]]:
        """Passages on lines of their own, numbered, as many as there is room for, between two lines that are alike."""
        lines, read, path = list[str](), list[Passage](), tuple[str, ...]()
        room, left = min(self._each, self.room), False
        for passage in passages:
            segment = passage.segment
            if segment.kind == "heading":
                continue
            line = " ".join(segment.text.split()) + self._readings(passage)
            size = estimate(line) + 8
            if size > room:
                left = True
                break
            room -= size
            if segment.path != path:
                path = segment.path
                lines.append(f"({self._where(passage)})")
            read.append(passage)
            lines.append(f"[{self._number(passage)}] {untrusted.passage(line)}")
        text = "\n".join(lines) or "Nothing."
        fence = untrusted.fence(text)
        rest = "\n(The rest did not fit: open a smaller part, or search.)" if left else ""
        return f"{fence}\n{text}\n{fence}{rest}", read

    def _number(self, passage: Passage) -> int:
        key = (passage.document, passage.segment.id)
        if key not in self._numbers:
            self.passages.append(passage)
            self._numbers[key] = len(self.passages)
        return self._numbers[key]

    def _where(self, passage: Passage) -> str:
        document = self._documents[passage.document]
        page = document.page_at(passage.segment.start)
        parts = [f"document {passage.document + 1}"] if len(self._documents) > 1 else []
        parts += [f"page {page}"] if page is not None else []
        parts += [" ".join(title.split()) for title in passage.segment.path[-2:]]
        return untrusted.passage(", ".join(parts) or "text")

    def _readings(self, passage: Passage) -> str:
        """What a row of a table does not say itself: the headers, the unit and the scale of its figures."""
        if passage.segment.kind != "table_row":
            return ""
        document, segment = self._documents[passage.document], passage.segment
        table = next((table for table in document.tables() if table.start <= segment.start < table.end), None)
        cells = [cell for cell in table.values() if segment.start <= cell.start < segment.end] if table else []
        return "".join(
            f" ‹{' '.join(' '.join(cell.column_path).split())}: {cell.text}"
            f"{f' {cell.unit}' if cell.unit else ''}{f' × {cell.scale:,}' if cell.scale != 1 else ''}›"
            for cell in cells
            if cell.value is not None
        )

    def _within(self, document: int, start: int, end: int) -> Iterator[Passage]:
        for segment in self._documents[document].segments("paragraph"):
            if segment.start < end and segment.end > start:
                yield Passage(document, segment)

    def _search(self, query: str) -> Iterator[Passage]:
        body: list[tuple[int, Segment]] = [
            (number, segment)
            for number, document in enumerate(self._documents)
            for segment in document.segments("paragraph")
            if segment.kind != "heading"
        ]
        hits = self._retriever.rank(query[:1000], [segment for _, segment in body])[:_FOUND]
        return (Passage(*body[hit.position]) for hit in hits)

    def _section(self, number: int) -> Iterator[Passage]:
        sections = self._outline.sections
        if not 1 <= number <= len(sections):
            raise UsageError(f"there are the sections 1 to {len(sections)}")
        document, segment = sections[number - 1]
        return self._within(document, segment.start, segment.end)

    def _page(self, number: int, page: int) -> Iterator[Passage]:
        if not 1 <= number <= len(self._documents):
            raise UsageError(f"there are the documents 1 to {len(self._documents)}")
        pages = self._documents[number - 1].pages
        opened = next((known for known in pages if known.number == page), None)
        if opened is None:
            raise UsageError(
                f"document {number} has the pages 1 to {len(pages)}" if pages else f"document {number} has no pages"
            )
        return self._within(number - 1, opened.start, opened.end)

    def _table(self, number: int) -> Iterator[Passage]:
        tables = self._outline.tables
        if not 1 <= number <= len(tables):
            raise UsageError(f"there are the tables 1 to {len(tables)}" if tables else "there is no table")
        document, table = tables[number - 1]
        return self._within(document, table.start, table.end)

    def _compute(self, expression: str) -> str:
        read = "\n".join(passage.segment.text for passage in self.passages)
        computed = {figure for entry in self.trace for figure in arithmetic.figures(entry.get("result", ""))}
        return f"{expression[:300]} = {arithmetic.compute(expression, arithmetic.figures(read) | computed)}"
