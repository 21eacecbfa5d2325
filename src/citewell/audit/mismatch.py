"""A single inconsistency in a saved answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

What = Literal[
    "document", "offsets", "quote", "page", "rects", "segment", "statement", "index", "label", "score", "digest",
    "recheck",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One thing that does not hold: where in the answer's JSON, what kind, and in words."""

    where: str
    what: What
    message: str

    def to_dict(self) -> dict[str, str]:
        """The JSON form."""
        return {"where": self.where, "what": self.what, "message": self.message}
