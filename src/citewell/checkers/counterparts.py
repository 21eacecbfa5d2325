"""Decides whether a reason may quote both sides: only if each is certainly the counterpart of the other.

In one clause each, most of whose other words match, neither denied nor supposed where the other is not, of one kind.
"""

from __future__ import annotations

from itertools import takewhile
from typing import NamedTuple

from citewell.checkers.absent import content_keys, has_words, words_of
from citewell.facts.align import Finding
from citewell.facts.clauses import clauses
from citewell.facts.extract import Facts
from citewell.facts.features import ClaimAlignment
from citewell.facts.kinship import Kinship, look_up
from citewell.facts.tokens import Tokens
from citewell.facts.types import Period, Quantity
from citewell.facts.whole import clause_of, states
from citewell.text.spans import overlap
from citewell.types import Span

FIGURES = frozenset(("number", "magnitude", "unit", "sign"))
_NOUN = 3  # words behind a count among which is what it counts
_SUPPOSING = frozenset(
    "whether if unless could might would may should ought soon perhaps possibly maybe question questions wonder idea "
    "notion imagine belief believe myth".split()
)
_OFTEN_THE_SAME = frozenset(("entity", "quantifier"))  # another name of a thing, "mainly" and "commonly"
_TURNED = ("says from", "says to", "says by")
_NOT = frozenset("not never no none nothing neither nor".split())
_REACH = 4  # words from the counterpart of a neighbour in which a figure stands in the place of another
_CLOSE = 2  # words from a joining word to what it joins: "without its captain"
_JOINING = frozenset(("and", "or", "but", "nor", "other", "another"))  # what stands beyond belongs to something else
PRONOUNS = frozenset("he him his she her hers it its they them their theirs".split())
_CLAUSE = 12  # words of a clause that is quoted beside another
_AS_LARGE = 10  # times a figure: it is no other figure of the same thing
_PHRASE = 8  # words of content that a reader takes in as one phrase


def sure(finding: Finding, alignment: ClaimAlignment, *, lacking: bool) -> bool:
    """Whether a difference may be shown with both sides.

    `lacking`: the evidence lacks a part of the claim, so that a figure, a time or an opposite may be of something else.
    """
    known = finding.conflict or finding.kind == "negation"
    if finding.evidence_span is None or finding.sentence < 0 or not known or finding.kind in _OFTEN_THE_SAME:
        return False
    here = words_of(finding, alignment)
    there = alignment.premises[finding.sentence].tokens.between(*finding.evidence_span)
    if not here or not there:
        return False
    if _computed(finding, alignment, there):
        return True
    if lacking and finding.kind in ("date", "direction", *FIGURES):
        return False
    return (
        (finding.kind == "roles" or _in_one_place(here, there, finding.sentence, alignment))
        and _in_one_mood(finding, alignment, here, there)
        and _of_one_kind(finding, alignment, here, there)
    )


def _computed(finding: Finding, alignment: ClaimAlignment, there: range) -> bool:
    """Whether a rise or fall is held against figures that were reckoned with: "rose" against "from 5 to 3"."""
    figures = any(alignment.premises[finding.sentence].tokens.numbers[n] for n in there)
    return figures and finding.kind == "direction"


def _in_one_place(here: range, there: range, sentence: int, alignment: ClaimAlignment) -> bool:
    """Whether most other words of the claim's clause, and one next to its side, stand in the clause of the evidence."""
    claim, premise = alignment.claim.tokens, alignment.premises[sentence].tokens
    clause, others = _clause(premise, there), [n for n in _clause(claim, here) if claim.content[n] and n not in here]
    places = alignment.aligned[sentence].places
    matched = [n for n in others if places[n] in clause]
    sides = [n for n in others if n < here[0]][-1:] + [n for n in others if n > here[-1]][:1]
    apart = _in_brackets(claim, here) != _in_brackets(premise, there)
    return not apart and 2 * len(matched) >= len(others) and any(n in matched for n in sides)


def _in_brackets(tokens: Tokens, words: range) -> bool:
    before = tokens.text[: tokens.starts[words[0]]]
    return before.count("(") > before.count(")")


