"""Boxes of a page: from user space to displayed coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


def to_page(boxes: Floats, bounds: tuple[float, float, float, float], rotation: int) -> Floats:
    """Boxes (left, bottom, right, top) in user space as x0, y0, x1, y1 on the displayed page, origin at the top left.

    `bounds` is the page's visible box (left, bottom, right, top), `rotation` is in degrees, clockwise.
    """
    left, bottom, right, top = bounds
    x0, y0, x1, y1 = boxes.T
    if rotation == 90:
        sides = (y0 - bottom, x0 - left, y1 - bottom, x1 - left)
    elif rotation == 180:
        sides = (right - x1, y0 - bottom, right - x0, y1 - bottom)
    elif rotation == 270:
        sides = (top - y1, right - x1, top - y0, right - x0)
    else:
        sides = (x0 - left, top - y1, x1 - left, top - y0)
    return np.stack(sides, axis=1)


def visible_box(raw: Any, page: Any) -> tuple[float, float, float, float]:
    """Left, bottom, right, top of what of a page is displayed, in user space."""
    rect = raw.FS_RECTF()
    raw.FPDF_GetPageBoundingBox(page, rect)
    return rect.left, rect.bottom, rect.right, rect.top
