"""Human corrections as data, one JSON object per line: claims over evidence, with the right label.

`GET /v1/corrections.jsonl` of the service writes such lines; of others `claim`, `evidence` (a text or texts) and
`label` are enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from citewell.errors import InputError
from citewell.text import safe
from citewell.types import LABELS, Label


class Corrected(NamedTuple):
    """A claim over its evidence with its label, and the result that it is a statement of, where it is one."""

    claim: str
    evidence: tuple[str, ...]
    label: Label
    result: str


class Corrections(NamedTuple):
    """What a file of corrections has: rows that judge a claim by evidence, and how many lines do not."""

    rows: tuple[Corrected, ...]
    unused: int


def read(path: str | Path) -> Corrections:
    """The corrections of a file; of several of one statement the last counts.

    Lines without a label, without evidence, or of a statement that claims nothing judge no claim by evidence.

    Raises:
        InputError: the file cannot be read, or a line is none; the text names the line.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the corrections in {path} cannot be read: {getattr(error, 'strerror', error)}") from error
    kept: dict[Any, Corrected | None] = {}
    count = 0
    for number, line in enumerate(lines, start=1):
        if line.strip():
            count += 1
            statement, row = _row(line, f"{path}, line {number}")
            name = (statement.get("history"), statement["statement"]) if "statement" in statement else number
            if row is not None or not kept.get(name):  # a note alone takes nothing back
                kept[name] = row
    rows = tuple(row for row in kept.values() if row is not None)
    return Corrections(rows, count - len(rows))


def _row(line: str, where: str) -> tuple[Mapping[str, Any], Corrected | None]:
    try:
        payload = safe.loads(line)
    except ValueError as error:
        raise InputError(f"{where}: not JSON: {error}") from error
    if not isinstance(payload, dict) or not isinstance(payload.get("claim"), str):
        raise InputError(f"{where}: an object with claim, evidence and label is needed")
    values = payload.get("evidence", ())
    evidence = [values] if isinstance(values, str) else values
    label = next((known for known in LABELS if known == payload.get("label")), None)
    if label is None and payload.get("label") is not None:
        raise InputError(f"{where}: label is one of {', '.join(LABELS)}, not {str(payload['label'])[:40]!r}")
    if not isinstance(evidence, list | tuple) or not all(isinstance(text, str) for text in evidence):
        raise InputError(f"{where}: evidence is a text or a list of texts")
    texts = tuple(text for text in evidence if text.strip())
    if label in (None, "no_claim", "unverified") or not texts or not payload["claim"].strip():
        return payload, None
    return payload, Corrected(payload["claim"], texts, label, str(payload.get("history") or where))
