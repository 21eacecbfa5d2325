"""An answer or verdicts as Markdown: footnote marks after each statement, quotes as block quotes in the footnotes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from citewell.document import Document
from citewell.export.table_rows import table_row
from citewell.export.view import (
    View,
    abstention_sentences,
    build_view,
    confidence_sentence,
    doubt_sentence,
    one_line,
    scored,
    value_sentence,
)
from citewell.text.safe import clean
from citewell.types import LABEL_SYMBOLS, LABEL_WORDS, Answer, Statement, Verdict

# CommonMark lets a backslash stand before any ASCII punctuation; only what can begin markup is escaped.
_SPECIAL = re.compile(
    r"[\\`*_\[\]<>#|~$&@]|:(?=//)|(?<=www)\.|(?<=mailto):|(?<=xmpp):",  # the last are links without any markup
    re.IGNORECASE,
)
_BREAK = re.compile(r"\r\n?")
_INDENT = re.compile(r"^(?: {0,3}\t[ \t]*| {4}[ \t]*)", re.MULTILINE)  # code, in spaces that make none
_LINE = re.compile(r"(?<!\n)\n(?!\n)")  # between statements, where Markdown would go on in the same line
_LINE_START = re.compile(r"^(\s*)(?:([-+=:])|(\d+)([.)]))", re.MULTILINE)


def render(result: Answer | Sequence[Verdict], documents: Sequence[Document] = (), *, named: bool = False) -> str:
    """The Markdown text, without a line break at its end (GitHub's footnote syntax)."""
    view = build_view(result, documents, flat=True, named=named)
    parts = [f"**{escape(one_line(view.answer.question))}**"] if view.answer.question else []
    if view.answer.rewritten:
        parts.append(f"*Understood as:* {escape(one_line(view.answer.rewritten))}")
    if view.answer.abstention:
        parts.append(f"*No answer.* {escape(' '.join(abstention_sentences(view.answer.abstention)))}")
        if view.answer.citations:
            parts.append("The nearest passages:")
            parts += [_evidence(view, index) for index in range(len(view.answer.citations))]
    else:
        parts += [f"*{escape(doubt)}*"] if not view.checked and (doubt := doubt_sentence(view.answer)) else []
        parts += [f"**{escape(short)}**"] if (short := value_sentence(view)) else []
        parts += _claims(view) if view.checked else _paragraphs(view)
        parts += [_footnote(view, index) for index in view.listed if view.checked or index in view.answer.supporting]
        parts += [] if view.checked else _looked_at(view)
    parts += [f"*Warning: {escape(warning)}*" for warning in view.warnings()]
    return "\n\n".join(parts)


def escape(text: str) -> str:
    """The text so that Markdown shows it as it is: without markup, links, indented code and control characters."""
    escaped = _SPECIAL.sub(lambda match: "\\" + match[0], clean(_BREAK.sub("\n", text)))
    escaped = _INDENT.sub(lambda match: "\u00a0" * len(match[0].expandtabs(4)), escaped)
    return _LINE_START.sub(lambda m: f"{m[1]}\\{m[2]}" if m[2] else f"{m[1]}{m[3]}\\{m[4]}", escaped)


def _paragraphs(view: View) -> list[str]:
    """The answer with a footnote mark after each supported statement, label and reason after any other claim."""
    answer, text = view.answer, ""
    for words, statement in answer.pieces():
        between = _LINE.sub("\\\\\n", escape(words)) if statement is None else escape(words)
        text += between + ("" if statement is None else _marks(view, statement))
    text += f"\n\n{escape(answer.notice)}" if answer.notice else ""
    reasons = [f"- {escape(view.explained(reason, apart=True))}" for _, reason in view.reasons()]
    sure = confidence_sentence(answer)
    return [text.strip(), *([f"**{escape(sure)}**"] if sure else []), *(["\n".join(reasons)] if reasons else [])]


def _marks(view: View, statement: Statement) -> str:
    marks = "".join(f"[^{index + 1}]" for index in view.supporting(statement))
    return f" *{escape(statement.mark)}*" if statement.mark else marks


def _claims(view: View) -> list[str]:
    items = []
    for statement in view.answer.statements:
        score = f" ({scored(statement)})" if scored(statement) else ""
        label = f"{LABEL_SYMBOLS[statement.label]} {LABEL_WORDS[statement.label]}{score}"
        marks = "".join(f"[^{index + 1}]" for index in statement.citations)
        items.append(f"- **{label}** {escape(one_line(statement.text))}{marks}")
        items += [f"  - {escape(view.explained(reason))}" for reason in statement.reasons]
    return ["\n".join(items)]


def _footnote(view: View, index: int) -> str:
    """A footnote whose body is the place and the quote; four spaces keep the quote inside it."""
    body = _evidence(view, index).replace("\n", "\n    ").replace("\n    \n", "\n\n")
    return f"[^{index + 1}]: {body}"


def _looked_at(view: View) -> list[str]:
    """The evidence of claims that it does not support, apart from the footnotes."""
    parts = list[str]()
    for statement, numbers in view.looked_at:
        parts.append(f"Looked at for “{escape(one_line(statement.text))}” *{escape(statement.mark)}*:")
        parts += [_evidence(view, index) for index in numbers]
    return parts


def _evidence(view: View, index: int) -> str:
    citation = view.answer.citations[index]
    place = escape(view.place(citation)) or "In the document"
    row = table_row(view.document(citation), citation)
    if row is None:
        return f"{place} ({escape(view.remark(index))}):\n\n> {escape(one_line(citation.quote))}"
    heads, texts = (f"> | {' | '.join(map(escape, line))} |" for line in row)
    return f"{place} ({escape(view.remark(index))}):\n\n{heads}\n> |{' --- |' * len(row[0])}\n{texts}"
