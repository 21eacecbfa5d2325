"""Audits the citations of another system's answer: which exist, which support, which are missing.

audit(json.load(open("response.json")), [citewell.read("report.pdf")]).recall

Precision is the share of citations that exist and are to the point (see `precision`); recall the share of statements
that claim something and are fully supported by what they cite. A reply that declines to answer claims nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from citewell.abstain.declining import Declining
from citewell.audit import inputs, wire_lists, wire_locate, wire_read
from citewell.audit.claims import CitationJson, Claim, Response
from citewell.audit.fix import Claimed, fix
from citewell.audit.precision import Cited, Evidence, judged, share
from citewell.audit.wire_locate import Located
from citewell.document import Document
from citewell.errors import UsageError
from citewell.pipeline import Pipeline, grounding
from citewell.pipeline.sources import Documents, opened
from citewell.protocols import Pair
from citewell.text import segments, spans
from citewell.text.claims import makes_claim
from citewell.text.replies.parsing import parse
from citewell.types import HOLDS, SCORE_DIGITS, Answer, Citation, Draft, Label, Reason, Span, Statement, Verdict

_LINES = 8  # of a repr
_PART = 3  # words that a part of a statement has at least to be judged by itself
NUMBERS = ("paragraph", "sentence", "document")
_SUPPORTS: tuple[Label, ...] = ("supported", "partially_supported")


class Entry(NamedTuple):
    """One citation: the position of its statement, its target, and its faults.

    `label` is the checker's label for this citation alone, `supports` whether it is relevant.
    """

    statement: int | None
    located: Located
    label: Label | None
    score: float
    supports: bool

    @property
    def kept(self) -> bool:
        """Whether the fixed version keeps it; citations that are right or cannot be judged are never removed."""
        wrong = not self.supports and self.label in ("not_supported", "contradicted")
        return self.located.exists and not wrong

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        cited = self.located.citation
        return {
            "statement": self.statement,
            "answer_start": self.located.claim.answer_start,
            "answer_end": self.located.claim.answer_end,
            "exists": self.located.exists,
            "supports": self.supports,
            "label": self.label,
            "score": round(self.score, 6),
            "problem": self.located.problem,
            "remark": self.located.remark,
            "citation": cited.to_dict() if cited else None,
        }


class Counted(NamedTuple):
    """One statement: the support from its own citations, the reasons, their number, and better evidence."""

    text: str
    start: int
    end: int
    label: Label
    score: float
    cited: int
    missing: bool
    suggested: tuple[Citation, ...]
    reasons: tuple[Reason, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        lists = {"suggested": [cited.to_dict() for cited in self.suggested]}
        reasons = [reason.to_dict() for reason in self.reasons]
        return {**self._asdict(), "score": round(self.score, SCORE_DIGITS), **lists, "reasons": reasons}


@dataclass(frozen=True, repr=False)
class Audit:
    """The result of an audit.

    Attributes:
        form: the format of the response.
        text: the answer, without marks.
        statements: each with the label from its own citations.
        citations: each with whether it exists and whether it supports its statement.
        fixed: the answer with its citations repaired.
        payloads: the original form of each citation in `fixed`, None for added ones.
        data: the JSON of the response, whose format the fixed version keeps; None for plain text.
        warnings: omissions and changes while reading, and unsupported statements.
        declined: whether the response declines to answer and therefore claims nothing.
    """

    form: str
    text: str
    statements: tuple[Counted, ...]
    citations: tuple[Entry, ...]
    fixed: Answer
    payloads: tuple[CitationJson | None, ...] = ()
    warnings: tuple[str, ...] = ()
    declined: bool = False
    data: Mapping[str, Any] | None = None

    def __repr__(self) -> str:
        """A few lines: the figures, and the first faulty statements and citations."""
        figures = ", ".join(
            f"{name} {'–' if value is None else format(value, '.2f')}"
            for name, value in (("precision", self.precision), ("recall", self.recall))
        )
        lines = [f"Audit({self.form}: {len(self.citations)} citations, {len(self.statements)} statements, {figures}"]
        for entry in self.citations:
            if not entry.supports:
                cited_text = self.text[entry.located.claim.answer_start : entry.located.claim.answer_end]
                lines.append(f"  ✗ {entry.located.problem or entry.label}: {' '.join(cited_text.split())[:80]!r}")
        lines += [f"  ! {' '.join(warning.split())[:100]}" for warning in self.warnings]
        more = [f"  … {len(lines) - _LINES} more"] if len(lines) > _LINES else []
        return "\n".join([*lines[:_LINES], *more]) + ")"

    @property
    def precision(self) -> float | None:
        """Share of citations that exist and support; None if no statement has a citation."""
        unshared = [entry for entry in self.citations if not entry.located.claim.shared]
        return None if self.declined else share([entry.supports for entry in unshared])

    @property
    def recall(self) -> float | None:
        """Share of claiming statements that their citations fully support; None if nothing is claimed."""
        return share([statement.label == "supported" for statement in self.statements if statement.label != "no_claim"])

    @property
    def answer(self) -> Answer:
        """The original answer: its own citations as far as they exist, and the resulting labels."""
        known = [entry for entry in self.citations if entry.located.citation is not None]
        statements = tuple(
            Statement(
                statement.text, statement.start, statement.end, statement.label, statement.score,
                tuple(place for place, entry in enumerate(known) if entry.statement == number),
            )
            for number, statement in enumerate(self.statements)
        )  # fmt: skip
        citations = tuple(entry.located.citation for entry in known if entry.located.citation)
        return Answer(self.text, statements, citations, self.fixed.documents, self.fixed.question, method=self.form)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: what `citewell audit --json` prints."""
        claims = [statement for statement in self.statements if statement.label != "no_claim"]
        return {
            "format": self.form,
            "text": self.text,
            "declined": self.declined,
            "precision": self.precision,
            "recall": self.recall,
            "counts": {
                "citations": len(self.citations),
                "exist": sum(entry.located.exists for entry in self.citations),
                "support": sum(entry.supports for entry in self.citations),
                "statements": len(claims),
                "supported": sum(statement.label == "supported" for statement in claims),
                "missing": sum(statement.missing for statement in claims),
            },
            "statements": [statement.to_dict() for statement in self.statements],
            "citations": [entry.to_dict() for entry in self.citations],
            "fixed": self.fixed.to_dict(),
            "warnings": list(self.warnings),
        }


