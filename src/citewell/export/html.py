"""An answer or verdicts next to their documents, as one self-contained HTML page.

The page needs nothing from elsewhere, and its content security policy lets it load nothing: style and script are
allowed by their hashes. Everything is in the page before a script runs, so it can be read and printed without one.
"""

from __future__ import annotations

import base64
import functools
import hashlib
from collections.abc import Sequence

from citewell import registry
from citewell.document import Document
from citewell.export.html_document import document_html
from citewell.export.html_text import attribute, escape, fill, pieces
from citewell.export.table_rows import heads_in_answer, table_row
from citewell.export.view import (
    View,
    abstention_sentences,
    build_view,
    cell_sentence,
    doubt_sentence,
    one_line,
    scored,
    value_sentence,
)
from citewell.text.data import read_text
from citewell.types import LABEL_SYMBOLS, LABEL_WORDS, LABELS, QUIET, Answer, Citation, Statement, Verdict

_BUTTON = ' role="button" tabindex="0" aria-pressed="false"'
_UNCOVERED = -1  # stands for words that the evidence lacks among the numbers of citations and reasons


def render(result: Answer | Sequence[Verdict], documents: Sequence[Document], *, named: bool = False) -> str:
    """The page. Only documents that are given are shown; a citation into another one has its quote in the list."""
    view = build_view(result, documents, named=named)
    style, script = _resource("html_report.css"), _resource("html_report.js")
    name = one_line(view.answer.question or ("Claims checked" if view.checked else "Answer with its evidence"))
    slots = {
        "title": escape(name),
        "policy": f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'",
        "style": style,
        "script": script,
        "kind": "Claims" if view.checked else "Question" if view.answer.question else "Answer",
        "heading": escape(name),
        "layout": ' class="sides"' if view.exact else "",
        "how": _how(view),
        "steps": "copied words" if view.exact else "statements",
        "answer": _answer(view),
        "evidence": _evidence(view),
        "notes": _notes(view),
        "documents": "\n".join(document_html(view, number) for number in range(len(view.documents))),
        "contents": _contents(view),
    }
    return fill(_resource("html_report.html"), slots)


@functools.cache
def _resource(name: str) -> str:
    return read_text("citewell.export", name)


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


_SETTINGS = {"layer": "layer of the sources", "token_layer": "layer of the copied tokens"}


def _how(view: View) -> str:
    """By which method and at which layers copied words were found, where they were."""
    if not view.exact:
        return ""
    facts: list[tuple[str, str]] = []
    for method in dict.fromkeys(citation.method for citation in view.answer.citations if citation.method):
        spec = registry.parse(method)
        facts += [("method", spec.name), *((_SETTINGS.get(key, key), str(value)) for key, value in spec.params)]
    kinds = {citation.granularity for citation in view.answer.citations}
    facts.append(("evidence", "windows of tokens" if "window" in kinds else "single tokens or words"))
    items = "".join(f"<div><dt>{escape(key)}</dt><dd>{escape(value)}</dd></div>" for key, value in facts)
    return f'<dl class="how">{items}</dl>'


def _answer(view: View) -> str:
    """The abstention, the claims, or the answer as running text with its statements marked."""
    answer = view.answer
    whole = f'<p dir="auto">Understood as: {escape(answer.rewritten)}</p>' if answer.rewritten else ""
    if answer.abstention:
        first, *rest = abstention_sentences(answer.abstention)
        reason = f'<p class="reason" dir="auto">{escape(first)}</p>' + "".join(
            f"<p>{escape(line)}</p>" for line in rest
        )
        heading = '<h2><span aria-hidden="true">∅</span> No answer</h2>'
        return f'{whole}<div class="abstained" role="note">{heading}{reason}</div>'
    statements = [_statement(view, number) for number in range(len(answer.statements))]
    if view.checked:
        reasons = [_reasons(view, number) for number in range(len(statements))]
        both = zip(statements, reasons, strict=True)
        claims = "".join(f'<li dir="auto">{statement}{why}</li>' for statement, why in both)
        return f'{_summary(view)}<ol class="claims">{claims}</ol>'
    parts, position = [], 0
    for statement, rendered in zip(answer.statements, statements, strict=True):
        parts += [escape(answer.text[position : statement.start]), rendered]
        position = statement.end
    text = "".join([*parts, escape(answer.text[position:])])
    text += f'<p class="removed">{escape(answer.notice)}</p>' if answer.notice else ""
    sentence = doubt_sentence(answer)
    doubt = f'<p class="confidence">{escape(sentence)}</p>' if sentence else ""
    below = f"{_confidence(view)}{_summary(view)}{_reasons(view)}"
    return f'{whole}{doubt}{_value(view)}<div class="text" dir="auto">{text}</div>{below}'


