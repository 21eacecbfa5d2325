"""Verify a saved answer against its documents: its quotes and their offsets, its statements, labels and numbers.

verify(Answer.from_dict(json.load(file)), [citewell.read("report.pdf")]).ok

Nothing is judged here: a change that the citations allow (a label raised, a reason reworded) is told by the digest of
what was saved; `recheck` names it, and sees it too where a careful forger made the digest anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from citewell.document import Document
from citewell.errors import AnswerFormatError
from citewell.pipeline.grounding import same_words
from citewell.pipeline.sources import Documents, opened
from citewell.text import safe
from citewell.text.safe import shorten
from citewell.text.spans import last_before, owns
from citewell.types import (
    LABELS,
    SCHEMA_VERSION,
    Answer,
    Citation,
    DocumentInfo,
    Field,
    Label,
    Place,
    Statement,
    Verdict,
    digest,
    require_version,
)
from citewell.types.checked import as_answer

What = Literal[
    "document", "offsets", "quote", "page", "rects", "segment", "statement", "index", "label", "score", "digest",
    "recheck",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One thing that does not hold: where in the answer's JSON, what kind, and in words."""

    where: str
    what: What
    message: str

    def to_dict(self) -> dict[str, str]:
        """The JSON form."""
        return {"where": self.where, "what": self.what, "message": self.message}


_CITED: tuple[Label, ...] = ("supported", "partially_supported", "quoted", "contradicted")  # by what is cited
_FAILED: tuple[Label, ...] = ("not_supported", "contradicted")
TOLERANCE = 0.5  # points by which a rectangle may differ or stick out: files are printed with rounded figures


