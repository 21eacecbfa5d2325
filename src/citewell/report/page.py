"""One HTML page that needs nothing else: its shell, its style, and slots that are filled in one pass."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping
from importlib import resources

_SLOT = re.compile(r"\{\{(\w+)\}\}")


def escape(text: str) -> str:
    """Text as HTML."""
    return html.escape(text)


def listed(lines: Iterable[str]) -> str:
    """Texts as a list; nothing where there are none."""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<ul>{items}</ul>" if items else ""


def resource(package: str, name: str) -> str:
    """A text file of a package."""
    return resources.files(package).joinpath(name).read_text(encoding="utf-8")


def fill(template: str, slots: Mapping[str, str]) -> str:
    """A template with its `{{slots}}` filled; one pass, so that what a document says is never taken for a slot."""
    return _SLOT.sub(lambda match: slots[match[1]], template)


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
        "style": resource(__package__, "page.css") + style,
        "body": body,
        "after": after,
    }
    return fill(resource(__package__, "page.html"), slots)
