"""`--require`: the requirement for exit code 0; a result that falls short exits with 3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from citewell.errors import RequirementError
from citewell.text.safe import shorten

if TYPE_CHECKING:
    from citewell.audit.scores import Audit, Counted
    from citewell.types import Statement, Verdict


LABELS = ("supported", "partially_supported")
MAX_LISTED = 3  # of what falls short, in the one line that tells it
REACHED = {
    "supported": ("supported", "quoted", "no_claim"),
    "partially_supported": ("supported", "quoted", "partially_supported", "no_claim"),
}


class Shares(NamedTuple):
    """The least precision and recall of an audit; None where any will do."""

    precision: float | None = None
    recall: float | None = None


def shares(text: str | None) -> str | Shares | None:
    """The requirement of an audit: a label, or `PRECISION/RECALL` as in `0.9/0.8`, `/0.8` for recall alone.

    Raises BadParameter: it is neither.
    """
    if text is None or text in LABELS:
        return text
    parts = text.split("/")
    try:
        values = [float(part) if part.strip() else None for part in parts]
    except ValueError:
        values = []
    if len(values) != 2 or values == [None, None] or not all(value is None or 0 <= value <= 1 for value in values):
        raise click.BadParameter(
            f"{text!r} is neither {' nor '.join(LABELS)} nor PRECISION/RECALL as in 0.9/0.8", param_hint="--require"
        )
    return Shares(*values)


def hold(statements: Sequence[Statement | Verdict | Counted], label: str | None) -> None:
    """Hold statements against a label; what claims nothing, and an answer that was withheld, need none.

    Raises RequirementError: some fall short.
    """
    if label is None:
        return
    short = [(n, statement) for n, statement in enumerate(statements, 1) if statement.label not in REACHED[label]]
    if short:
        named = "; ".join(f"{n} is {statement.label}: “{_excerpt(statement)}”" for n, statement in short[:MAX_LISTED])
        more = f"; and {len(short) - MAX_LISTED} more" if len(short) > MAX_LISTED else ""
        raise RequirementError(f"--require {label}: {len(short)} of {len(statements)} fall short: {named}{more}")


def hold_audit(audit: Audit, wanted: str | Shares | None) -> None:
    """Hold an audit against a label of all its statements, or against its precision and recall.

    Raises RequirementError: it falls short.
    """
    if not isinstance(wanted, Shares):
        return hold(audit.statements, wanted)
    claims = any(statement.label != "no_claim" for statement in audit.statements)
    reached = {"precision": audit.precision, "recall": audit.recall}
    short = [
        f"{name} is {'–, for nothing is cited' if value is None else f'{value:.2f}'}, not {least:g}"
        for (name, value), least in zip(reached.items(), wanted, strict=True)
        if least is not None and (value < least if value is not None else claims and least > 0)
    ]
    if short:
        raise RequirementError(f"--require: {'; '.join(short)}")
    return None


def _excerpt(item: Statement | Verdict | Counted) -> str:
    return shorten(" ".join((getattr(item, "text", "") or getattr(item, "claim", "")).split()))