@dataclass(frozen=True, slots=True)
class Report:
    """What was checked, and everything that does not hold."""

    citations: int
    statements: int
    documents: int
    mismatches: tuple[Mismatch, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether everything holds."""
        return not self.mismatches

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "schema_version": SCHEMA_VERSION,
            "ok": self.ok,
            "citations": self.citations,
            "statements": self.statements,
            "documents": self.documents,
            "mismatches": [mismatch.to_dict() for mismatch in self.mismatches],
        }


def load(text: str) -> Answer:
    """A saved answer, or the saved verdicts of a check as one, from its JSON text.

    Raises:
        AnswerFormatError: it is not JSON, or not the JSON of an answer or of verdicts.
    """
    try:
        data = safe.loads(text)
    except ValueError as error:
        raise AnswerFormatError(f"the answer is not JSON: {error}") from error
    if isinstance(data, dict) and "verdicts" in data:
        require_version(data)
        return _verdicts(Field(data))
    return Answer.from_dict(data)


def _verdicts(saved: Field) -> Answer:
    """Saved verdicts as an answer; its digest is theirs where they are as they were saved."""
    verdicts = saved["verdicts"].each(Verdict.read)
    documents = saved.get("documents", ()).each(DocumentInfo.read)
    warnings = saved.get("warnings", ()).each(Field.text)
    usage = dict(saved.get("usage", {}).fields())
    said = usage.pop("digest", None)
    payload = {
        "schema_version": saved["schema_version"].whole(),
        "verdicts": [verdict.to_dict() for verdict in verdicts],
        "documents": [info.to_dict() for info in documents],
        "warnings": list(warnings),
        "usage": usage,
    }
    answer = replace(as_answer(verdicts, documents), usage=usage)
    return answer if said is None else answer.with_usage(digest=answer.digest if said == digest(payload) else said)


def verify(answer: Answer, documents: Documents) -> Report:
    """Compare an answer with its documents; paths are read.

    A document whose text changed is reported once, and its quotes are still looked for at their offsets.
    """
    matched = _match(answer.documents, opened(documents) if documents else ())
    mismatches = [
        *_documents(answer.documents, matched),
        *_places(answer, matched),
        *(item for index, citation in enumerate(answer.citations) for item in _covered(index, citation, answer.text)),
        *(item for index, statement in enumerate(answer.statements) for item in _statement(index, statement, answer)),
        *_unlisted(answer),
        *_ranked(answer.statements),
        *_digest(answer),
    ]
    return Report(len(answer.citations), len(answer.statements), len(answer.documents), tuple(mismatches))


def _match(infos: Sequence[DocumentInfo], documents: Sequence[Document]) -> dict[str, Document]:
    """Which document each id means: the one with its hash, else the next of those that fit no id."""
    by_hash = {document.sha256: document for document in documents}
    wanted = {info.sha256 for info in infos}
    left = iter([document for document in documents if document.sha256 not in wanted])
    matched = {info.id: by_hash.get(info.sha256) or next(left, None) for info in infos}
    return {key: document for key, document in matched.items() if document is not None}


def _documents(infos: Sequence[DocumentInfo], matched: dict[str, Document]) -> Iterator[Mismatch]:
    for index, info in enumerate(infos):
        where, name = f"documents[{index}]", info.source or info.title or info.id
        document = matched.get(info.id)
        if document is None:
            yield Mismatch(where, "document", f"{name} was not given, so its quotes cannot be verified")
        elif document.sha256 != info.sha256:
            given = document.source or document.title or document.id
            yield Mismatch(where, "document", f"the text of {given} is not the text of {name}: its hash differs")
        elif document.info.pages != info.pages:
            yield Mismatch(where, "document", f"{name} has {document.info.pages} pages, not {info.pages}")


def _places(answer: Answer, matched: dict[str, Document]) -> Iterator[Mismatch]:
    """Everything that points into a document: citations, the evidence of reasons, what an abstention shows."""
    for number, citation in enumerate(answer.citations):
        yield from _citation(f"citations[{number}]", citation, matched)
    for number, statement in enumerate(answer.statements):
        for position, reason in enumerate(statement.reasons):
            if reason.evidence:
                yield from _place(f"statements[{number}].reasons[{position}].evidence", reason.evidence, matched)
    for number, near in enumerate(answer.abstention.nearest if answer.abstention else ()):
        yield from _citation(f"abstention.nearest[{number}]", near.citation, matched)


def _citation(where: str, citation: Citation, matched: dict[str, Document]) -> Iterator[Mismatch]:
    problems = list(_place(where, citation, matched, citation.quote))
    yield from problems
    if problems:
        return
    document = matched[citation.document_id]
    if not any(start <= citation.start < end for start, end in _segments(document).get(citation.segment_id, ())):
        yield Mismatch(where, "segment", f"the quote does not stand in segment {citation.segment_id}")


def _segments(document: Document) -> dict[str, list[tuple[int, int]]]:
    def build() -> dict[str, list[tuple[int, int]]]:
        spans: dict[str, list[tuple[int, int]]] = {}
        for granularity in ("section", "paragraph", "sentence"):
            for segment in document.segments(granularity):
                spans.setdefault(segment.id, []).append((segment.start, segment.end))
        return spans

    return document.memo("spans of segments", build)


def _place(
    where: str, place: Citation | Place, matched: dict[str, Document], quote: str | None = None
) -> Iterator[Mismatch]:
    document = matched.get(place.document_id)
    if document is None:
        yield Mismatch(where, "document", f"its document {place.document_id} is not among those given")
        return
    start, end = place.start, place.end
    if not 0 <= start < end <= len(document.text):
        yield Mismatch(
            where, "offsets", f"offsets {start} to {end} are not in a text of {len(document.text)} characters"
        )
        return
    if quote is not None and document.text[start:end] != quote:
        moved = document.text.find(quote) if quote else -1
        hint = f"it stands at {moved} now" if moved >= 0 else "it is nowhere in the text"
        stands = shorten(document.text[start:end])
        yield Mismatch(where, "quote", f"at {start} to {end} stands {stands!r}, not the quote; {hint}")
        return
    if place.page != document.page_at(start):
        yield Mismatch(where, "page", f"it stands on page {document.page_at(start)}, not {place.page}")
    yield from _rects(where, place, document)


def _rects(where: str, place: Citation | Place, document: Document) -> Iterator[Mismatch]:
    pages = {page.number: page for page in document.pages}
    inside = True
    for number, (page_number, x0, y0, x1, y1) in enumerate(place.rects):
        page = pages.get(page_number)
        if page is None:
            problem = f"there is no page {page_number}"
        elif not (-TOLERANCE <= x0 < x1 <= page.width + TOLERANCE and -TOLERANCE <= y0 < y1 <= page.height + TOLERANCE):
            problem = f"it is not inside page {page_number} of {page.width:g} by {page.height:g} points"
        else:
            continue
        inside = False
        yield Mismatch(f"{where}.rects[{number}]", "rects", problem)
    if inside and place.rects and document.locator is not None:
        now = document.rects(place)
        same = len(now) == len(place.rects) and all(
            max(abs(a - b) for a, b in zip(rect, other, strict=True)) <= TOLERANCE
            for rect, other in zip(now, place.rects, strict=True)
        )
        if not same:
            yield Mismatch(where, "rects", "the rectangles are not where it stands on the page")


def _covered(index: int, citation: Citation, text: str) -> Iterator[Mismatch]:
    if not 0 <= citation.answer_start <= citation.answer_end <= len(text):
        span = f"{citation.answer_start} to {citation.answer_end}"
        yield Mismatch(f"citations[{index}]", "offsets", f"answer offsets {span} are not in an answer of {len(text)}")


def _statement(index: int, statement: Statement, answer: Answer) -> Iterator[Mismatch]:
    where = f"statements[{index}]"
    if not 0 <= statement.start <= statement.end <= len(answer.text):
        span = f"{statement.start} to {statement.end}"
        yield Mismatch(where, "offsets", f"offsets {span} are not in an answer of {len(answer.text)} characters")
    elif answer.text[statement.start : statement.end] != statement.text:
        stands = shorten(answer.text[statement.start : statement.end])
        yield Mismatch(where, "statement", f"at {statement.start} to {statement.end} stands {stands!r}")
    yield from _label(where, statement, answer)
    for number in statement.citations:
        if not 0 <= number < len(answer.citations):
            count = len(answer.citations)
            yield Mismatch(where, "index", f"it cites number {number}, and there are {count} citations, from 0")


def _label(where: str, statement: Statement, answer: Answer) -> Iterator[Mismatch]:
    """What the statement's own citations do not allow its label or score to be."""
    if statement.label not in LABELS:
        yield Mismatch(where, "label", f"{statement.label!r} is not a label")
    if not 0 <= statement.score <= 1:
        yield Mismatch(where, "score", f"{statement.score:g} is no probability")
    cited = [answer.citations[number] for number in statement.citations if 0 <= number < len(answer.citations)]
    if statement.label in _CITED and not statement.citations:
        yield Mismatch(where, "label", f"it is {statement.label} and cites nothing")
    elif (
        statement.label == "quoted"
        and cited
        and not any(same_words(statement.text, citation.quote) for citation in cited)
    ):
        yield Mismatch(where, "label", "it is quoted, and none of its citations has these words")


def _unlisted(answer: Answer) -> Iterator[Mismatch]:
    """Report citations of a statement that it does not name."""
    named = {number for statement in answer.statements for number in statement.citations}
    starts = [statement.start for statement in answer.statements]
    for number, citation in enumerate(answer.citations):
        if number in named or not starts or starts != sorted(starts):
            continue
        home = last_before(starts, citation.answer_start)
        statement = answer.statements[home]
        wrong = any(not 0 <= number < len(answer.citations) for number in statement.citations)  # told already
        if owns(statement, citation.answer_start) and not wrong:
            message = f"citation {number} is given for it, and it does not name it"
            yield Mismatch(f"statements[{home}]", "index", message)


def _ranked(statements: Sequence[Statement]) -> Iterator[Mismatch]:
    """Scores that are in another order than the labels."""
    best = max((statement.score for statement in statements if statement.label in _FAILED), default=0.0)
    for index, statement in enumerate(statements):
        if statement.label == "supported" and statement.score < best:
            lower = f"it is supported with {statement.score:.2f}, where {best:.2f} is not supported"
            yield Mismatch(f"statements[{index}]", "score", lower)


def _digest(answer: Answer) -> Iterator[Mismatch]:
    """Whether the answer is what it was when it was made; an older one does not say."""
    saved = answer.usage.get("digest")
    if saved is not None and saved != answer.digest:
        message = "something was changed after this was made; --recheck names what, as far as it can be made again"
        yield Mismatch("usage.digest", "digest", message)
