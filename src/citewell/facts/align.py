"""The parts of a claim that its evidence contradicts or lacks, each with both places and a plain sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from citewell.facts.bindings import moves
from citewell.facts.changes import Change
from citewell.facts.comparisons import Compared, compared
from citewell.facts.denials import cue_of, denied_here, denied_there
from citewell.facts.exchanges import exchanged
from citewell.facts.extract import Facts
from citewell.facts.features import ClaimAlignment
from citewell.facts.figures import Stands
from citewell.facts.kinship import Kinship
from citewell.facts.negation import denies_degree_alone, denies_need_alone, doubled
from citewell.facts.removals import left_in
from citewell.facts.strength import counterpart, hold_together
from citewell.facts.types import Period, Quantity, Relation
from citewell.facts.whole import clause_of, span_of
from citewell.facts.wordnet import VERB
from citewell.facts.words_aligned import Substitution
from citewell.types import Span

_ALONE = (denies_need_alone, denies_degree_alone)
Kind = Literal[
    "number", "magnitude", "unit", "sign", "date", "negation", "direction", "entity", "roles", "quantifier", "missing"
]


@dataclass(frozen=True, slots=True)
class Finding:
    """One difference. `sentence` is the position of a sentence in the evidence (-1: none).

    `conflict` distinguishes a contradiction from something that is not mentioned.
    """

    kind: Kind
    claim_span: Span
    message: str
    sentence: int = -1
    evidence_span: Span | None = None
    conflict: bool = False


def findings(alignment: ClaimAlignment) -> tuple[Finding, ...]:
    """Contradictions first, then missing parts, each in the order of the claim."""
    comparison = compared(alignment.claim, alignment.premises, alignment.aligned)
    result = [
        *_figures(alignment),
        *_denied(alignment),
        *_left_in(alignment),
        *_swapped(alignment),
        *_quantified(alignment),
        *_compared(alignment, comparison),
        *_against_figures(alignment),
    ]
    # Figures that make a comparison or a change true make it so in whatever words.
    proved = _proved(alignment, comparison)
    result += [turn for turn in _turned(alignment) if turn.claim_span.start not in proved]
    reported = {(finding.claim_span.start, finding.claim_span.end) for finding in result}
    lacking = [finding for finding in _missing(alignment, proved) if not _inside(finding.claim_span, reported)]
    wider = {(finding.claim_span.start, finding.claim_span.end) for finding in lacking}
    result = [finding for finding in result if finding.conflict or not _inside(finding.claim_span, wider)] + lacking
    return tuple(sorted(result, key=lambda finding: (not finding.conflict, finding.claim_span)))


def _inside(span: Span, others: set[tuple[int, int]]) -> bool:
    return any(start <= span.start and span.end <= end for start, end in others)


def _figures(alignment: ClaimAlignment) -> Iterator[Finding]:
    for stand in alignment.figures:
        claim_span = stand.fact.span
        quoted = alignment.claim.text[slice(*claim_span)]
        kind = _kind(stand)
        if stand.standing in ("conflicts", "elsewhere") and stand.counterpart is not None:
            evidence_span, premise = stand.counterpart.span, alignment.premises[stand.sentence]
            instead = premise.text[slice(*evidence_span)]
            message = f"says {quoted}; the evidence says {instead}"
            if instead.casefold() in quoted.casefold() and quoted != instead:
                message = f"says {quoted}; the evidence says “{phrase(premise, evidence_span)}”"
            if quoted.casefold() == instead.casefold():
                role, other = _role(alignment.claim, claim_span), _role(premise, evidence_span)
                message = f"the evidence has {instead} in “{phrase(premise, evidence_span)}”"
                if role and other and role != other:
                    message = f"says {role} {quoted}; the evidence says {other} {instead}"
            yield Finding(kind, claim_span, message, stand.sentence, evidence_span, conflict=True)
        elif (
            stand.standing == "other"
            and isinstance(stand.counterpart, Period)
            and stand.relation == Relation("contains")
        ):
            evidence_span = stand.counterpart.span
            part = alignment.premises[stand.sentence].text[slice(*evidence_span)]
            yield Finding("date", claim_span, f"says {quoted}; the evidence says {part}", stand.sentence, evidence_span)
        elif stand.standing in ("missing", "other"):
            yield Finding("missing", claim_span, f"“{quoted}” is not in the evidence")


def _role(facts: Facts, figure: Span) -> str:
    """The word before a figure that says whether a change is from it, to it or by it; none of the sort: nothing."""
    here = facts.tokens.between(*figure)
    before = facts.tokens.lower[here[0] - 1] if here and here[0] else ""
    return before if before in ("from", "to", "by") else ""


def phrase(facts: Facts, span: Span) -> str:
    """The whole clause around a place in a sentence."""
    here = facts.tokens.between(*span)
    start, end = span_of(facts.tokens, clause_of(facts.tokens, here)) if here else span
    return facts.text[start:end]


def _compared(alignment: ClaimAlignment, comparison: Compared | None) -> Iterator[Finding]:
    """A comparison that the figures of its two sides do not confirm."""
    if comparison is None or comparison.holds:
        return
    claim, (first, second) = alignment.claim, comparison.sentences
    claim_span = claim.tokens.span(comparison.sides.word)
    left = alignment.premises[first].text[slice(*comparison.left.span)]
    right = alignment.premises[second].text[slice(*comparison.right.span)]
    message = f"says “{claim.text[slice(*claim_span)]}”; the evidence says {left} against {right}"
    spans = (comparison.left, comparison.right) if first == second else (comparison.left,)
    evidence_span = Span(min(q.start for q in spans), max(q.end for q in spans))
    yield Finding("number", claim_span, message, first, evidence_span, conflict=True)


def _against_figures(alignment: ClaimAlignment) -> Iterator[Finding]:
    """A rise or fall without a figure, where the two figures of the best sentence moved the other way."""
    word = _moving(alignment)
    if word is None:
        return
    place, sign = word
    changed = _moved(alignment)
    if changed is not None and changed.sign == -sign:
        claim_span = alignment.claim.tokens.span(place)
        first, last = (alignment.premises[0].text[slice(*figure.span)] for figure in changed)
        message = f"says “{alignment.claim.text[slice(*claim_span)]}”; the evidence goes from {first} to {last}"
        yield Finding("direction", claim_span, message, 0, changed.together().span, conflict=True)


def _moving(alignment: ClaimAlignment) -> tuple[int, int] | None:
    """The word of a claim without figures that says that something rises or falls, with 1 or -1."""
    claim = alignment.claim
    if claim.quantities or not alignment.aligned:
        return None
    for place, known in enumerate(claim.tokens.known):
        for axis, side in known.sides:
            if axis == "change" and not claim.denied[place]:
                return place, 1 - 2 * side
    return None


def _moved(alignment: ClaimAlignment) -> Change | None:
    """The change that the two figures of the best sentence make in the claim's time; None where there are several."""
    wanted = [period for period in alignment.claim.periods if period.kind == "period" and period.year is not None]
    tokens, main = alignment.claim.tokens, alignment.aligned[0]
    times_there = {n for period in wanted for n in tokens.between(period.start, period.end)}
    word = _moving(alignment)
    others = [n for n in range(len(tokens)) if tokens.content[n] and n not in times_there and word and n != word[0]]
    if not others or any(main.places[n] < 0 for n in others):
        return None
    pairs = {change.sign: change for change in moves(alignment.premises[0].text, wanted[-1] if wanted else None)}
    return next(iter(pairs.values())) if len(pairs) == 1 else None