def _value(view: View) -> str:
    sentence = value_sentence(view)
    if not sentence or view.answer.value is None:
        return ""
    cited = view.answer.value.citations[0]
    return f'<p class="value" dir="auto"><a class="cite" href="#c{cited}" data-c="{cited}">{escape(sentence)}</a></p>'


def _confidence(view: View) -> str:
    """How likely the answer answers its question, large, where that is known."""
    sure = view.answer.confidence
    if sure is None or doubt_sentence(view.answer):
        return ""
    return f'<p class="confidence"><strong>{sure:.0%}</strong> confidence that this answers the question</p>'


def _reasons(view: View, statement: int | None = None) -> str:
    """What differs between statements and their evidence, each linked with both places: of one statement or of all."""
    items = "".join(
        f'<li data-r="{index}" tabindex="0">{escape(view.explained(reason, apart=statement is None))}</li>'
        for index, (number, reason) in enumerate(view.reasons())
        if statement in (None, number)
    )
    return f'<ul class="reasons" aria-label="What differs from the evidence">{items}</ul>' if items else ""


def _statement(view: View, number: int) -> str:
    """A statement as a button, its label as symbol and word, then links to its evidence."""
    answer, statement = view.answer, view.answer.statements[number]
    spans = [
        (max(citation.answer_start, statement.start), min(citation.answer_end, statement.end), index)
        for index, citation in ((index, answer.citations[index]) for index in statement.citations)
    ]
    missing = [(start, end, _UNCOVERED) for start, end in view.uncovered]
    first = len(answer.citations)
    faults = [
        (reason.start, reason.end, first + index)
        for index, (owner, reason) in enumerate(view.reasons())
        if owner == number and (reason.start, reason.end) != (statement.start, statement.end)
    ]
    parts: list[str] = []
    opened: set[str] = set()
    kind = "covered copied" if view.exact else "covered"
    cited_rows = (answer.citations[index] for index in statement.citations)
    heads = {
        end: head for row in cited_rows for end, head in heads_in_answer(answer.text, view.document(row), row).items()
    }
    for start, end, inside in pieces(statement.start, statement.end, [*spans, *missing, *faults], heads):
        text = escape(answer.text[start:end])
        if heads:
            text = text.replace(" | ", " · ") + (f" <small>({escape(heads[end])})</small>" if heads.get(end) else "")
        if wrong := [index - first for index in inside if index >= first]:
            paired = " ".join(map(str, wrong))
            message = attribute("; ".join(one_line(view.reasons()[index][1].message) for index in wrong))
            text = f'<span class="fault" data-r="{paired}" title="{message}">{text}</span>'
        elif _UNCOVERED in inside:
            text = f'<span class="missing" title="not found in the evidence">{text}</span>'
        cited = " ".join(str(index) for index in inside if 0 <= index < first)
        # A copied span may be in pieces, where it differs from its evidence: the first is the button for all.
        button = _BUTTON if view.exact and cited not in opened else ""
        opened.add(cited)
        parts.append(f'<span class="{kind}"{button} data-c="{cited}">{text}</span>' if cited else text)
    cites = " ".join(str(index) for index in statement.citations)
    links = _links(view, statement)
    # Where each copied span is a button, the statement around them is none: buttons do not nest.
    button = "" if view.exact else f'role="button" tabindex="{0 if number == 0 else -1}" aria-pressed="false" '
    return (
        f'<span class="statement {statement.label}" {button}dir="auto" '
        f'data-s="{number}" data-cites="{cites}" data-said="{attribute(_verdict(view, statement))}">'
        f"{''.join(parts)}{_label(statement, view)}</span>{links}"
    )


