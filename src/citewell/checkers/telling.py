"""Which differences a reader would see as one: of figures of one kind, of names, of roles that stand in one clause."""

from __future__ import annotations

from dataclasses import replace

from citewell.facts.align import Finding, phrase
from citewell.facts.features import ClaimAlignment
from citewell.facts.types import Quantity

_FIGURES = frozenset(("number", "magnitude", "unit", "sign"))


def telling(finding: Finding, alignment: ClaimAlignment) -> Finding | None:
    """The finding as it is shown: without the other side where that is no counterpart; None where nothing is left.

    A price beside a bare number, a name beside a month, roles of which the quoted clause has one only.
    """
    if finding.evidence_span is None or finding.sentence < 0:
        return finding
    claim, evidence = alignment.claim, alignment.premises[finding.sentence]
    if finding.kind == "roles":
        words = evidence.text[finding.evidence_span.start : finding.evidence_span.end]
        return finding if words in phrase(evidence, finding.evidence_span) else None
    if not (finding.kind in _FIGURES and _unlike(finding, alignment)) and not (
        finding.kind == "entity"
        and any(
            period.start <= finding.evidence_span.start and finding.evidence_span.end <= period.end
            for period in evidence.periods
        )
    ):
        return finding
    quoted = claim.text[finding.claim_span.start : finding.claim_span.end]
    return replace(finding, message=f"“{quoted}” is not in the evidence", sentence=-1, evidence_span=None)


def _unlike(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether an amount stands beside a bare number, as in the name of a model; "912 million" is none."""
    premise = alignment.premises[finding.sentence]
    return any(
        isinstance(stand.fact, Quantity)
        and isinstance(stand.counterpart, Quantity)
        and stand.fact.start == finding.claim_span.start
        and stand.fact.kind != stand.counterpart.kind
        and stand.counterpart.kind == "cardinal"
        and " " not in premise.text[stand.counterpart.start : stand.counterpart.end]
        for stand in alignment.figures
    )
