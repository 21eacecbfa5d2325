"""Labels as a reader sees them: words and symbols, and the mark after an unsupported statement.

Only a statement whose label is in `HOLDS` carries a plain citation, on every surface. Any other claim carries the mark
that `mark` writes: the label in words and the reason, in round brackets, so that it is never taken for a citation.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

Label = Literal["supported", "partially_supported", "not_supported", "contradicted", "quoted", "unverified", "no_claim"]

LABELS: tuple[Label, ...] = get_args(Label)
HOLDS: tuple[Label, ...] = ("supported", "quoted")  # the labels of statements that can be relied on
QUIET: tuple[Label, ...] = (*HOLDS, "no_claim")  # labels that running text does not show
LABEL_WORDS: dict[Label, str] = {
    "supported": "supported",
    "partially_supported": "partially supported",
    "not_supported": "not supported",
    "contradicted": "contradicted",
    "quoted": "quoted",
    "unverified": "not verified",
    "no_claim": "no claim",
}
LABEL_SYMBOLS: dict[Label, str] = {
    "supported": "✓",
    "partially_supported": "◐",
    "not_supported": "✗",
    "contradicted": "⊗",
    "quoted": "”",
    "unverified": "?",
    "no_claim": "–",
}

_LONGEST = 240  # characters of the reasons in a mark
_BRACKETS = str.maketrans("[]【】［］〔〕", "()()()()")


def mark(label: Label, messages: Iterable[str] = ()) -> str:
    """The mark after a statement that nothing supports, "" if it needs no mark.

    mark("contradicted", ["the evidence says 5.9bn"])   # "(⊗ contradicted: the evidence says 5.9bn)"

    The messages may contain words of documents, so citation brackets are removed and the text stays on one line.
    """
    if label in QUIET:
        return ""
    plain = "; ".join(dict.fromkeys(filter(None, map(_plain, messages))))
    short = plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1] + "…"
    return f"({LABEL_SYMBOLS[label]} {LABEL_WORDS[label]}{f': {short}' if short else ''})"


def _plain(message: str) -> str:
    """A message on one line, without control characters and citation brackets."""
    text = "".join(char if char.isprintable() else " " for char in message.translate(_BRACKETS))
    return " ".join(text.split())