def borne_out(alignment: ClaimAlignment) -> bool:
    """Whether figures of the evidence together confirm a comparison or a change in the claim."""
    comparison = compared(alignment.claim, alignment.premises, alignment.aligned)
    return bool(_proved(alignment, comparison)) and (comparison is None or comparison.holds)


def _proved(alignment: ClaimAlignment, comparison: Compared | None) -> set[int]:
    """Where the words of the claim start that say what its evidence says by figures alone."""
    claim = alignment.claim.tokens
    words = {comparison.sides.word} if comparison else set()
    word = _moving(alignment)
    if word is not None and (changed := _moved(alignment)) is not None and changed.sign == word[1]:
        words.add(word[0])
    agreeing = [
        stand for stand in alignment.figures if stand.standing == "agrees" and isinstance(stand.counterpart, Quantity)
    ]
    if any(stand.counterpart not in alignment.premises[stand.sentence].quantities for stand in agreeing):
        words |= {n for n in range(len(claim)) if any(axis == "change" for axis, _ in claim.known[n].sides)}
    return {claim.starts[n] for n in words}


def _kind(stand: Stands) -> Kind:
    if isinstance(stand.fact, Period):
        return "date"
    aspect = stand.relation.aspect if stand.relation else ""
    return aspect if aspect in ("magnitude", "unit", "sign") else "number"


