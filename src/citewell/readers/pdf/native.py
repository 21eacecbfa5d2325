"""pdfium's functions with plain addresses as arguments, because the typed ones spend most of their time on checks."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

_ADDRESS, _INT, _FLOAT = ctypes.c_void_p, ctypes.c_int, ctypes.c_float
# Result, then arguments.
_SIGNATURES = {
    "FPDFText_GetLooseCharBox": (_INT, _ADDRESS, _INT, _ADDRESS),
    "FPDFText_GetCharAngle": (_FLOAT, _ADDRESS, _INT),
    "FPDFText_GetFontInfo": (ctypes.c_ulong, _ADDRESS, _INT, _ADDRESS, ctypes.c_ulong, _ADDRESS),
    "FPDFText_GetTextObject": (ctypes.c_size_t, _ADDRESS, _INT),
    "FPDFTextObj_GetTextRenderMode": (_INT, _ADDRESS),
    "FPDFPageObj_GetFillColor": (_INT, _ADDRESS, _ADDRESS, _ADDRESS, _ADDRESS, _ADDRESS),
    "FPDFPageObj_GetStrokeColor": (_INT, _ADDRESS, _ADDRESS, _ADDRESS, _ADDRESS, _ADDRESS),
    "FPDFPageObj_GetBounds": (_INT, _ADDRESS, _ADDRESS, _ADDRESS, _ADDRESS, _ADDRESS),
    "FPDFPageObj_GetMatrix": (_INT, _ADDRESS, _ADDRESS),
    "FPDFPageObj_GetType": (_INT, _ADDRESS),
    "FPDFPage_GetObject": (_ADDRESS, _ADDRESS, _INT),
    "FPDFFormObj_CountObjects": (_INT, _ADDRESS),
    "FPDFFormObj_GetObject": (_ADDRESS, _ADDRESS, ctypes.c_ulong),
    "FPDFPath_GetDrawMode": (_INT, _ADDRESS, _ADDRESS, _ADDRESS),
}


@cache
def call(name: str) -> Any:
    """A function of pdfium."""
    from pypdfium2 import raw

    address = ctypes.cast(getattr(raw, name), ctypes.c_void_p).value or 0
    return ctypes.CFUNCTYPE(*_SIGNATURES[name])(address)


def handle(pointer: Any) -> int | None:
    """The address that a typed handle holds."""
    return ctypes.cast(pointer, ctypes.c_void_p).value
