"""Decides whether a claim contradicts its evidence: only if one slot excludes the other and all else agrees."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from citewell.checkers.counterparts import FIGURES, PRONOUNS, denials, same_parties
from citewell.facts.align import Finding
from citewell.facts.denials import cue_of
from citewell.facts.extract import Facts
from citewell.facts.features import ClaimAlignment
from citewell.facts.figures import Stands, relate
from citewell.facts.types import Period
from citewell.facts.words_aligned import Aligned

# Degrees ("usually" for "often") shade into each other: what claims more than its evidence is not excluded by it.
_DEGREES = "quantifier"
_LIFE = frozenset(("born", "birth", "died", "dies", "dead", "death"))  # of everyone both are true in time
_CONDITIONS = frozenset(("if", "unless", "whether"))
_EXCEPTIONS = frozenset(("but", "except", "besides"))  # "no ship but the Oriel": the Oriel


def contradicts(findings: Sequence[Finding], vetoes: Collection[Finding], alignment: ClaimAlignment) -> bool:
    """Whether a claim and its evidence cannot both be true.

    `vetoes` are those of the findings that settle that the claim is not supported. Where slots of several kinds
    differ, or something is missing, the sentence may tell of something else.
    """
    if any(not finding.conflict and finding.kind == "missing" for finding in findings):
        return False
    slots = {_slot(finding, alignment) for finding in findings if finding.conflict}
    return len(slots) == 1 and any(_excludes(finding, alignment) for finding in vetoes)


def _slot(finding: Finding, alignment: ClaimAlignment) -> str:
    """What a difference is of: figures, also those that a change is told by, and times that belong to them."""
    tokens = alignment.claim.tokens
    words = tokens.between(*finding.claim_span)
    numbers = any(tokens.numbers[n] for n in words)
    listed = finding.kind == "date" and all(alignment.covered[n] for n in words if tokens.content[n])
    return "figure" if listed or finding.kind in FIGURES or (numbers and finding.kind == "direction") else finding.kind


def _excludes(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether both sides of a difference cannot be true."""
    if finding.kind == _DEGREES:
        return False
    if finding.kind == "negation":
        return _denies_all(finding, alignment)
    if finding.kind == "roles":
        return same_parties(finding, alignment)
    stand = next((stand for stand in alignment.figures if stand.fact.span == finding.claim_span), None)
    if stand is not None and finding.kind != "direction":
        return not _is_told_too(stand, alignment)
    if finding.kind == "direction" and finding.evidence_span is not None:
        there = alignment.premises[finding.sentence].text[slice(*finding.evidence_span)].lower()
        here = alignment.claim.text[slice(*finding.claim_span)].lower()
        return not any({here, there} <= words for words in (PRONOUNS, _LIFE))
    return True


def _is_told_too(stand: Stands, alignment: ClaimAlignment) -> bool:
    """Whether the evidence has a claim's figure or time as well, if of another thing, or with another bound."""
    if stand.fact.kind == "relative":
        return True  # "a year before", of a time that is told elsewhere
    if stand.relation is not None and (stand.relation.outcome == "agrees" or stand.relation.aspect == "modifier"):
        return True
    return any(
        relate(stand.fact, figure).outcome == "agrees"
        for number, premise in enumerate(alignment.premises)
        for figure in (premise.periods if isinstance(stand.fact, Period) else premise.quantities)
        if number != stand.sentence and figure.kind == stand.fact.kind  # euros are no passengers
    )


def _denies_all(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether one side denies the proposition of the other, and not one that shares words with it.

    It is the only denial of both sides, the evidence supposes nothing that the claim does not, and one sentence has all
    of the claim but what its pronouns mean.
    """
    claim, premise = alignment.claim, alignment.premises[finding.sentence]
    here, there = (
        side.tokens.between(*(span or (0, 0)))
        for side, span in ((claim, finding.claim_span), (premise, finding.evidence_span))
    )
    words = alignment.aligned[finding.sentence]
    if not here or not there or denials(claim) + denials(premise) != 1:
        return False
    if "?" in premise.text[-2:] or not _CONDITIONS.isdisjoint({*premise.tokens.lower} - {*claim.tokens.lower}):
        return False
    if claim.negations and not _EXCEPTIONS.isdisjoint({*claim.tokens.lower} - {*premise.tokens.lower}):
        return False
    refers = not PRONOUNS.isdisjoint(premise.tokens.lower)
    cue = here if claim.negations else range(0)
    content = [n for n, content in enumerate(claim.tokens.content) if content and n not in cue]
    whole = all(words.places[n] >= 0 or (refers and alignment.close[n]) for n in content)
    return whole and (bool(claim.negations) or not _states_too(premise, words, here[-1]))


def _states_too(premise: Facts, words: Aligned, head: int) -> bool:
    """Whether a sentence says of something what it denies: "reduced or no cost", "not fixed, but fixed at the sale"."""
    tokens, place = premise.tokens, words.places[head]
    cue = tokens.between(*cue_of(premise, place).span)
    beside = tokens.gap(cue[0]), tokens.gap(cue[-1] + 1)
    again = sum(key == tokens.keys[place] for key in tokens.keys) > 1
    return again or tokens.lower[cue[0] - 1 : cue[0]] in (("or",), ("and",)) or "-" in beside