def audit(
    response: Any,
    documents: Documents,
    *,
    question: str | None = None,
    pipeline: Pipeline | None = None,
    numbers: str | None = None,
    ordered: bool = True,
) -> Audit:
    """Audit a response.

    Args:
        response: an object of a service's own package, its JSON parsed or as text, the text of a stream of events,
            plain text with `[n]` marks, or a `Path` of a file with one of these.
        documents: in the order in which the other system received them; paths are read.
        question: the question, if known.
        pipeline: provides the checker for judging and the attributor for finding better evidence.
        numbers: what the marks of plain text refer to: `paragraph`, `sentence` or `document`; by default documents if
            there are several, else paragraphs.
        ordered: whether the other system may have received the documents in this order; False if a library ranked them.

    Raises:
        AnswerFormatError: the response has none of the known formats.
        UsageError: there are no documents, the response has no text, or its marks count documents in no order.
    """
    built, sources, response = pipeline or Pipeline(), opened(documents), inputs.loaded(response)
    read, located, statements = _read(response, sources, numbers, ordered=ordered)
    form, text, warnings = read.form, read.text, read.warnings
    if not text.strip():
        raise UsageError("the response has no text")
    declined = read.refused or Declining().declines(text, question)
    entries, verdicts = _judged(text, statements, located, built, declined=declined)
    by_statement: list[list[Entry]] = [[] for _ in statements]
    for entry in entries:
        if entry.statement is not None:
            by_statement[entry.statement].append(entry)
    existing = [
        [
            Claimed(e.located.citation, e.located.claim.payload or {}, e.supports or e.label in _SUPPORTS)
            for e in each
            if e.kept
        ]
        for each in by_statement
    ]
    fixed = fix(Draft(text, question, statements, method=form), verdicts, existing, sources, built)
    judged_statements = []
    for span, verdict, better, part in zip(statements, verdicts, fixed.answer.statements, by_statement, strict=True):
        missing = verdict.label != "no_claim" and not any(entry.supports or entry.label in _SUPPORTS for entry in part)
        added = [number for number in better.citations if fixed.payloads[number] is None]
        suggested = tuple(fixed.answer.citations[n] for n in added) if verdict.label not in HOLDS else ()
        judgement = grounding.judged(replace(verdict, citations=()), sources, span.start)
        judged_statements.append(
            Counted(
                judgement.claim,
                *span,
                judgement.label,
                judgement.score,
                len(part),
                missing,
                suggested,
                judgement.reasons,
            )
        )
    problems = (f"citation {n}: {entry.located.problem}" for n, entry in enumerate(entries, 1) if entry.located.problem)
    all_warnings = (*warnings, *inputs.unread(read), *problems, *fixed.answer.warnings)
    return Audit(
        form,
        text,
        tuple(judged_statements),
        tuple(entries),
        fixed.answer,
        fixed.payloads,
        all_warnings,
        declined,
        read.data,
    )


def _read(
    response: Any, documents: Sequence[Document], numbers: str | None, *, ordered: bool
) -> tuple[Response, list[Located], tuple[Span, ...]]:
    """The response, its citations located, its statements."""
    read: Response | None
    if isinstance(response, str):  # None for plain text whose marks count parts of the documents
        read = wire_read.stream(response) or (None if numbers else wire_lists.plain(response))
    else:
        read = wire_read.read(response)
    if read is None or (not read.claims and parse(read.text, 10**6).cites):
        # Plain text, or a service's with marks of its own making and no citations beside it.
        text = response if read is None else read.text
        if not ordered and (cites := parse(text, 10**6).cites):
            raise UsageError(
                f"the mark [{cites[0].numbers[0]}] counts sources that the response does not list, and a library has "
                "no order: audit it against the documents themselves"
            )
        plain, located, statements = _counted(text, documents, numbers)
        return plain._replace(refused=bool(read and read.refused)), located, statements
    if numbers:
        raise UsageError(f"the response has the citations of {read.form}: no mark counts anything")
    places: dict[Claim, Located] = {}  # a source that is cited often is looked for once
    located = []
    for claim in read.claims:
        source = claim._replace(answer_start=0, answer_end=0, payload=None)
        if source not in places:
            places[source] = wire_locate.locate(source, documents, read.form)
        located.append(places[source].at(claim))
    return read, located, segments.statements(read.text)