def _links(view: View, statement: Statement) -> str:
    """Links to the evidence that supports a statement; else the reason, with links to what was looked at."""
    plain = statement.supporting or view.checked or statement.label == "no_claim"
    links = "".join(
        f'\u2060<a class="cite{"" if plain else " against"}" href="#c{index}" data-c="{index}" '
        f'aria-label="{"evidence" if plain else "looked at:"} {index + 1}">{index + 1}</a>'
        for index in view.cited(statement)
    )
    if plain or not statement.mark:
        return links
    looked = f"; looked at {links}" if links else ""
    reasons = escape("; ".join(one_line(reason.message) for reason in statement.reasons))
    return f' <span class="mark {statement.label}">({reasons or LABEL_WORDS[statement.label]}{looked})</span>'


def _verdict(view: View, statement: Statement) -> str:
    """What the live region says when the statement is chosen."""
    count = len(view.cited(statement))
    passages = "no evidence" if not count else "1 passage" if count == 1 else f"{count} passages"
    score = f" ({scored(statement)})" if scored(statement) else ""
    return f"{LABEL_WORDS[statement.label].capitalize()}{score}, {passages}"


def _label(statement: Statement, view: View) -> str:
    word = LABEL_WORDS[statement.label]
    if view.checked:
        word = f"{word} {scored(statement)}".rstrip()
    hidden = " quiet" if statement.label in QUIET and not view.checked else ""
    judged = statement.label != "no_claim" or view.checked
    symbol = f'<span aria-hidden="true">{LABEL_SYMBOLS[statement.label]}</span>' if judged else ""
    return f'<span class="label {statement.label}{hidden}">{symbol}<span class="word"> {word}</span></span>'


def _summary(view: View) -> str:
    labels = [statement.label for statement in view.answer.statements]
    counts = [(label, labels.count(label)) for label in LABELS if label in labels]
    items = "".join(
        f'<li class="label {label}"><span aria-hidden="true">{LABEL_SYMBOLS[label]}</span> {count} {LABEL_WORDS[label]}'
        "</li>"
        for label, count in counts
    )
    return f'<ul class="summary" aria-label="Labels">{items}</ul>' if items else ""


def _evidence(view: View) -> str:
    """The list of quotes, each with its place, its score and the statements that rest on it."""
    if not view.answer.citations:
        return ""
    title = "The nearest passages" if view.answer.abstention else "Evidence"
    cards = "".join(_card(view, index) for index in view.listed)
    return (
        f'<section class="evidence" aria-labelledby="evidence"><h2 id="evidence">{title}</h2><ol>{cards}</ol></section>'
    )


def _quoted(view: View, citation: Citation) -> str:
    """The quote of a card: each figure of a row with its header, a cell in words, else the words themselves."""
    row = table_row(view.document(citation), citation)
    if row is None:
        return escape(cell_sentence(citation) or one_line(citation.quote))
    (_, *heads), (label, *texts) = row
    figures = " · ".join(f"{text} ({head})" if head else text for head, text in zip(heads, texts, strict=True))
    return escape(f"{label}: {figures}" if label else figures)


def _card(view: View, index: int) -> str:
    citation = view.answer.citations[index]
    place = escape(view.place(citation)) or "in the document"
    near = view.answer.abstention is not None
    lacks = f'<p class="lacks">{escape(view.remark(index))}</p>' if near else ""
    score = "" if near else f' <span class="score">score {citation.score:.2f}</span>'
    return (
        f'<li class="card" id="e{index}" data-c="{index}">'
        f'<a class="go" href="#c{index}" data-c="{index}"><span class="number">{index + 1}</span> '
        f'<span class="place">{place}</span></a>{score}'
        f'<blockquote dir="auto">{_quoted(view, citation)}</blockquote>{lacks}</li>'
    )


def _notes(view: View) -> str:
    warnings = "".join(f"<li>{escape(warning)}</li>" for warning in view.warnings())
    listed = f'<section class="warnings"><h2>Warnings</h2><ul>{warnings}</ul></section>' if warnings else ""
    method = f'<p class="method">Method: {escape(view.answer.method)}</p>' if view.answer.method else ""
    return listed + method


def _contents(view: View) -> str:
    if len(view.documents) < 2:
        return ""
    links = "".join(
        f'<li><a href="#d{number}">{escape(view.title(document.id))}</a></li>'
        for number, document in enumerate(view.documents)
    )
    return f'<nav class="contents" aria-label="Documents"><ul>{links}</ul></nav>'
