"""Ruling lines and shaded areas of a page, including those inside form objects, as lines and boxes.

Filled boxes that are thin are lines, as most producers draw them; outlines are four. What is white is not there.
"""

from __future__ import annotations

import ctypes
from collections import deque
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np

from citewell.readers.pdf.boxes import Floats
from citewell.readers.pdf.native import call, handle

_THIN = 2.5  # points: a filled box that is no thicker is a line
_MOST = 6000  # paths of a page: a drawing with more is no table
_FORMS = 4  # forms inside forms
_JOIN = 3.0  # points: pieces of one line stand no further apart
_SNAP = 1.5  # points: lines no further apart are one
_SHORT = 4.0  # points: a shorter line is a mark
_WHITE = 250  # of 255
_UNDER = 0.4  # line heights: a line under text stands no further from its foot
_PATH, _FORM = 2, 5  # types of page objects


class Rules(NamedTuple):
    """The lines of a page: `across` as (y, x0, x1), `down` as (x, y0, y1), and the shaded boxes, all as displayed."""

    across: Floats
    down: Floats
    shades: Floats

    def __bool__(self) -> bool:
        return bool(len(self.across) or len(self.down) or len(self.shades))


def under(rules: Rules, y0: float, y1: float) -> tuple[tuple[float, float], ...]:
    """Left and right end of the lines drawn right under a line of text from `y0` to `y1`."""
    if not len(rules.across):
        return ()
    size = y1 - y0
    y = rules.across[:, 0]
    near = rules.across[(y > y1 - _UNDER * size) & (y < y1 + _UNDER * size)]
    return tuple((float(x0), float(x1)) for _, x0, x1 in near)


NO_RULES = Rules(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 4)))


def paths(page: Any) -> Floats:
    """(n, 5) left, bottom, right, top of the page's visible paths in user space, and whether it is an outline."""
    from pypdfium2 import raw

    parts: list[Floats] = []
    count = raw.FPDFPage_CountObjects(page.raw)
    objects = _objects("FPDFPage_GetObject", handle(page.raw), count)
    _collect(objects, (1.0, 0.0, 0.0, 1.0, 0.0, 0.0), parts, 0)
    return np.concatenate(parts) if parts else np.zeros((0, 5))


def _objects(getter: str, parent: int | None, count: int) -> list[int]:
    return list(map(call(getter), repeat(parent), range(max(0, count))))


def _collect(objects: list[int], matrix: tuple[float, ...], parts: list[Floats], depth: int) -> None:
    kinds = list(map(call("FPDFPageObj_GetType"), objects))
    drawings = [item for item, kind in zip(objects, kinds, strict=True) if kind == _PATH]
    if 0 < len(drawings) <= _MOST:
        parts.append(_placed(_drawn(drawings), matrix))
    if depth >= _FORMS:
        return
    for item, kind in zip(objects, kinds, strict=True):
        if kind == _FORM:
            form_matrix = (ctypes.c_float * 6)()
            if call("FPDFPageObj_GetMatrix")(item, ctypes.addressof(form_matrix)):
                inside = call("FPDFFormObj_CountObjects")(item)
                _collect(
                    _objects("FPDFFormObj_GetObject", item, inside),
                    _times(tuple(form_matrix), matrix),
                    parts,
                    depth + 1,
                )


def _times(a: tuple[float, ...], b: tuple[float, ...]) -> tuple[float, ...]:
    """The matrix that does `a`, then `b`."""
    return (
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
        a[4] * b[0] + a[5] * b[2] + b[4],
        a[4] * b[1] + a[5] * b[3] + b[5],
    )


def _placed(drawn: Floats, matrix: tuple[float, ...]) -> Floats:
    """Boxes of a form in the space of what it stands in."""
    if matrix == (1.0, 0.0, 0.0, 1.0, 0.0, 0.0):
        return drawn
    a, b, c, d, e, f = matrix
    x, y = drawn[:, [0, 2]], drawn[:, [1, 3]]
    u, v = a * x + c * y + e, b * x + d * y + f
    return np.stack((u.min(axis=1), v.min(axis=1), u.max(axis=1), v.max(axis=1), drawn[:, 4]), axis=1)


