"""Verdicts by the alignment of claims with evidence, fact by fact: the work of the lexical checker."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from citewell.checkers.cells import reasons
from citewell.checkers.evidence import Read, read
from citewell.checkers.rows import turned
from citewell.checkers.scale import Scale
from citewell.checkers.scores import consistent, ordered
from citewell.facts.align import Finding, borne_out, findings
from citewell.facts.comparisons import uncompared
from citewell.facts.features import Seen, vector
from citewell.facts.model import Model
from citewell.facts.supposed import Supposed, supposed
from citewell.facts.tables.evidence import cell_odds, cited, in_table, look_up
from citewell.facts.types import Quantity
from citewell.protocols import Pair
from citewell.text.claims import makes_claim
from citewell.text.languages import READ, differ
from citewell.types import SCORE_DIGITS, Citation, Label, Place, Reason, Span, Verdict

# A fact of these kinds that the aligned sentence turns round overrules the probability. Another name does not: it is
# often the same thing by another name.
VETO = frozenset(("number", "magnitude", "unit", "sign", "date", "negation", "direction", "roles", "quantifier"))


class Chances(NamedTuple):
    """The probabilities that the evidence supports a claim, and that it contradicts it."""

    support: float = 0.0
    against: float = 0.0


# What another checker makes of claims, what was read for each, and the chances that words and facts give it.
Second = Callable[[Sequence[str], Sequence[Read], Sequence[Chances]], Sequence[Chances]]


class Settings(NamedTuple):
    """The weights, the raw score from which a claim counts as supported, and the share from which it is so in part.

    `name` is that of the checker, `scale` makes raw scores those of verdicts. `second` may move the chances before the
    facts are looked at.
    """

    name: str
    model: Model
    least: float
    partial: float
    scale: Scale | None = None
    second: Second | None = None

    def score(self, raw: float) -> float:
        """The score of a verdict."""
        return raw if self.scale is None else self.scale.score(raw)


def verdicts(pairs: Sequence[Pair], settings: Settings) -> list[Verdict]:
    """One verdict a pair.

    Raises:
        UsageError: a pair has no documents.
    """
    evidence, model = read(pairs), settings.model
    aligned = [number for number, shown in enumerate(evidence) if shown.seen]
    rows = [vector(shown.seen) for shown in evidence if shown.seen]
    table = np.array(rows) if rows else np.zeros((0, len(model.names)))
    both = (model.support.probability(table).tolist(), model.against.probability(table).tolist())
    chances: Sequence[Chances] = [Chances(*odds) for odds in zip(*both, strict=True)]
    if settings.second is not None:
        chances = settings.second([pairs[n].claim for n in aligned], [evidence[n] for n in aligned], chances)
    known = dict(zip(aligned, chances, strict=True))
    return [
        _by_cells(pair, shown, _worded(pair, shown, settings, *known.get(number, Chances())), settings)
        for number, (pair, shown) in enumerate(zip(pairs, evidence, strict=True))
    ]


def _worded(pair: Pair, shown: Read, settings: Settings, support: float, against: float) -> Verdict:
    """The verdict by the words and facts of the sentences."""
    blank = Verdict(pair.claim, "no_claim", 0.0, pair.citations or (), method=settings.name)
    if not makes_claim(pair.claim):
        return blank
    if pair.citations != () and differ(pair.claim, _text(pair, shown)):
        why = "it and its evidence are in different languages, whose words cannot be compared"
        reason = Reason("language", 0, len(pair.claim), None, why)
        return replace(blank, label="unverified", reasons=(reason,))
    if shown.seen is None:
        return replace(blank, label="not_supported").without_evidence()
    model, seen, least = settings.model, shown.seen, settings.least
    shared = seen.features["near"] >= settings.partial
    differences = (*turned(seen, shown), *findings(seen))
    vetoed = any(_vetoes(pair.claim, finding) for finding in differences)
    label: Label = "not_supported"
    lone = None
    may_be = supposed(seen.claim, seen.shown, seen.aligned)
    if may_be is not None:
        differences = (*differences, _only_supposed(seen, may_be))
    elif not differences and borne_out(seen):
        support = max(support, least)
    elif support >= least and not vetoed:
        lone = uncompared(seen.claim, seen.shown, seen.aligned)
    if _lacks_own_words(pair, seen):
        label = "not_supported"
    elif support >= least and not vetoed and lone is None and may_be is None:
        label, differences = "supported", ()
    elif vetoed and shared and (against >= model.contradicted or support >= least):
        label, support = "contradicted", support * (1 - against)
    elif shared and not vetoed:
        label = "partially_supported"
    if lone is not None:
        words = seen.claim.tokens
        said = Span(words.starts[lone.word], words.ends[lone.word])
        differences = (*differences, Finding("missing", said, "the evidence does not compare them"))
    # Sums of a batch differ from those of one claim in the last bit.
    score = round(settings.score(ordered(label, support, least, least / 2)), SCORE_DIGITS)
    return Verdict(
        pair.claim,
        label,
        score,
        pair.citations if pair.citations is not None else tuple(_citations(pair, shown, score, settings.name)),
        tuple(finding.said for finding in differences if finding.kind == "missing"),
        method=settings.name,
        reasons=tuple(_reason(finding, seen, shown) for finding in differences),
    )


def _by_cells(pair: Pair, shown: Read, worded: Verdict, settings: Settings) -> Verdict:
    """The verdict by cells of tables where those tell; what sentences say beside them stands."""
    judged = worded.label not in ("no_claim", "unverified")
    cells = look_up(pair.claim, pair.evidence, pair.citations) if judged else None
    told_more = cells is not None and bool(cells.unsaid) and not cells.points
    if cells is None or (worded.label == "supported" and (told_more or _in_words(shown))):
        return worded
    label: Label = "contradicted" if cells.points else "partially_supported" if cells.unsaid else "supported"
    support = cell_odds() if label == "supported" else worded.score
    least, half = settings.score(settings.least), settings.score(settings.least / 2)
    score = round(consistent(label, support, least, half), SCORE_DIGITS)
    given = pair.citations
    if given is None:
        given = cited(cells, pair.evidence, Span(0, len(pair.claim)), score, settings.name)
    why = tuple(reasons(cells, pair.claim, pair.evidence))
    missing = tuple(Span(reason.start, reason.end) for reason in why if reason.kind == "missing")
    return Verdict(pair.claim, label, score, given, missing, method=settings.name, reasons=why)


def _in_words(shown: Read) -> bool:
    """Whether sentences outside tables have every figure of the claim."""
    if shown.seen is None:
        return False
    figures = [stand for stand in shown.seen.figures if isinstance(stand.fact, Quantity)]
    if not figures or any(stand.standing != "agrees" for stand in figures):
        return False
    sentences = (shown.sentences[shown.seen.chosen[stand.sentence]] for stand in figures)
    return not any(
        in_table(sentence.document, Span(sentence.start, sentence.start + len(sentence.text))) for sentence in sentences
    )


def _vetoes(claim: str, finding: Finding) -> bool:
    """Whether a difference settles it; a single letter is what tells "Group B" from "Group C", no other name."""
    start, end = finding.said
    letters = finding.shown is not None and end - start == finding.shown.end - finding.shown.start == 1
    apart = claim[max(0, start - 1) : start] == " " and claim[start].isupper()
    return finding.conflict and (finding.kind in VETO or (finding.kind == "entity" and letters and apart))


def _only_supposed(seen: Seen, may_be: Supposed) -> Finding:
    """A verb that the evidence only supposes."""
    said = seen.claim.text[may_be.said.start : may_be.said.end]
    shown = seen.shown[may_be.sentence].text[may_be.shown.start : may_be.shown.end]
    return Finding(
        "quantifier", may_be.said, f"says “{said}”; the evidence says “{shown}”", may_be.sentence, may_be.shown
    )


def _text(pair: Pair, shown: Read) -> str:
    """What the claim is held against: the sentences that were read, or the documents in which none was found."""
    read_here = " ".join(sentence.text for sentence in shown.sentences)
    return read_here or " ".join(document.text[:READ] for document in pair.evidence)


def _lacks_own_words(pair: Pair, seen: Seen) -> bool:
    """Whether a short answer, judged with its question, says something itself that the evidence has not."""
    if not pair.question_length:
        return False
    claim = seen.claim.tokens
    own = [place for place in range(len(claim)) if claim.starts[place] >= pair.question_length and claim.content[place]]
    return any(not seen.covered[place] for place in own)


def _reason(finding: Finding, seen: Seen, shown: Read) -> Reason:
    place = None
    if finding.shown is not None and finding.sentence >= 0:
        sentence = shown.sentences[seen.chosen[finding.sentence]]
        start = sentence.start + finding.shown.start
        place = Place(sentence.document.id, start, sentence.start + finding.shown.end)
    return Reason(finding.kind, finding.said.start, finding.said.end, place, finding.message)


def _citations(pair: Pair, shown: Read, score: float, method: str) -> Iterator[Citation]:
    for number in shown.seen.chosen if shown.seen else ():
        sentence = shown.sentences[number]
        if sentence.segment:
            said = Span(0, len(pair.claim))
            yield Citation.of(sentence.segment, sentence.document.id, said, score, method)
