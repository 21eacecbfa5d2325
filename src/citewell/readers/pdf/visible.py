"""The visible words of a page: not those off the page, drawn invisibly, without size, or white on white.

What a person cannot see must not become evidence, and may be an instruction to a language model. pdfium is asked about
every word, which is a twentieth of reading: words that are drawn together share their fate.
"""

from __future__ import annotations

from collections import Counter, deque
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np

from citewell.readers.pdf.boxes import Flags, Floats, Ints, to_page, visible_box
from citewell.readers.pdf.native import call, handle

OFF = "off the page"
SMALL = "too small to be seen"
INVISIBLE = "drawn invisibly"
BLEND = "in the colour of what is behind it"
LAYER = "layer"
"""Invisible, but over a picture: the text that OCR put there."""

_SIZE = 1.0  # points; less is a dot
_SIZE_SHARE = 0.002  # of a page's shorter side, for pages of small units
_WHITE = 230  # of 255: what hardly differs from white paper
_CLEAR = 16  # of 255: opacity that hardly leaves a trace
_CONTRAST = 32  # of 255: between two spots of a word that can be read, in one of its colours
_PIXELS = 1500  # of a rendered page's longer side
_INVISIBLE_MODE, _CLIP_MODE = 3, 7  # text rendering modes (ISO 32000-1, table 106)


class Visibility(NamedTuple):
    """Which words can be seen, and how many cannot, by reason."""

    visible: Flags
    unseen: dict[str, int]


def find_visible(page: Any, textpage: Any, words: Ints, boxes: Floats, upright: Flags) -> Visibility:
    """Look for words that cannot be seen.

    `page` and `textpage` are pypdfium2's; `boxes` are those of the displayed page, and `upright` says of each word
    whether it runs along the page's width.
    """
    width, height = page.get_size()
    x0, y0, x1, y1 = boxes.T
    # A box that is no number is nowhere: the comparisons fail for it.
    why = np.where((x1 > 0) & (x0 < width) & (y1 > 0) & (y0 < height), "", OFF).astype(object)
    high = np.where(upright, y1 - y0, x1 - x0)
    small = high < min(_SIZE, _SIZE_SHARE * min(width, height))
    if small.any():
        which = np.flatnonzero(small & (why == ""))
        why[which[_sizes(textpage, words[which, 0].tolist()) < _SIZE]] = SMALL
    suspects = _suspects(textpage, words[:, 0])
    if suspects.any():
        pictures = _pictures(page, height) if (suspects == _INVISIBLE_MODE).any() else np.zeros((0, 4))
        middle = np.stack(((x0 + x1) / 2, (y0 + y1) / 2), axis=1)
        blends = np.flatnonzero((suspects == _CLIP_MODE) & (why == ""))
        why[blends[_blend(page, boxes[blends])]] = BLEND
        for index in np.flatnonzero((suspects == _INVISIBLE_MODE) & (why == "")).tolist():
            x, y = middle[index]
            over = ((pictures[:, :2] <= (x, y)) & (pictures[:, 2:] >= (x, y))).all(axis=1).any()
            why[index] = LAYER if over else INVISIBLE
    unseen = Counter(reason for reason in why.tolist() if reason)
    return Visibility((why == "") | (why == LAYER), dict(unseen))


def _sizes(textpage: Any, indices: list[int]) -> Floats:
    """The sizes of characters by font and matrix: fonts without metrics have boxes without height."""
    from pypdfium2 import raw

    matrix = raw.FS_MATRIX()
    sizes = []
    for index in indices:
        scale = 1.0
        if raw.FPDFText_GetMatrix(textpage.raw, index, matrix):
            along = np.hypot(matrix.a, matrix.b)
            scale = abs(matrix.a * matrix.d - matrix.b * matrix.c) / along if along else 0.0
        sizes.append(raw.FPDFText_GetFontSize(textpage.raw, index) * scale)
    return np.array(sizes)


def _suspects(textpage: Any, indices: Ints) -> Ints:
    """For each character 0 where it is surely painted, else the mode with which it shares its fate."""
    objects = np.fromiter(
        map(call("FPDFText_GetTextObject"), repeat(handle(textpage.raw)), indices.tolist()), np.uint64, len(indices)
    )
    distinct, which = np.unique(objects, return_inverse=True)
    nowhere = int(len(distinct) and distinct[0] == 0)  # characters that pdfium made up belong to no object
    items = distinct[nowhere:].tolist()
    modes = np.fromiter(map(call("FPDFTextObj_GetTextRenderMode"), items), np.int64, len(items))
    colors = np.zeros((len(items), 4), np.uint32)
    at = colors.ctypes.data
    addresses = (range(at + side, at + 16 * len(items) + side, 16) for side in (0, 4, 8, 12))
    deque(map(call("FPDFPageObj_GetFillColor"), items, *addresses), maxlen=0)
    light = (colors[:, :3].min(axis=1, initial=255) >= _WHITE) | (colors[:, 3] < _CLEAR)
    fates = np.where(modes == _INVISIBLE_MODE, modes, np.where(light, _CLIP_MODE, modes * (modes == _CLIP_MODE)))
    return np.concatenate((np.zeros(nowhere, np.int64), fates))[which]


def _pictures(page: Any, height: float) -> Floats:
    from pypdfium2 import raw

    bounds = [item.get_bounds() for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE])]
    if not bounds or not height:
        return np.zeros((0, 4))
    return to_page(np.array(bounds, np.float64), visible_box(raw, page.raw), page.get_rotation())


def _blend(page: Any, boxes: Floats) -> Flags:
    """Whether nothing of a word stands out on the page as it is drawn."""
    width, height = page.get_size()
    if not len(boxes) or not 0 < max(width, height) < np.inf:
        return np.zeros(len(boxes), np.bool_)
    scale = min(1.0, _PIXELS / max(width, height))
    bitmap = page.render(scale=scale)
    try:
        drawn = bitmap.to_numpy().reshape(bitmap.height, bitmap.width, -1)
        flat = np.zeros(len(boxes), np.bool_)
        for index, (x0, y0, x1, y1) in enumerate((boxes * scale).tolist()):
            margin = (y1 - y0) / 5  # rules above and below are not the word's
            top, left = max(0, int(y0 + margin)), max(0, int(x0))
            part = drawn[top : max(top + 1, int(y1 - margin) + 1), left : max(left + 1, int(x1) + 1)]
            flat[index] = part.size == 0 or int(np.ptp(part, axis=(0, 1)).max()) < _CONTRAST
        return flat
    finally:
        bitmap.close()
