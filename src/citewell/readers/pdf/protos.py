"""Blocks of rows before their text is assembled, and the beginnings of captions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from citewell.readers.pdf.rows import Row
from citewell.types import BlockKind

CAPTION = re.compile(
    r"(?:(?:Supplementary\s+)?(?:Figure|Fig\.?|Table|Abbildung|Abb\.|Tabelle|Tab\.|Tableau|Algorithm|Listing|Chart|Scheme)"
    r"\s*[A-Z]?\d+(?:[-.]\d+)*[a-z]?\s*(?:[.:|–—]|$|\()"
    r"|(?:FIGURE|FIG\.|TABLE)\s+(?:[A-Z]?\d+(?:[-.]\d+)*|[IVXL]+)\b(?!\s+[a-z]))"
)
"""How a caption begins."""
OPENS = re.compile(r"[a-zß-öø-ÿα-ωа-я]")
"""How a row begins that goes on with a sentence."""


@dataclass(slots=True)
class Proto:
    """A block before its text is put together."""

    rows: list[Row]
    kind: BlockKind
    level: int = 0
    size: float = 0.0
    text: str = field(default="", repr=False)
