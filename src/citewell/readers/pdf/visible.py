"""Which words of a page can be seen: not those off the page, drawn invisibly, without size, or white on white.

What a person cannot see must not become evidence, and may be an instruction to a language model. Asking pdfium about
every word would slow reading by a tenth: the words at the ends of lines and every eighth are asked about first, all
others of a page only where one of these is suspect.
"""

from __future__ import annotations

from collections import Counter
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.readers.pdf.native import call, handle

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

SAMPLE = 8
"""Every so many words one is asked about."""
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
_CONTRAST = 32  # of 255: between the lightest and the darkest spot of a word that can be read
_PIXELS = 1500  # of a rendered page's longer side
_INVISIBLE_MODE, _CLIP_MODE = 3, 7  # text rendering modes (ISO 32000-1, table 106)


class Seen(NamedTuple):
    """Which words can be seen, and how many cannot, by reason."""

    shown: Flags
    unseen: dict[str, int]


def seen(page: Any, textpage: Any, words: Ints, boxes: Floats, ends: Ints, upright: Flags) -> Seen:
    """Look for words that cannot be seen.

    `page` and `textpage` are pypdfium2's; `boxes` are those of the displayed page, `ends` the words that begin or end
    a line, and `upright` says of each word whether it runs along the page's width.
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
    sample = np.union1d(ends, np.arange(0, len(words), SAMPLE))
    if _suspects(textpage, words[sample, 0]).any():
        suspects = _suspects(textpage, words[:, 0])
        pictures = _pictures(page, height) if (suspects == _INVISIBLE_MODE).any() else np.zeros((0, 4))
        middle = np.stack(((x0 + x1) / 2, (y0 + y1) / 2), axis=1)
        blends = np.flatnonzero((suspects == _CLIP_MODE) & (why == ""))
        why[blends[_blend(page, boxes[blends])]] = BLEND
        for index in np.flatnonzero((suspects == _INVISIBLE_MODE) & (why == "")).tolist():
            x, y = middle[index]
            over = ((pictures[:, :2] <= (x, y)) & (pictures[:, 2:] >= (x, y))).all(axis=1).any()
            why[index] = LAYER if over else INVISIBLE
    unseen = Counter(reason for reason in why.tolist() if reason)
    return Seen((why == "") | (why == LAYER), dict(unseen))


def _sizes(textpage: Any, indices: list[int]) -> Floats:
    """The sizes of characters by font and matrix: fonts without metrics have boxes without height."""
    from pypdfium2 import raw

    matrix = raw.FS_MATRIX()
    sizes = []
    for index in indices:
        scale = 1.0
        if raw.FPDFText_GetMatrix(textpage.raw, index, matrix):
            scale = max(np.hypot(matrix.a, matrix.b), np.hypot(matrix.c, matrix.d))
        sizes.append(raw.FPDFText_GetFontSize(textpage.raw, index) * scale)
    return np.array(sizes)


def _suspects(textpage: Any, indices: Ints) -> Ints:
    """0 for characters that are surely painted, else the mode that they share their fate with."""
    objects = list(map(call("FPDFText_GetTextObject"), repeat(handle(textpage.raw)), indices.tolist()))
    fate = {item: _fate(item) for item in set(objects)}
    return np.array([fate[item] for item in objects], np.int64)


def _fate(item: int | None) -> int:
    """Whether a text object is invisible, or perhaps as light as its background."""
    if item is None:
        return 0
    mode = call("FPDFTextObj_GetTextRenderMode")(item)
    if mode == _INVISIBLE_MODE:
        return _INVISIBLE_MODE
    color = np.zeros(4, np.uint32)
    at = color.ctypes.data
    if mode == _CLIP_MODE or not call("FPDFPageObj_GetFillColor")(item, at, at + 4, at + 8, at + 12):
        return _CLIP_MODE if mode == _CLIP_MODE else 0
    red, green, blue, opacity = color.tolist()
    return _CLIP_MODE if min(red, green, blue) >= _WHITE or opacity < _CLEAR else 0


def _pictures(page: Any, height: float) -> Floats:
    """Boxes of the page's pictures as displayed."""
    from pypdfium2 import raw

    from citewell.readers.pdf.chars import place, visible_box

    bounds = [item.get_bounds() for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE])]
    if not bounds or not height:
        return np.zeros((0, 4))
    return place(np.array(bounds, np.float64), visible_box(raw, page.raw), page.get_rotation())


def _blend(page: Any, boxes: Floats) -> Flags:
    """Whether nothing of a word stands out on the page as it is drawn."""
    width, height = page.get_size()
    if not len(boxes) or not 0 < max(width, height) < np.inf:
        return np.zeros(len(boxes), np.bool_)
    scale = min(1.0, _PIXELS / max(width, height))
    bitmap = page.render(scale=scale, grayscale=True)
    try:
        drawn = bitmap.to_numpy().reshape(bitmap.height, bitmap.width)
        flat = np.zeros(len(boxes), np.bool_)
        for index, (x0, y0, x1, y1) in enumerate((boxes * scale).tolist()):
            margin = (y1 - y0) / 5  # rules above and below are not the word's
            top, left = max(0, int(y0 + margin)), max(0, int(x0))
            part = drawn[top : max(top + 1, int(y1 - margin) + 1), left : max(left + 1, int(x1) + 1)]
            flat[index] = part.size == 0 or int(part.max()) - int(part.min()) < _CONTRAST
        return flat
    finally:
        bitmap.close()