def _clause(tokens: Tokens, words: range) -> range:
    """The clause of these words; the sentence where it has no other words of content."""
    clause = clause_of(tokens, words)
    return clause if any(tokens.content[n] and n not in words for n in clause) else range(len(tokens))


def _in_one_mood(finding: Finding, alignment: ClaimAlignment, here: range, there: range) -> bool:
    """Whether both clauses deny, suppose and ask alike; for a denial, whether neither supposes or asks."""
    sides = ((alignment.claim, here), (alignment.premises[finding.sentence], there))
    claim, evidence = (_mood(facts, words, finding.kind) for facts, words in sides)
    if finding.kind == "negation":
        return claim.denies != evidence.denies and not (claim.supposes or evidence.supposes)
    return claim == evidence


class _Mood(NamedTuple):
    """Whether a clause denies, and whether it supposes or asks."""

    denies: bool
    supposes: bool


def _mood(facts: Facts, words: range, kind: str) -> _Mood:
    """The mood of the clause of these words; of opposites ("without") apart from these."""
    tokens, clause = facts.tokens, _clause(facts.tokens, words)
    places = [set(tokens.between(cue.start, cue.end)) for cue in facts.negations]
    cues = {n for cue in places if kind != "direction" or cue.isdisjoint(words) for n in cue}
    months = {n for period in facts.periods for n in tokens.between(period.start, period.end)}  # "in May"
    around = {tokens.lower[n] for n in range(max(0, clause[0] - 1), clause[-1] + 1) if n not in months}
    return _Mood(not cues.isdisjoint(clause), not _SUPPOSING.isdisjoint(around) or "?" in facts.text[-2:])


def denials(facts: Facts) -> int:
    """How often a sentence denies something, if only that it is all: "not simply"."""
    plain = sum(word in _NOT or word.endswith("n't") for word in facts.tokens.lower)
    return max(len(facts.negations), plain)


def _of_one_kind(finding: Finding, alignment: ClaimAlignment, here: range, there: range) -> bool:
    """Whether both sides may stand for each other: figures or names of one sort, words of one part."""
    claim, premise = alignment.claim.tokens, alignment.premises[finding.sentence].tokens
    word, other = claim.known[here[-1]], premise.known[there[-1]]
    firsts = ((claim, here[0]), (premise, there[0]))
    if finding.kind in FIGURES:
        tests = (_is_conversion, _of_another_thing, _stands_elsewhere, _is_the_same)
        turned = finding.message.startswith(_TURNED)  # the same figure, as the end and not as the change
        near = turned or _beside(here, there, finding.sentence, alignment)
        near = near and not any(isinstance(s.fact, Period) and s.standing != "agrees" for s in alignment.figures)
        return near and _comparable(finding, alignment) and not any(test(finding, alignment) for test in tests)
    if finding.kind == "date":
        premises = alignment.premises[finding.sentence].periods
        told = any(
            time.kind == "relative" and overlap(time.span, finding.evidence_span or Span(0, 0)) for time in premises
        )
        ends = (*premise.lower[there[0] - 1 : there[0]], *premise.lower[there[-1] + 1 : there[-1] + 2])
        half = ends in (("between", "and"), ("from", "to"))  # of "between 1880 and 1884"
        apart = not (told or half or _is_the_same(finding, alignment) or _stands_elsewhere(finding, alignment))
        return apart and _beside(here, there, finding.sentence, alignment)
    if finding.kind == "roles":
        return same_parties(finding, alignment) and _alike_in_length(finding, alignment)
    if finding.kind == "negation":
        once = sum(map(denials, (alignment.claim, alignment.premises[finding.sentence]))) == 1
        return once and states(premise, there) and states(claim, here) and _of_the_claim(finding, alignment)
    if finding.kind == "direction":
        if not PRONOUNS.isdisjoint((claim.lower[here[-1]], premise.lower[there[-1]])):
            return False  # whom they mean is not read
        if _in_compound(claim, here) != _in_compound(premise, there):
            return False  # "south" is no opposite of "north-west"
        relatives = look_up("relative").senses  # a father may be told as the father of a daughter
        if any(tokens.names[n] or not relatives.isdisjoint(tokens.known[n].above) for tokens, n in firsts):
            return False
        content = [tokens.content[n] and bool(tokens.known[n].entries) for tokens, n in firsts]
        return (all(content) and word.part == other.part) or (not any(content) and _same_neighbour(finding, alignment))
    return True