def _drawn(drawings: list[int]) -> Floats:
    """Boxes of the paths that leave a trace; (n, 5) as `paths` tells."""
    count = len(drawings)
    sides = np.zeros((count, 4), np.float32)
    at = sides.ctypes.data
    ok = list(
        map(call("FPDFPageObj_GetBounds"), drawings, *(range(at + k, at + 16 * count + k, 16) for k in (0, 4, 8, 12)))
    )
    modes = np.zeros((count, 2), np.int32)
    at = modes.ctypes.data
    deque(
        map(call("FPDFPath_GetDrawMode"), drawings, range(at, at + 8 * count, 8), range(at + 4, at + 8 * count + 4, 8)),
        maxlen=0,
    )
    colors = np.zeros((count, 2, 4), np.uint32)
    colors[:, :, 3] = 255
    at = colors.ctypes.data
    for number, name in enumerate(("FPDFPageObj_GetFillColor", "FPDFPageObj_GetStrokeColor")):
        first = at + 16 * number
        addresses = (range(first + k, first + 32 * count + k, 32) for k in (0, 4, 8, 12))
        deque(map(call(name), drawings, *addresses), maxlen=0)
    visible = (colors[:, :, :3].min(axis=2) < _WHITE) & (colors[:, :, 3] > 0)
    filled, stroked = (modes[:, 0] > 0) & visible[:, 0], (modes[:, 1] > 0) & visible[:, 1]
    kept = (filled | stroked) & np.array(ok, np.bool_)
    box = sides.astype(np.float64)
    thin = np.minimum(box[:, 2] - box[:, 0], box[:, 3] - box[:, 1]) <= _THIN
    outline = stroked & ~filled & ~thin
    drawn: Floats = np.concatenate((box, outline[:, None].astype(np.float64)), axis=1)[kept]
    return drawn


def rules(placed: Floats, outline: Floats, width: float, height: float) -> Rules:
    """The rules of a page from the boxes of its paths as displayed (n, 4) and which of them are outlines."""
    wide, high = placed[:, 2] - placed[:, 0], placed[:, 3] - placed[:, 1]
    flat, upright = (high <= _THIN) & (wide >= _SHORT), (wide <= _THIN) & (high >= _SHORT)
    boxed = (wide > _THIN) & (high > _THIN)
    frame = boxed & (outline > 0)
    y = (placed[:, 1] + placed[:, 3]) / 2
    x = (placed[:, 0] + placed[:, 2]) / 2
    x0, y0, x1, y1 = placed.T
    across = [np.stack((y, x0, x1), axis=1)[flat]]
    down = [np.stack((x, y0, y1), axis=1)[upright]]
    across += [np.stack((side, x0, x1), axis=1)[frame] for side in (y0, y1)]
    down += [np.stack((side, y0, y1), axis=1)[frame] for side in (x0, x1)]
    whole = (wide > 0.95 * width) & (high > 0.95 * height)
    shades = placed[boxed & ~frame & ~whole]
    return Rules(_merged(np.concatenate(across)), _merged(np.concatenate(down)), shades)


def _merged(lines: Floats) -> Floats:
    """Lines at one place joined where they touch."""
    if not len(lines):
        return np.zeros((0, 3))
    lines = lines[np.argsort(lines[:, 0], kind="stable")]
    cuts = (np.flatnonzero(np.diff(lines[:, 0]) > _SNAP) + 1).tolist()
    placed = lines.tolist()
    joined: list[tuple[float, float, float]] = []
    for first, stop in zip([0, *cuts], [*cuts, len(placed)], strict=True):
        same = placed[first:stop]
        at = (same[(len(same) - 1) // 2][0] + same[len(same) // 2][0]) / 2  # in their order already
        low, high = None, 0.0
        for _, start, end in sorted(same, key=lambda line: line[1]):
            if low is not None and start <= high + _JOIN:
                high = max(high, end)
                continue
            if low is not None:
                joined.append((at, low, high))
            low, high = start, end
        if low is not None:
            joined.append((at, low, high))
    return np.array(joined)
