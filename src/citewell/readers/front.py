"""Front matter of Markdown: what stands above the text about it, as lines that can be read and cited.

read_front(text).lines     # ("Authors: Ann Oxley", "Date: 2025-07-01")
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from citewell.text.data import words

_FENCED = re.compile(r"\A\s*```ya?ml[ \t]*\n(---[ \t]*\n.*?\n---)[ \t]*\n```[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT = re.compile(r"\A(---|\+\+\+)[ \t]*\n(.*?\n)?(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"(?P<name>[A-Za-z][\w-]*+(?: [\w-]++){0,5}+)[ \t]*+[:=][ \t]*+(?P<value>.*)")
_ENTRY = re.compile(r"[ \t]*+-[ \t]++(?:name[ \t]*+:[ \t]*+)?+(?P<value>.+)|[ \t]++name[ \t]*+:[ \t]*+(?P<named>.+)")
_OTHER = re.compile(r"[\w-]+[ \t]*:(?:[ \t]|\Z)")  # a field of an entry
_BLOCK = re.compile(r"[|>][+-]?\d?")
_MIDNIGHT = re.compile(r"(\d{4}-\d\d-\d\d)[T ][\d:.]+(?:Z| ?[+-]\d\d:?\d\d)?")
_EMPTY = ("", "null", "~", "[]", "{}", "none", "true", "false")


class Front(NamedTuple):
    """The title, a line for each thing that is said of the text, and the text below."""

    title: str | None
    lines: tuple[str, ...]
    below: str


def read_front(text: str) -> Front:
    """The front matter of a text, taken off it. What is for a program, such as a layout, makes no line."""
    fenced = _FENCED.match(text)
    front = _FRONT.match(fenced[1] if fenced else text)
    if front is None:
        return Front(None, (), text)
    title, lines = None, list[str]()
    for name, value in _fields(front[2] or ""):
        if name.lower() == "title":
            title = title or value
        elif name.lower() in words(__package__, "front.json", "fields"):
            lines.append(f"{name[0].upper()}{re.sub('[_-]', ' ', name[1:])}: {value}")
    return Front(title, tuple(lines), text[(fenced or front).end() :])


def _fields(front: str) -> Iterator[tuple[str, str]]:
    """The names of the fields and their values, of a list its entries, of a person the name."""
    name, values = "", list[str]()
    for line in [*front.split("\n"), "end:"]:
        if line[:1].isalpha() and (field := _FIELD.fullmatch(line.rstrip())):
            value = ", ".join(filter(None, values)) if name else ""
            if value.lower() not in _EMPTY:
                yield name, value
            start = field["value"]
            listed = start[1:-1].split(",") if start[:1] == "[" and start[-1:] == "]" else [start]
            name, values = field["name"], [_plain(each) for each in listed if not _BLOCK.fullmatch(each)]
        elif entry := _ENTRY.fullmatch(line.rstrip()):
            value = entry["value"] or entry["named"]
            values += [] if entry["value"] and _OTHER.match(value) else [_plain(value)]
        elif line[:1] in " \t" and line.strip() and not _OTHER.match(line.strip()):
            values = [f"{' '.join(values)} {_plain(line)}".strip()]


def _plain(value: str) -> str:
    value = value.strip()
    value = re.sub(r"(?:\A|[ \t])#.*\Z", "", value) if value[:1] not in "\"'" else value
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    value = value[1:-1] if quoted else value
    return _MIDNIGHT.sub(r"\1", " ".join(value.split()))
