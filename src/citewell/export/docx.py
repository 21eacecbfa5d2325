"""An answer or verdicts as a Word document, with label and evidence as comments on the statements."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any

from citewell.document import Document
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
from citewell.types import LABEL_SYMBOLS, LABEL_WORDS, Answer, Statement, Verdict

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_AUTHOR = "citewell"


def render(result: Answer | Sequence[Verdict], documents: Sequence[Document] = ()) -> bytes:
    """The file's bytes; needs python-docx."""
    import docx

    view, document = build_view(result, documents), docx.Document()
    answer = view.answer
    document.core_properties.title = _plain(one_line(answer.question or ""))[:255]
    document.core_properties.author = _AUTHOR
    if answer.question:
        document.add_heading(_plain(one_line(answer.question)), level=1)
    if answer.abstention:
        document.add_paragraph(_plain(f"No answer. {' '.join(abstention_sentences(answer.abstention))}"))
        for index in range(len(answer.citations)):
            document.add_paragraph(_plain(_evidence(view, index)), style="List Bullet")
    else:
        if not view.checked and (doubt := doubt_sentence(answer)):
            document.add_paragraph().add_run(_plain(doubt)).italic = True
        if short := value_sentence(view):
            document.add_paragraph().add_run(_plain(short)).bold = True
        _statements(document, view)
    for line in filter(None, (confidence_sentence(answer), *(f"Warning: {warning}" for warning in view.warnings()))):
        document.add_paragraph().add_run(_plain(line)).italic = True
    data = io.BytesIO()
    document.save(data)
    return data.getvalue()


def _statements(document: Any, view: View) -> None:
    """The text as it is, a paragraph a line, each statement with its comment; claims are a list."""
    from docx.enum.text import WD_COLOR_INDEX

    answer, position, paragraph = view.answer, 0, document.add_paragraph()
    for statement in answer.statements:
        between = answer.text[position : statement.start]
        if "\n" in between and position:
            paragraph = document.add_paragraph()
            between = between.rsplit("\n", 1)[1]
        if between:
            paragraph.add_run(_plain(between))
        run = paragraph.add_run(_plain(statement.text))
        if statement.mark:
            run.font.highlight_color = WD_COLOR_INDEX.YELLOW
            paragraph.add_run(_plain(f" {statement.mark}")).italic = True
        if statement.label != "no_claim" or statement.citations:
            _comment(document, run, view, statement)
        position = statement.end
    for rest in filter(None, (answer.text[position:].strip(), answer.notice)):
        document.add_paragraph(_plain(rest))


def _comment(document: Any, run: Any, view: View, statement: Statement) -> None:
    score = f" ({scored(statement)})" if scored(statement) else ""
    label = f"{LABEL_SYMBOLS[statement.label]} {LABEL_WORDS[statement.label]}{score}"
    lines = [label, *(view.explained(reason) for reason in statement.reasons)]
    evidence = [_evidence(view, index) for index in view.cited(statement)]
    lines += ["looked at:"] if evidence and statement.mark else []
    lines += evidence or ["no evidence"]
    comment = document.add_comment(run, author=_AUTHOR, initials="cw")
    comment.paragraphs[0].add_run(_plain(lines[0])).bold = True
    for line in lines[1:]:
        comment.add_paragraph(_plain(line))


def _evidence(view: View, index: int) -> str:
    citation = view.answer.citations[index]
    place = view.place(citation)
    lacks = view.lacking(index)
    return f"[{index + 1}] {place}{': ' if place else ''}{quote_sentence(citation)}{f' ({lacks})' if lacks else ''}"


def _plain(text: str) -> str:
    """The text without what XML cannot hold."""
    return _NOT_XML.sub("\ufffd", clean(text))
