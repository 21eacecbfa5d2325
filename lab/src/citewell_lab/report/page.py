"""One self-contained HTML page: its shell, its style, and slots that are filled in one pass."""

from __future__ import annotations

import html
from collections.abc import Iterable

from citewell.export.html_text import fill
from citewell.text.data import read_text


def escape(text: str) -> str:
    """Text as HTML."""
    return html.escape(text)


def listed(lines: Iterable[str]) -> str:
    """Texts as a list; nothing where there are none."""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<ul>{items}</ul>" if items else ""


def page(title: str, body: str, *, style: str = "", after: str = "") -> str:
    """A page that reads on light and dark ground.

    Args:
        title: of the page, as text.
        body: HTML below the title.
        style: CSS beside that of all pages.
        after: HTML at the end: data and script.
    """
    slots = {
        "title": escape(title),
        "style": read_text(__package__, "page.css") + style,
        "body": body,
        "after": after,
    }
    return fill(read_text(__package__, "page.html"), slots)
