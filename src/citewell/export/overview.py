"""An overview as text for a terminal, as Markdown, and as one self-contained HTML page."""

from __future__ import annotations

import html
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator

from citewell.export.markdown import escape
from citewell.export.view import cell_sentence
from citewell.text.safe import clean
from citewell.types import Answer, Citation
from citewell.types.overview import Detail, Overview

_MOST_HEADINGS = 40  # headings of an outline in a text
_DEEP = 2  # levels of it
_LONG = 400  # characters of an answer that is shown beside its question


def terminal(result: Overview, width: int = 80) -> str:
    """The text, without a line break at its end; control characters of the document never reach the terminal."""
    lines = list[str]()
    for heading, items in _parts(result):
        lines += [heading, *(line for item in items for line in _wrapped(item, width)), ""]
    return "\n".join(lines).rstrip()


def markdown(result: Overview) -> str:
    """Markdown: a heading for each part, an item a line."""
    lines = list[str]()
    for heading, items in _parts(result):
        lines += [f"## {escape(heading)}", "", *(f"- {escape(item)}" for item in items), ""]
    return "\n".join(lines).rstrip()


def page(result: Overview) -> str:
    """A self-contained HTML page, without scripts."""
    name = html.escape(clean(result.title.text if result.title else "Overview"))
    body = "".join(
        f"<section><h2>{html.escape(heading)}</h2><ul>{_listed(items)}</ul></section>"
        for heading, items in _parts(result)
    )
    style = (
        ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;"
        "padding:0 1rem}h1{font-size:1.5rem}h2{font-size:1.1rem;margin:1.6rem 0 .4rem}ul{padding-left:1.2rem;margin:0}"
        "li{margin:.3rem 0}"
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{name}</title><style>{style}</style></head><body><h1>{name}</h1>{body}</body></html>"
    )


def _listed(items: Iterable[str]) -> str:
    return "".join(f"<li>{html.escape(item)}</li>" for item in items)


def _parts(result: Overview) -> Iterator[tuple[str, list[str]]]:
    """The parts that have something, each with its lines."""
    details: tuple[tuple[str, Detail | None], ...] = (
        ("Title", result.title), ("By", result.author), ("Date", result.date), ("Period", result.period)
    )  # fmt: skip
    first = [f"Kind: {result.kind}", *(f"{name}: {_plain(detail.text)}" for name, detail in details if detail)]
    first += [f"Language: {result.language}"] if result.language else []
    first += [f"Pages: {result.document.pages}"] if result.document.pages else []
    yield "Document", first
    if result.statements:
        yield "What it says", [f"“{_plain(each.quote)}”{_page(each)}" for each in result.statements]
    if result.figures:
        yield (
            "Key figures and points",
            [
                f"{figure.name}: {_plain(figure.text)}"
                + (f" ({_plain(figure.period)})" if figure.period else "")
                + (f", {_plain(figure.change)}" if figure.change else "")
                + _page(figure.citations[0] if figure.citations else None)
                for figure in result.figures
            ],
        )
    if result.questions:
        yield (
            "Questions that it answers",
            [
                f"{each.question} — {textwrap.shorten(_plain(_reply(each.answer)), _LONG)}"
                + _page(each.answer.citations[0] if each.answer.citations else None)
                for each in result.questions
            ],
        )
    times = Counter(entry.level for entry in result.outline)
    deep = sorted(times)[: _DEEP + (times[min(times, default=0)] == 1)]  # a title above all is no level of parts
    entries = [entry for entry in result.outline if entry.level in deep][:_MOST_HEADINGS]
    if entries:
        yield (
            "Outline",
            [
                f"{'  ' * deep.index(entry.level)}{_plain(entry.title)}{f' (p. {entry.page})' if entry.page else ''}"
                for entry in entries
            ],
        )


def _reply(answer: Answer) -> str:
    """What the cell of the answer says, where its text is a row of cells, which says little by itself."""
    if " | " in answer.text and answer.value and answer.value.citations:
        return cell_sentence(answer.citations[answer.value.citations[0]]) or answer.value.text
    return answer.text


def _page(citation: Citation | None) -> str:
    return f" (p. {citation.page})" if citation and citation.page else ""


def _plain(text: str) -> str:
    return clean(" ".join(text.split()))


def _wrapped(item: str, width: int) -> list[str]:
    return textwrap.wrap(item, width, initial_indent="  ", subsequent_indent="    ", break_long_words=False) or [""]
