"""No decomposition: the statement is the unit (ADiOSAA's ablation without decomposer)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from citewell.protocols import Unit
from citewell.types import Span


@dataclass(frozen=True, kw_only=True)
class Whole:
    """The statement as it is."""

    name: ClassVar[str] = "none"

    def decompose(self, statement: str) -> tuple[Unit, ...]:
        """One unit, none for white space."""
        text = statement.strip()
        start = statement.find(text) if text else 0
        return (Unit(text, (Span(start, start + len(text)),)),) if text else ()