def _counted(
    text: str, documents: Sequence[Document], numbers: str | None
) -> tuple[Response, list[Located], tuple[Span, ...]]:
    """Plain text whose marks count paragraphs, sentences or documents."""
    unit = numbers or ("document" if len(documents) > 1 else "paragraph")
    if unit not in NUMBERS:
        raise UsageError(f"numbers is one of {', '.join(NUMBERS)}, not {unit!r}")
    body = [
        (home, segment)
        for home in (documents if unit != "document" else ())
        for segment in home.segments("sentence" if unit == "sentence" else "paragraph")
        if segment.kind != "heading"
    ]
    known = len(documents) if unit == "document" else len(body)
    read = parse(text, 10**6, "\n".join(document.text for document in documents))
    located: list[Located] = []
    for part in read.cites:
        for number in part.numbers:
            claim = Claim(*part.span, document=number - 1)
            if number > known:
                located.append(Located(claim, problem=f"[{number}] does not exist: there are {known} {unit}s"))
            elif unit == "document":
                located.append(Located(claim, documents[number - 1]))
            else:
                home, segment = body[number - 1]
                cited = Citation.of(segment, home.id, Span(*part.span), method="plain")
                located.append(Located(claim, home, home.placed(cited)))
    return Response("plain", read.text, warnings=read.warnings), located, read.statements


def _judged(
    text: str,
    statements: tuple[Span, ...],
    located: Sequence[Located],
    pipeline: Pipeline,
    *,
    declined: bool,
) -> tuple[list[Entry], list[Verdict]]:
    """Each citation judged alone, each statement with all of its citations; nothing where the reply declines."""
    homes = [spans.home(statements, Span(place.claim.answer_start, place.claim.answer_end)) for place in located]
    plain = inputs.without_links(text)  # of what a service writes into a text to cite by
    texts = [plain[span.start : span.end] for span in statements]
    cited: list[list[int]] = [[] for _ in statements]
    for n, (place, home) in enumerate(zip(located, homes, strict=True)):
        if place.exists and home is not None and not declined:
            cited[home].append(n)
    pairs = [
        Cited(said, tuple(_evidence(located[n]) for n in numbers))
        for said, numbers in zip(texts, cited, strict=True)
        if numbers
    ]
    verdicts = iter(judged(pairs, pipeline.judge))
    entries = [Entry(home, place, None, 0.0, supports=False) for place, home in zip(located, homes, strict=True)]
    whole = []
    for said, numbers in zip(texts, cited, strict=True):
        if not numbers:
            whole.append(Verdict(said, "not_supported", 0.0).without_evidence(makes_claim(said) and not declined))
            continue
        verdict = next(verdicts)
        for n, alone, precise in zip(numbers, verdict.alone, verdict.precise, strict=True):
            entries[n] = entries[n]._replace(label=alone.label, score=alone.score, supports=precise)
        whole.append(verdict.together)
    _swapped(plain, entries, cited, pipeline)
    return entries, whole


def _swapped(text: str, entries: list[Entry], cited: Sequence[Sequence[int]], pipeline: Pipeline) -> None:
    """Find citations of parts of a statement that another part's citation supports, and their own does not."""
    wanted = dict[tuple[int, int], Pair]()
    for numbers in cited:
        parts = {n: (entries[n].located.claim.answer_start, entries[n].located.claim.answer_end) for n in numbers}
        for n, (start, end) in parts.items():
            others = [other for other in numbers if parts[other] != parts[n]]
            part = text[start:end].strip(" ,;")
            if not others or len(part.split()) < _PART or not entries[n].supports:
                continue
            for other in (n, *others):
                evidence = _evidence(entries[other].located)
                wanted[n, other] = Pair(part, evidence.documents, evidence.citations)
    verdicts = dict(zip(wanted, pipeline.judge(list(wanted.values())), strict=True))
    for n in {n for n, _ in wanted}:
        alone = verdicts[n, n]
        better = any(verdict.label in HOLDS for (first, other), verdict in verdicts.items() if first == n != other)
        if better and alone.label in ("not_supported", "contradicted"):
            entries[n] = entries[n]._replace(label=alone.label, score=alone.score, supports=False)


def _evidence(located: Located) -> Evidence:
    """What a citation names: its quote, or the whole document where it names no more."""
    documents = (located.document,) if located.document else ()
    return Evidence(documents, (located.citation,) if located.citation else None)