def _in_compound(tokens: Tokens, words: range) -> bool:
    """Whether a hyphen joins these words to another."""
    return "-" in (tokens.gap(words[0]), tokens.gap(words[-1] + 1) if words[-1] + 1 < len(tokens) else "")


def same_parties(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether both sides of exchanged roles are short and mostly of the same words: else something else is told."""
    premise = alignment.premises[finding.sentence].tokens
    there = premise.between(*finding.evidence_span) if finding.evidence_span else range(0)
    keys, others = content_keys(finding, alignment), {premise.keys[n] for n in there if premise.content[n]}
    return len(keys) <= _PHRASE and 2 * len(keys & others) > len(keys)


def _beside(here: range, there: range, sentence: int, alignment: ClaimAlignment) -> bool:
    """Whether a neighbour of the one has its counterpart next to the other."""
    claim, premise, aligned = alignment.claim.tokens, alignment.premises[sentence].tokens, alignment.aligned[sentence]
    kinds = zip(aligned.places, aligned.kinships, strict=True)
    places = [place if kind <= Kinship.SYNONYM else -1 for place, kind in kinds]
    content = [n for n in range(len(claim)) if claim.content[n] and n not in here]
    before, after = [n for n in content if n < here[0]][-1:], [n for n in content if n > here[-1]][:1]
    gaps = [range(places[n] + 1, there[0]) for n in before if places[n] >= 0]
    gaps += [range(there[-1] + 1, places[n]) for n in after if places[n] >= 0]

    def joins(gap: range) -> bool:
        others = [n for n in gap if premise.content[n] and premise.keys[n] not in claim.key_set]
        return all(premise.names[n] for n in others) and _JOINING.isdisjoint(premise.lower[gap.start : gap.stop])

    return any(joins(gap) for gap in gaps if 0 <= gap.stop - gap.start < _REACH)


def _of_the_claim(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether the clause that a denial is held against says all of the claim, in its order: else it denies another."""
    premise, claim = alignment.premises[finding.sentence], alignment.claim.tokens
    number = clauses(premise.text)
    there = premise.tokens.between(*(finding.evidence_span or Span(0, 0)))
    places = alignment.aligned[finding.sentence].places
    content = [n for n in range(len(claim)) if claim.content[n]]
    matched = [places[n] for n in content if there and places[n] >= 0 and number[places[n]] == number[there[-1]]]
    words = [n for n in range(len(premise.tokens)) if premise.tokens.content[n]]
    only, only_there = (any(q.name == "only" for q in side.quantifiers) for side in (alignment.claim, premise))
    least = 2 + denials(alignment.claim)  # a denied claim has to say more: "the economy is not tourism"
    whole = len(matched) == len(content) >= least and matched == sorted(matched) and only == only_there
    # A clause that spreads the same words over many has each said of something else.
    return whole and sum(min(matched) <= n <= max(matched) for n in words) <= 2 * len(content)


def _of_another_thing(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether two figures are of unlike things ("three groups", "two classes"), or another one stands nearer."""
    claim, premise = alignment.claim.tokens, alignment.premises[finding.sentence]
    here, there = claim.between(*finding.claim_span), premise.tokens.between(*(finding.evidence_span or (0, 0)))
    counted, others = _counted(claim, here), _counted(premise.tokens, there)
    cardinal = any(q.kind == "cardinal" and q.start == finding.claim_span.start for q in alignment.claim.quantities)
    if cardinal and counted and others and counted[-1] not in others and others[-1] not in counted:
        return True
    if (*claim.lower[here[0] - 1 : here[0]], *claim.lower[here[-1] + 1 : here[-1] + 2]) == ("between", "and"):
        return True  # half of "between 3 and 8 October"
    places = alignment.aligned[finding.sentence].places
    behind = next((places[n] for n in range(here[-1] + 1, len(claim)) if claim.content[n]), -1)
    figures = {premise.tokens.between(*q.span)[0] for q in premise.quantities if premise.tokens.between(*q.span)}
    return behind > there[-1] and not figures.isdisjoint(range(there[-1] + 1, behind))  # "675 t light, 878 t laden"


def _counted(tokens: Tokens, figure: range) -> list[str]:
    """The stems of the words of content right behind a figure."""
    words = takewhile(lambda n: tokens.content[n] and tokens.gap(n) == " ", range(figure[-1] + 1, len(tokens)))
    return [tokens.keys[n] for n in words][:_NOUN]


def _stands_elsewhere(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether the evidence has the claim's figure or time too, or the claim that of the evidence, somewhere else."""
    here, there = finding.claim_span, finding.evidence_span or Span(0, 0)
    claim, premise = alignment.claim, alignment.premises[finding.sentence]
    first, others = _values(claim, here)
    second, others_there = _values(premise, there)
    return not (first.isdisjoint(others_there) and second.isdisjoint(others))


def _values(facts: Facts, span: Span) -> tuple[set[object], set[object]]:
    """What a figure or time is worth, and what the others of its text are."""
    here, others = set[object](), set[object]()
    for quantity in facts.quantities:
        (here if overlap(quantity.span, span) else others).add((quantity.kind, quantity.low, quantity.high))
    for period in facts.periods:
        known = period.begin is not None or period.until is not None
        value = (period.begin, period.until) if known else facts.text[slice(*period.span)].casefold()
        (here if overlap(period.span, span) else others).add(value)
    return here, others


def _alike_in_length(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether neither side of exchanged roles is a fragment beside a whole clause, and neither clause is long."""
    premise = alignment.premises[finding.sentence].tokens
    here, there = words_of(finding, alignment), premise.between(*(finding.evidence_span or (0, 0)))
    clause = max(len(clause_of(alignment.claim.tokens, here)), len(clause_of(premise, there)))
    return max(len(here), len(there)) <= 2 * min(len(here), len(there)) and clause <= _CLAUSE


def _is_conversion(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether a figure stands in brackets behind the figure that it is in another unit: "200 pounds (91 kg)"."""
    text, start = alignment.claim.text, finding.claim_span.start
    return text[:start].rstrip("~≈ ").endswith("(") and any(
        other.end <= start and not text[other.end : start].strip("(~≈ ") for other in alignment.claim.quantities
    )


def _same_neighbour(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether the two words stand before words that match, in one clause: what they join or are said of."""
    claim, premise = alignment.claim.tokens, alignment.premises[finding.sentence].tokens
    words, there = words_of(finding, alignment), premise.between(*(finding.evidence_span or (0, 0)))
    number = clauses(premise.text)
    near = [n for n in range(words[-1] + 1, len(claim)) if claim.content[n]][:1]
    after = next((n for n in range(there[-1] + 1, len(premise)) if premise.content[n]), -1)
    gaps = {*claim.lower[words[-1] + 1 : near[0]], *premise.lower[there[-1] + 1 : after]} if near else {"of"}
    close = "of" not in gaps and near[0] - words[-1] <= _CLOSE and after - there[-1] <= _CLOSE
    return close and any(claim.keys[n] == premise.keys[after] for n in near) and number[after] == number[there[-1]]


def _comparable(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether two figures may be of one thing: both amounts or both counts, and as large, or of the same digits.

    A place in an order is often that of something else.
    The same digits without a scale are as large as the heading of a table says.
    """
    for stand in alignment.figures:
        here, there = stand.fact, stand.counterpart
        if isinstance(here, Quantity) and isinstance(there, Quantity) and here.start == finding.claim_span.start:
            first, second = (abs(figure.value * figure.factor) for figure in (here, there))
            scaled = here.value / here.scale != there.value / there.scale or (here.scale == 1) == (there.scale == 1)
            digits = first.normalize().as_tuple().digits == second.normalize().as_tuple().digits
            alike = here.kind == there.kind != "ordinal" or finding.kind == "unit"
            return alike and scaled and (digits or max(first, second) < _AS_LARGE * min(first, second))
    return False


def _is_the_same(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether a figure is held against the same one, and no word says that each is of something else."""
    there = alignment.premises[finding.sentence].text[slice(*(finding.evidence_span or (0, 0)))]
    here = alignment.claim.text[slice(*finding.claim_span)]
    if finding.kind == "date" and has_words(there, here):
        return True  # "after 2003" and "between 1998 and 2003"
    same = here.casefold() == there.casefold()
    return same and not finding.message.startswith("says ")
