"""Inputs that nobody meant: pieces of a sample changed, and markup, text and JSON made of what a format knows."""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

LONGEST = 60_000
"""Bytes of an input: what grows is tried by `lab/benchmarks/hostile.py`, here many different ones are."""

NUMBERS = (b"0", b"-1", b"1", b"65536", b"2147483648", b"99999999999999999999", b"1e999", b"0.0001", b"NaN")
_TOKENS = (
    b"<p> </p> <table><tr><td colspan=9999 rowspan=9> <th> <pre> <sup> <sup><a> <ul><li> <h1> <main> <article> <br> <!-- --> "
    b"<![CDATA[ ]]> <script> <style> </style> <title> <meta charset=utf-16> hidden style=display:none &amp; &#0; &#x110000; "
    b"<sec> <title> <xref> <fn> <ref> <list><list-item> <kwd> <abstract> <table-wrap> <disp-formula> &e; <!ENTITY "
    b"<w:p> <w:r> <w:t> <w:tbl><w:tr><w:tc> <w:vanish/> <w:footnoteReference w:id='1'/> <w:txbxContent> <w:vMerge/> <mc:Choice> "
    b"# ## - * 1. ``` ~~~ > | --- === [a](b) ![a](b) ** __ \\ <b> [^1] [^1]: "
    b"[1] [1, 2] [1-3] (1) {1} [[1: ]] [12345678901234567890] [doc 1] Sources: Evidence: <think> </think> 1) \xc2\xb9 \xe3\x80\x901\xe3\x80\x91 "
    b"BT ET Tj TJ Tm Td Tf 3 Tr /F1 12 Tf (word) Tj 0 0 0 0 0 0 Tm q Q cm Do re f W n /MediaBox[0 0 0 0] /Count 65536 /Rotate 45 "
    b"\xef\xbb\xbf \xff\xfe \x00 \x1b[31m \xe2\x80\xae \xed\xa0\x80 \xf0\x9f\x98\x80 \xcc\x81 \xc2\xad \xe2\x80\xa8 \r \r\n \t \x0c "
    b"$ 5.9 (3) % 1,000 2022 -5 \xe2\x80\x94 Q3 June 31, 2022 a.b.c. e.g. ... ?! 3/4 10^6"
).split(b" ")
WRONG: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    10**30,
    1.5,
    1e308,
    "",
    "x",
    "a\ud800",
    "\u202e\x1b[31m",
    [],
    [1],
    [[]],
    {},
    {"a": [None]},
)


def changed(data: bytes, draw: Random, others: list[bytes]) -> bytes:
    """A sample changed as its container allows: members of a ZIP, streams of a PDF, values of JSON, else its bytes."""
    if data.startswith(b"PK") and draw.random() < 0.9:
        return _repacked(data, draw, others)
    if data.startswith(b"{") and draw.random() < 0.7:
        return _spoiled(data, draw)
    if data.startswith(b"%PDF") and draw.random() < 0.5:
        data = _unpacked(data)
    return edited(data, draw, others)


def edited(data: bytes, draw: Random, others: list[bytes]) -> bytes:
    """Bytes after one to six edits."""
    for _ in range(draw.choice((1, 1, 2, 3, 6))):
        data = draw.choice(_EDITS)(data, draw, others)[:LONGEST]
    return data


def draw_bytes(draw: Random) -> bytes:
    """A soup of what the formats know, some of it nested or often repeated."""
    parts: list[bytes] = []
    pool = [draw.choice(_TOKENS) for _ in range(draw.randint(1, 12))]
    for _ in range(draw.randint(1, 60)):
        part = draw.choice(pool) if draw.random() < 0.7 else draw.choice((b"word", b"Revenue rose. ", b"\n", b"\n\n"))
        parts.append(part * (draw.randint(2, 300) if draw.random() < 0.1 else 1))
    return draw.choice((b" ", b"", b"\n")).join(parts)[:LONGEST]


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in JSON data."""
    yield path
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inside:
        yield from places(value, (*path, key))


def _spoiled(data: bytes, draw: Random) -> bytes:
    """JSON with a few values replaced, moved or left out."""
    try:
        tree = json.loads(data)
    except ValueError:
        return data
    for _ in range(draw.choice((1, 1, 2, 4))):
        inside = [path for path in places(tree) if path]
        if not inside:
            break
        *outer, key = draw.choice(inside)
        parent = tree
        for step in outer:
            parent = parent[step]
        kind = draw.random()
        if kind < 0.15:
            del parent[key]
        elif kind < 0.3:
            path, value = draw.choice(inside), tree
            for step in path:
                value = value[step]
            parent[key] = json.loads(json.dumps(value))
        elif kind < 0.5 and isinstance(parent[key], str):
            text = edited(parent[key].encode("utf-8", "surrogatepass"), draw, [])
            parent[key] = text.decode("utf-8", "replace")
        elif kind < 0.6 and isinstance(parent[key], int):
            parent[key] += draw.choice((-1, 1, 7, -1000, 10**6))
        else:
            parent[key] = deepcopy(draw.choice(WRONG))
    return json.dumps(tree).encode()


def _repacked(data: bytes, draw: Random, others: list[bytes]) -> bytes:
    """A ZIP with members changed, left out or doubled."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
    except Exception:  # noqa: BLE001  (a sample that is damaged already)
        return edited(data, draw, others)
    for _ in range(draw.choice((1, 1, 2))):
        # The large ones have the text.
        name = draw.choices(list(members), [len(member) + 50 for member in members.values()])[0]
        kind = draw.random()
        if kind < 0.06 and len(members) > 1:
            del members[name]
        elif kind < 0.12:
            members[draw.choice(list(members))] = members[name]
        else:
            members[name] = edited(members[name], draw, [members[name], *others])
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, member in members.items():
            archive.writestr(zipfile.ZipInfo(name), member, archive.compression)  # a fixed date: same seed, same bytes
    return packed.getvalue()


