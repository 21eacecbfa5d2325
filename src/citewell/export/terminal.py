"""An answer or verdicts as text for a terminal: the answer with [n] marks, then the quotes of each statement.

Nothing rests on colour alone, and control characters of the document never reach the terminal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from citewell.document import Document
from citewell.export.table_rows import TableRow, table_row
from citewell.export.view import (
    View,
    abstention_sentences,
    build_view,
    confidence_sentence,
    doubt_sentence,
    one_line,
    quote_sentence,
    scored,
    value_sentence,
)
from citewell.text.safe import clean
from citewell.types import LABEL_SYMBOLS, LABEL_WORDS, Answer, Label, Partial, Verdict
from citewell.types.marks import Unmarked, between

STYLES = {"bold": "1", "dim": "2", "green": "32", "yellow": "33", "red": "31", "cyan": "36"}
LABEL_COLORS: dict[Label, str] = {
    "supported": "green",
    "partially_supported": "yellow",
    "not_supported": "red",
    "contradicted": "red",
    "quoted": "green",
    "unverified": "yellow",
    "no_claim": "dim",
}
_LONG = re.compile(r"(\S{1000})")  # so much of a word is wrapped by itself: what wraps looks at all of it for each line
_BLANK = re.compile(r"[^\S\u00a0]+")  # a mark stays on the line of the word that it follows


def render(
    result: Answer | Sequence[Verdict],
    documents: Sequence[Document] = (),
    *,
    width: int = 80,
    color: bool = False,
    already_printed: bool = False,
    named: bool = False,
) -> str:
    """The text, without a line break at its end.

    `width` is in columns; wide characters count as two. `already_printed` leaves out the question and the answer,
    which were shown while they arrived. `named` names the document where there is only one, too.
    """
    view = build_view(result, documents, flat=True, named=named)
    return _Writer(view, max(24, width), color, already_printed).text()


def question(text: str, *, color: bool = False) -> str:
    """The question as it stands above an answer."""
    return _painted(clean(one_line(text)), "bold", color)


def statement(part: Partial, *, color: bool = False) -> str:
    """One statement with its marks, and the text before it, as it is shown while an answer arrives."""
    marks = "".join(f"[{number + 1}]" for number in part.statement.supporting) or part.statement.mark
    text = part.statement.text if part.statement.label == "quoted" else Unmarked(part.statement.text).text
    return clean(between(part.before) + text) + (f" {_painted(clean(marks), 'cyan', color)}" if marks else "")


class _Writer:
    def __init__(self, view: View, width: int, color: bool, already_printed: bool = False) -> None:
        self.view, self.width, self.color, self.already_printed = view, width, color, already_printed
        self.lines: list[str] = []

    def text(self) -> str:
        answer = self.view.answer
        if answer.question and not self.already_printed:
            self.wrap(answer.question, style="bold")
            if answer.rewritten:
                self.wrap(f"understood as: {answer.rewritten}", style="dim")
            self.lines.append("")
        if answer.abstention:
            self.wrap(f"No answer. {' '.join(abstention_sentences(answer.abstention))}", style="yellow")
            self.evidence_without_statements()
        else:
            if not self.view.checked:
                if doubt := doubt_sentence(answer):
                    self.wrap(doubt, style="yellow")
                    self.lines.append("")
                if short := value_sentence(self.view):
                    self.wrap(short, style="bold")
                    self.lines.append("")
                if not self.already_printed:
                    rows = {
                        one_line(c.quote): row for c in answer.citations if (row := table_row(self.view.document(c), c))
                    }
                    for paragraph in _marked(self.view).strip().split("\n"):
                        text, _, marks = paragraph.partition("\u00a0[")
                        if text not in rows or not self.table(rows[text], "", f"[{marks}" if marks else ""):
                            self.wrap(paragraph)
                if answer.notice:
                    self.lines.append("")
                    self.wrap(answer.notice, style="yellow")
                if sure := confidence_sentence(answer):
                    self.lines.append("")
                    self.wrap(sure, style="bold")
                self.lines += ["", self.paint("Evidence", "bold")]
            self.evidence()
        if warnings := self.view.warnings():
            self.lines.append("")
        for warning in warnings:
            self.wrap(f"! {warning}", indent="  ", style="yellow", before="")
        return "\n".join(self.lines).strip("\n")

    def evidence(self) -> None:
        """Each statement's label, then the quotes that it rests on; a quote is written out once."""
        answer, written = self.view.answer, set[int]()
        for number, statement in enumerate(answer.statements):
            if statement.label == "no_claim" and not self.view.checked and not statement.citations:
                continue
            if number or not self.view.checked:
                self.lines.append("")
            symbol, word = LABEL_SYMBOLS[statement.label], LABEL_WORDS[statement.label]
            score = f" {scored(statement)}".rstrip()
            head = self.paint(f"{symbol} {word}", LABEL_COLORS[statement.label]) + self.paint(score, "dim")
            places = self.view.cited(statement)
            quotes = [one_line(answer.citations[index].quote) for index in places]
            line = one_line(statement.text)
            if self.view.checked or len(answer.statements) == 1 or quotes == [line]:
                self.lines.append(head)
                if self.view.checked:
                    self.wrap(line, indent="  ")
            else:
                room = self.width - len(f"{symbol} {word}{score}  ")
                self.lines.append(f"{head}  {self.paint(_shorten(clean(line), room), 'dim')}")
            for reason in statement.reasons:
                self.wrap(f"→ {self.view.explained(reason)}", indent="    ", before="  ", style="bold")
            if not statement.citations and not statement.reasons and statement.label != "no_claim":
                self.wrap("no evidence found in the document", indent="  ", style="dim")
            if places and not statement.supporting and statement.label != "no_claim":
                self.wrap("looked at:", indent="  ", style="dim")
            for index in places:
                self.quote(index, again=index in written)
                written.add(index)

    def evidence_without_statements(self) -> None:
        """Passages that were found for an answer that was not given."""
        if self.view.answer.citations:
            self.lines += ["", self.paint("The nearest passages", "bold")]
            for index in range(len(self.view.answer.citations)):
                self.quote(index, again=False)

    def quote(self, index: int, *, again: bool) -> None:
        """One citation: its number, its place and score, and below it the words."""
        citation = self.view.answer.citations[index]
        mark = f"[{index + 1}]"
        indent = " " * (3 + len(mark))
        place = self.view.place(citation)
        rest = f"{place}{' · ' if place else ''}{'quoted above' if again else self.view.remark(index)}"
        self.wrap(rest, indent=indent, before=f"  {self.paint(mark, 'cyan')} ", style="dim")
        row = None if again else table_row(self.view.document(citation), citation)
        if not again and (row is None or not self.table(row, indent)):
            self.wrap(quote_sentence(citation), indent=indent)

    def table(self, row: TableRow, indent: str, marks: str = "") -> bool:
        """A row below its headers in columns; False where the terminal is too narrow for them."""
        from wcwidth import width as columns

        cells = [tuple(map(clean, line)) for line in row]
        widths = [max(map(columns, pair)) for pair in zip(*cells, strict=True)]
        if len(indent) + sum(widths) + 2 * len(widths) + len(marks) > self.width:
            return False
        for line, behind in zip(cells, ("", f"  {marks}"), strict=True):
            first, *rest = (
                " " * (wide - columns(text)) + text if place else text + " " * (wide - columns(text))
                for place, (text, wide) in enumerate(zip(line, widths, strict=True))
            )
            self.lines.append(f"{indent}{'  '.join((first, *rest))}{behind}".rstrip())
        return True

    def wrap(self, text: str, *, indent: str = "", before: str | None = None, style: str = "") -> None:
        """Add the text, wrapped; `before` stands in place of the first line's indent, whose width it has."""
        from wcwidth import wrap

        columns = max(16, self.width - len(indent))
        parts = _LONG.split(clean(_BLANK.sub(" ", text).strip()))
        wrapped = [line for part in parts for line in wrap(part, columns)] or [""]
        for number, line in enumerate(wrapped):
            start = before if before is not None and number == 0 else indent
            self.lines.append((start + self.paint(line.replace("\u00a0", " "), style)).rstrip())

    def paint(self, text: str, style: str) -> str:
        return _painted(text, style, self.color)


def plain(text: str) -> str:
    """A text on one line that may be written to a terminal."""
    return clean(one_line(text) if not text.startswith(" ") else f"  {one_line(text)}")


def _painted(text: str, style: str, color: bool) -> str:
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if color and style and text else text


def _marked(view: View) -> str:
    """The answer with [n] marks after each statement that is supported, and label and reason after any other claim."""
    parts = list[str]()
    for text, statement in view.answer.pieces():
        parts.append(text)
        if statement is not None:
            marks = "".join(f"[{index + 1}]" for index in view.supporting(statement))
            parts.append(f"\u00a0{marks}" if marks else f" {statement.mark}" if statement.mark else "")
    return "".join(parts)


def _shorten(text: str, width: int) -> str:
    from wcwidth import clip
    from wcwidth import width as columns

    return text if columns(text) <= width else clip(text, 0, max(1, width - 1)).rstrip() + "…"