def _turned(alignment: ClaimAlignment) -> Iterator[Finding]:
    if not alignment.aligned:
        return
    main, claim = alignment.aligned[0], alignment.claim.tokens
    figures = {n for stand in alignment.figures for n in claim.between(stand.fact.start, stand.fact.end)}
    for turn in main.substitutions:
        if turn.claim_place in figures or _turned_twice(alignment, turn):
            continue  # told as a figure, or none
        elsewhere = alignment.covered[turn.claim_place] and turn.kinship != Kinship.OPPOSITE  # an opposite stays one
        if turn.evidence_place < 0 or not turn.sides or elsewhere or claim.numbers[turn.claim_place]:
            continue
        kind: Kind | None = None
        if turn.kinship == Kinship.OPPOSITE:
            kind = "direction"
        elif claim.names[turn.claim_place] or (
            turn.kinship == Kinship.SIBLING and turn.sides == 2 and claim.known[turn.claim_place].part != VERB
        ):
            kind = "entity"
        if kind:
            yield _instead(alignment, turn, kind)


def _turned_twice(alignment: ClaimAlignment, turn: Substitution) -> bool:
    """Whether a word has its opposite where the evidence denies that, or tells what taking its subject away does."""
    claim, premise, there = alignment.claim, alignment.premises[0], turn.evidence_place
    if turn.kinship != Kinship.OPPOSITE or there < 0:
        return False
    lifted = (removal.verb for number, removal in left_in(claim, alignment.premises, alignment.aligned) if not number)
    inner = any(premise.tokens.starts[there] > cue.start for cue in premise.negations)
    excepts = premise.tokens.lower[there] == "without" and inner and not claim.negations  # "no ... without"
    return claim.denied[turn.claim_place] != premise.denied[there] or excepts or there in lifted


def _instead(alignment: ClaimAlignment, turn: Substitution, kind: Kind) -> Finding:
    claim, evidence = alignment.claim.tokens, alignment.premises[0].tokens
    claim_span, place = claim.span(turn.claim_place), evidence.span(turn.evidence_place)
    message = f"says “{claim.text[slice(*claim_span)]}”; the evidence says “{evidence.text[slice(*place)]}”"
    return Finding(kind, claim_span, message, 0, place, conflict=True)


def _denied(alignment: ClaimAlignment) -> Iterator[Finding]:
    """A word that is negated on one side only."""
    if not alignment.aligned:
        return
    main, claim, evidence = alignment.aligned[0], alignment.claim, alignment.premises[0]
    if doubled(claim.tokens, claim.negations) or doubled(evidence.tokens, evidence.negations):
        return
    for word in denied_here(claim, alignment.premises, alignment.aligned):
        place = main.places[word]
        if hold_together(claim.quantifiers, evidence.quantifiers):
            continue
        cue = cue_of(claim, word)
        there = evidence.tokens.span(place)
        message = f"denies what the evidence states: “{phrase(evidence, there)}”"
        yield Finding("negation", cue.span, message, 0, there, conflict=True)
    for number, place in denied_there(claim, alignment.premises, alignment.aligned):
        word = alignment.aligned[number].taken[place]
        cue = cue_of(alignment.premises[number], place)
        if hold_together(claim.quantifiers, alignment.premises[number].quantifiers):
            continue
        if any(alone(alignment.premises[number].tokens, cue, claim.tokens) for alone in _ALONE):
            continue
        there = alignment.premises[number].tokens.span(place)  # a cue may stand behind what it denies
        denied = Span(min(cue.start, there.start), max(cue.end, there.end))
        message = f"states what the evidence denies: “{phrase(alignment.premises[number], denied)}”"
        yield Finding("negation", claim.tokens.span(word), message, number, cue.span, conflict=True)


