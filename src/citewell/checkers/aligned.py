"""Verdicts from the alignment of claims with evidence, fact by fact: the core of the lexical checker."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

import numpy as np

from citewell.checkers.absent import Texts, has_words
from citewell.checkers.cells import reasons, unsaid
from citewell.checkers.evidence import Read, read
from citewell.checkers.excluding import contradicts
from citewell.checkers.rows import turned
from citewell.checkers.short_answers import claims_of
from citewell.checkers.telling import select_reasons
from citewell.facts.align import Finding, borne_out, findings
from citewell.facts.clauses import clauses
from citewell.facts.comparisons import uncompared
from citewell.facts.features import ClaimAlignment, vector
from citewell.facts.figures import firm
from citewell.facts.model import Floats, Model
from citewell.facts.slots import open_slots
from citewell.facts.supposed import supposed
from citewell.facts.tables.evidence import cell_odds, cited, in_table, look_up
from citewell.facts.types import Quantity
from citewell.protocols import Pair
from citewell.text.claims import makes_claim
from citewell.text.languages import READ, differ
from citewell.text.openings import without_openings
from citewell.types import SCORE_DIGITS, Citation, Label, Place, Reason, Span, Verdict

# A fact of these kinds that the aligned sentence turns round is a contradiction where all else of the claim is there.
# Another name is none: it is often the same thing by another name.
VETO = frozenset(("number", "magnitude", "unit", "sign", "date", "negation", "direction", "roles", "quantifier"))
CLAUSE = 2  # content words of a clause that counts as one
QUOTED = 0.97  # the least probability of a claim that stands in its evidence word for word


class Chances(NamedTuple):
    """The probabilities that the evidence supports a claim, and that it contradicts it."""

    support: float = 0.0
    against: float = 0.0


# What another checker makes of claims, what was read for each, and the chances that words and facts give it.
Second = Callable[[Sequence[str], Sequence[Read], Sequence[Chances]], Sequence[Chances]]


class Settings(NamedTuple):
    """The weights, the probability from which a claim counts as supported, and the share from which it is so in part.

    `name` is that of the checker. `second` may move the chances before the facts are looked at.
    """

    name: str
    model: Model
    least: float
    partial: float
    second: Second | None = None


class Differences(NamedTuple):
    """What tells a claim from its evidence: the findings, and what they decide.

    `vetoed`: a fact is turned round. `lacking`: something of the claim stands nowhere, or what it says is told of
    something else, so that nothing is contradicted.
    `unsettled`: the evidence only supposes it, has another name in its place, does not compare what the claim
    compares, or leaves a slot of it open. `quoted`: it stands there
    word for word; `proved`: its figures bear it out; `invented`: a whole clause of it stands nowhere, `unnamed`: a
    name of it, `uncounted`: a figure or time of it.
    """

    findings: tuple[Finding, ...]
    vetoed: bool = False
    lacking: bool = False
    unsettled: bool = False
    quoted: bool = False
    proved: bool = False
    invented: bool = False
    unnamed: bool = False
    uncounted: bool = False

    @property
    def settled(self) -> bool:
        """Whether everything that must be in the evidence is."""
        return not (self.vetoed or self.unsettled or self.invented or self.unnamed or self.uncounted)


def verdicts(pairs: Sequence[Pair], settings: Settings) -> list[Verdict]:
    """One verdict a pair.

    Raises:
        UsageError: a pair has no documents.
    """
    readings = [claims_of(pair) if pair.question_length else [without_openings(pair.claim)] for pair in pairs]
    bare = [pair._replace(claim=claim) for pair, claims in zip(pairs, readings, strict=True) for claim in claims]
    evidence = read(bare)
    aligned = [number for number, there in enumerate(evidence) if there.alignment]
    chances: Sequence[Chances] = [
        Chances(*both) for both in odds(evidence, settings.model, probabilities=True).tolist()
    ]
    if settings.second is not None:
        chances = settings.second([bare[n].claim for n in aligned], [evidence[n] for n in aligned], chances)
    known = dict(zip(aligned, chances, strict=True))
    worded = (
        _by_cells(pair, there, _worded(pair, there, settings, *known.get(number, Chances())), settings)
        for number, (pair, there) in enumerate(zip(bare, evidence, strict=True))
    )
    return [
        replace(max(islice(worded, len(claims)), key=_rank), claim=pair.claim)
        for pair, claims in zip(pairs, readings, strict=True)
    ]


def _rank(verdict: Verdict) -> tuple[bool, float]:
    """What an answer to one of several questions is judged by: the question to which it is supported best."""
    return verdict.label == "supported", verdict.score


def odds(evidence: Sequence[Read], model: Model, *, probabilities: bool = False) -> Floats:
    """(n, 2) log odds of support and of contradiction for the n claims of which something was read, as they come.

    What another model adds its own to; `probabilities` gives those instead.
    """
    rows = np.array([vector(there.alignment) for there in evidence if there.alignment]).reshape(-1, len(model.names))
    lines = (model.support, model.against)
    return np.stack([line.probability(rows) if probabilities else line.odds(rows) for line in lines], axis=1)


def differences(pair: Pair, there: Read) -> Differences:
    """What tells a claim from the sentences that were read for it."""
    alignment = there.alignment
    if alignment is None:
        return Differences(())
    conflicts = (*turned(alignment, there), *findings(alignment))
    vetoed = any(_vetoes(pair.claim, finding) for finding in conflicts)
    renamed = any(finding.conflict and finding.kind == "entity" for finding in conflicts)
    quoted = _quoted(pair.claim, there)
    sides = alignment.claim, alignment.premises, alignment.aligned
    unsettled = renamed or supposed(*sides)
    if not vetoed and not unsettled and not quoted:
        unsettled = uncompared(*sides) is not None
    unfilled = () if vetoed or quoted else tuple(open_slots(alignment))
    unsettled = unsettled or bool(unfilled)
    conflicts = (*conflicts, *unfilled)
    proved = not (conflicts or unsettled) and borne_out(alignment)
    vetoes = [finding for finding in conflicts if _vetoes(pair.claim, finding)]
    lacking = not contradicts(conflicts, vetoes, alignment)
    return Differences(
        conflicts,
        vetoed,
        lacking,
        unsettled,
        quoted and not vetoed,
        proved,
        _invented(alignment),
        _unnamed(alignment),
        _uncounted(alignment),
    )


def _unnamed(alignment: ClaimAlignment) -> bool:
    """Whether a name of the claim stands nowhere in the sentences that were read, nor next to them."""
    tokens = alignment.claim.tokens
    return any(tokens.names[n] and tokens.content[n] and not alignment.close[n] for n in range(len(tokens)))


def _uncounted(alignment: ClaimAlignment) -> bool:
    """Whether a figure or time of the claim, that evidence must state, stands nowhere in them."""
    return any(firm(stand.fact) and stand.standing in ("missing", "other") for stand in alignment.figures)


def _invented(alignment: ClaimAlignment) -> bool:
    """Whether nothing of a whole clause of the claim stands in the evidence."""
    tokens, number = alignment.claim.tokens, clauses(alignment.claim.text)
    words: dict[int, list[bool]] = defaultdict(list)
    for place, have in enumerate(alignment.covered):
        if tokens.content[place]:
            words[number[place]].append(have)
    return any(len(have) >= CLAUSE and not any(have) for have in words.values())


def label(support: float, near: float, differences_found: Differences, settings: Settings) -> Label:
    """The label of a claim: supported where nothing of it is open, contradicted where all stands there but one fact."""
    if support >= settings.least and differences_found.settled:
        return "supported"
    if near < settings.partial:
        return "not_supported"
    return "contradicted" if differences_found.vetoed and not differences_found.lacking else "partially_supported"


def _worded(pair: Pair, there: Read, settings: Settings, support: float, against: float) -> Verdict:
    """The verdict by the words and facts of the sentences."""
    blank = Verdict(pair.claim, "no_claim", 0.0, pair.citations or (), method=settings.name)
    if not makes_claim(pair.claim):
        return blank
    if pair.citations != () and differ(pair.claim, _text(pair, there)):
        why = "it and its evidence are in different languages, whose words cannot be compared"
        reason = Reason("language", 0, len(pair.claim), None, why)
        return replace(blank, label="unverified", reasons=(reason,))
    alignment = there.alignment
    if alignment is None:
        unread = replace(blank, label="not_supported")
        return unread if pair.citations is None else unread.without_evidence()
    conflicts = differences(pair, there)
    if conflicts.proved:
        support = max(support, settings.least)
    if conflicts.quoted:
        support = max(support, QUOTED)
    result: Label = (
        "not_supported" if _lacks_answer(pair, alignment) else label(support, alignment.near, conflicts, settings)
    )
    if result == "contradicted":
        support *= 1 - against
    if result != "supported":
        support = min(support, settings.least)
    unsupported = () if result == "supported" else conflicts.findings
    texts = _folded(pair) if unsupported else Texts((), ())
    reasons_shown = select_reasons(unsupported, alignment, texts)
    score = round(float(support), SCORE_DIGITS)  # sums of a batch differ from those of one claim in the last bit
    return Verdict(
        pair.claim,
        result,
        score,
        pair.citations if pair.citations is not None else tuple(_citations(pair, there, score, settings.name)),
        tuple(_lacking(unsupported, alignment, texts)),
        method=settings.name,
        reasons=tuple(_reason(finding, alignment, there) for finding in reasons_shown),
    )


def _lacking(unsupported: Sequence[Finding], alignment: ClaimAlignment, texts: Texts) -> Iterator[Span]:
    """The words that stand nowhere in what is cited."""
    for span in (finding.claim_span for finding in unsupported if finding.kind == "missing"):
        words = alignment.claim.text[slice(*span)].casefold()
        if not any(has_words(text, words) for text in texts.cited):
            yield span


def _by_cells(pair: Pair, there: Read, worded: Verdict, settings: Settings) -> Verdict:
    """The verdict by cells of tables where those tell; what sentences say beside them stands."""
    judged = worded.label not in ("no_claim", "unverified")
    cells = look_up(pair.claim, pair.evidence, pair.citations) if judged else None
    more = cells is not None and bool(cells.unsaid) and not cells.points
    if (
        cells is None
        or (more and worded.label != "not_supported")
        or (worded.label == "supported" and _in_words(there))
    ):
        return worded
    why = tuple(reasons(cells, pair.claim, pair.evidence))
    # Points of which no reason can be told are as often of another row.
    result: Label = "contradicted" if why else "partially_supported" if cells.points or cells.unsaid else "supported"
    support = max(cell_odds(), settings.least) if result == "supported" else min(worded.score, settings.least)
    score, citations = round(support, SCORE_DIGITS), pair.citations
    if citations is None:
        citations = cited(cells, pair.evidence, Span(0, len(pair.claim)), score, settings.name)
    missing = tuple(unsaid(cells, pair.claim))
    return Verdict(pair.claim, result, score, citations, missing, method=settings.name, reasons=why)


def _in_words(there: Read) -> bool:
    """Whether sentences outside tables have every figure of the claim."""
    if there.alignment is None:
        return False
    figures = [stand for stand in there.alignment.figures if isinstance(stand.fact, Quantity)]
    if not figures or any(stand.standing != "agrees" for stand in figures):
        return False
    sentences = (there.sentences[there.alignment.chosen[stand.sentence]] for stand in figures)
    return not any(
        in_table(sentence.document, Span(sentence.start, sentence.start + len(sentence.text))) for sentence in sentences
    )


def _quoted(claim: str, there: Read) -> bool:
    """Whether a claim is a whole sentence of the evidence, word for word, whatever marks end it."""
    plain = _plain(claim)
    return any(_plain(sentence.text) == plain for sentence in there.sentences)


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip(" .!\"“”'‘’«»")


def _vetoes(claim: str, finding: Finding) -> bool:
    """Whether a difference settles it; a single letter is what tells "Group B" from "Group C", no other name."""
    start, end = finding.claim_span
    letters = (
        finding.evidence_span is not None
        and end - start == finding.evidence_span.end - finding.evidence_span.start == 1
    )
    apart = claim[max(0, start - 1) : start] == " " and claim[start].isupper()
    return finding.conflict and (finding.kind in VETO or (finding.kind == "entity" and letters and apart))


def _text(pair: Pair, there: Read) -> str:
    """What the claim is compared with: the sentences that were read, or the documents in which none was."""
    return " ".join(sentence.text for sentence in there.sentences) or " ".join(
        document.text[:READ] for document in pair.evidence
    )


def _folded(pair: Pair) -> Texts:
    """What is cited, or the documents where nothing is, and the documents."""
    documents = [document.memo("folded", document.text.casefold) for document in pair.evidence]
    cited = documents if pair.citations is None else [citation.quote.casefold() for citation in pair.citations]
    return Texts(cited, documents)


def _lacks_answer(pair: Pair, alignment: ClaimAlignment) -> bool:
    """Whether a short answer, judged with its question, says something itself that the evidence has not."""
    claim = alignment.claim.tokens
    answer = (
        place for place in range(len(claim)) if claim.starts[place] >= pair.question_length and claim.content[place]
    )
    return bool(pair.question_length) and not all(alignment.covered[place] for place in answer)


def _reason(finding: Finding, alignment: ClaimAlignment, there: Read) -> Reason:
    place = None
    if finding.evidence_span is not None and finding.sentence >= 0:
        sentence = there.sentences[alignment.chosen[finding.sentence]]
        start = sentence.start + finding.evidence_span.start
        place = Place(sentence.document.id, start, sentence.start + finding.evidence_span.end)
    return Reason(finding.kind, finding.claim_span.start, finding.claim_span.end, place, finding.message)


def _citations(pair: Pair, there: Read, score: float, method: str) -> Iterator[Citation]:
    for number in there.alignment.chosen if there.alignment else ():
        sentence = there.sentences[number]
        if sentence.segment:
            target = Span(0, len(pair.claim))
            yield Citation.of(sentence.segment, sentence.document.id, target, score, method)