def _unpacked(data: bytes) -> bytes:
    """A PDF whose packed streams lie open, so that an edit changes what is drawn. Readers rebuild its table of objects."""

    def opened(match: re.Match[bytes]) -> bytes:
        try:
            inside = zlib.decompress(match[2])
        except zlib.error:
            return match[0]
        head = re.sub(rb"/Filter\s*(?:/FlateDecode|\[[^\]]*\])", b"", match[1])
        head = re.sub(rb"/Length \d+", b"/Length %d" % len(inside), head)
        return head + b"stream\n" + inside + b"\nendstream"

    return re.sub(rb"(<<[^>]*/FlateDecode[^>]*>>\s*)stream\r?\n(.*?)\r?\nendstream", opened, data, flags=re.DOTALL)


def _place(data: bytes, draw: Random) -> tuple[int, int]:
    start = draw.randint(0, len(data))
    return start, min(len(data), start + int(draw.choice((1, 4, 30, 300)) * draw.random()) + 1)


def _flip(data: bytes, draw: Random, _: list[bytes]) -> bytes:
    spoiled = bytearray(data)
    for _number in range(draw.choice((1, 3, 20))):
        if spoiled:
            spoiled[draw.randrange(len(spoiled))] = draw.randrange(256)
    return bytes(spoiled)


def _cut(data: bytes, draw: Random, _: list[bytes]) -> bytes:
    start, end = _place(data, draw)
    return data[:start] + data[end:]


def _truncate(data: bytes, draw: Random, _: list[bytes]) -> bytes:
    return data[: draw.randint(0, len(data))]


def _repeat(data: bytes, draw: Random, _: list[bytes]) -> bytes:
    start, end = _place(data, draw)
    return data[:end] + data[start:end] * draw.choice((1, 2, 10, 200)) + data[end:]


def _insert(data: bytes, draw: Random, _: list[bytes]) -> bytes:
    at = draw.randint(0, len(data))
    return data[:at] + draw.choice(_TOKENS) * draw.choice((1, 1, 2, 50)) + data[at:]


def _number(data: bytes, draw: Random, _: list[bytes]) -> bytes:
    numbers = list(re.finditer(rb"-?\d+(?:\.\d+)?", data[:LONGEST]))
    if not numbers:
        return data
    match = draw.choice(numbers)
    return data[: match.start()] + draw.choice(NUMBERS) + data[match.end() :]


def _splice(data: bytes, draw: Random, others: list[bytes]) -> bytes:
    other = draw.choice(others) if others else draw_bytes(draw)
    start, end = _place(other, draw)
    at = draw.randint(0, len(data))
    return data[:at] + other[start:end] + data[draw.choice((at, at, min(len(data), at + end - start))) :]


def _tag(data: bytes, draw: Random, _: list[bytes]) -> bytes:
    """A tag opened, closed, moved or named otherwise."""
    tags = list(re.finditer(rb"</?[\w:.-]+[^<>]{0,80}>", data[:LONGEST]))
    if not tags:
        return data
    match, other = draw.choice(tags), draw.choice(tags)
    kept = draw.choice((b"", match[0] + other[0], other[0], match[0] * draw.choice((2, 40))))
    return data[: match.start()] + kept + data[match.end() :]


_EDITS: tuple[Callable[[bytes, Random, list[bytes]], bytes], ...] = (
    _flip,
    _cut,
    _truncate,
    _repeat,
    _insert,
    _number,
    _splice,
    _tag,
    _tag,
)