def _left_in(alignment: ClaimAlignment) -> Iterator[Finding]:
    """An effect of something that the evidence says of taking it away."""
    for number, removal in left_in(alignment.claim, alignment.premises, alignment.aligned):
        words, there = alignment.aligned[number], alignment.premises[number].tokens
        verb = words.taken[removal.verb]
        if verb >= 0:
            span = there.span(removal.cue, removal.verb) if removal.cue < removal.verb else there.span(removal.cue)
            here = alignment.claim.tokens.span(words.taken[removal.removed])
            message = f"states what the evidence says of “{there.text[slice(*span)]}”"
            yield Finding("negation", here, message, number, span, conflict=True)


def _swapped(alignment: ClaimAlignment) -> Iterator[Finding]:
    """Roles or comparisons that are reversed with respect to a sentence."""
    change = exchanged(alignment.aligned)
    if change is None:
        return
    claim, premise = alignment.claim, alignment.premises[change.sentence]
    claim_span = claim.tokens.span(min(change.words), max(change.words))
    evidence_span = premise.tokens.span(min(change.shown), max(change.shown))
    quoted = phrase(claim, claim_span), phrase(premise, evidence_span)
    message = f"says “{quoted[0]}”; the evidence says “{quoted[1]}”"
    yield Finding("roles", claim_span, message, change.sentence, evidence_span, conflict=True)


def _quantified(alignment: ClaimAlignment) -> Iterator[Finding]:
    if not alignment.aligned:
        return
    claim, evidence = alignment.claim, alignment.premises[0]
    doubly = doubled(claim.tokens, claim.negations) or doubled(evidence.tokens, evidence.negations)
    for fact in claim.quantifiers if not doubly else ():
        if (
            fact.kind == "order"
            and fact.name == "only"
            and not any(other.name == "only" for other in evidence.quantifiers)
        ):
            only = claim.text[slice(*fact.span)]
            yield Finding("quantifier", fact.span, f"says “{only}”, which the evidence does not")
        if fact.kind == "modality" and fact.name == "necessary" and alignment.aligned[0].places[fact.head] >= 0:
            place = alignment.aligned[0].places[fact.head]
            same = [o for o in evidence.quantifiers if o.kind == "modality" and o.head == place]
            if same and all(evidence.text[slice(*o.span)].lower() == "may" for o in same):
                message = f"says “{claim.text[slice(*fact.span)]}”; the evidence says “may”"
                yield Finding("quantifier", fact.span, message, 0, same[0].span, conflict=True)
        if fact.kind == "amount" and fact.strength >= 4:
            amounts = [o for o in evidence.quantifiers if o.kind == "amount"]
            # "Any" may be every one.
            telling = [o for o in amounts if evidence.text[slice(*o.span)].lower() != "any"]
            against = counterpart(fact, telling, alignment.aligned[0])
            if against and all(o.strength < fact.strength for o in amounts):
                words = claim.text[slice(*fact.span)], evidence.text[slice(*against.span)]
                message = f"says “{words[0]}”; the evidence says “{words[1]}”"
                yield Finding("quantifier", fact.span, message, 0, against.span, conflict=True)


def _missing(alignment: ClaimAlignment, proved: set[int]) -> Iterator[Finding]:
    """Runs of content words that no sentence contains; `proved` contains the starts of those confirmed by figures."""
    claim = alignment.claim.tokens
    run: list[int] = []
    for place in range(len(claim) + 1):
        lacks = place < len(claim) and claim.content[place] and not alignment.covered[place]
        lacks = lacks and claim.starts[place] not in proved
        if lacks:
            run.append(place)
        elif run and (place == len(claim) or claim.content[place]):
            span = claim.span(run[0], run[-1])
            yield Finding("missing", span, f"“{claim.text[slice(*span)]}” is not in the evidence")
            run = []
