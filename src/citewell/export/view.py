"""The content common to all output formats, computed once: statements, evidence, places, labels in words.

`view(answer, documents)` and `view(verdicts, documents)` give the same shape, so a format is written once.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from citewell.document import Document, names
from citewell.types import (
    LOW_CONFIDENCE,
    Abstention,
    AbstentionReason,
    Answer,
    Citation,
    Label,
    Place,
    Reason,
    Span,
    Statement,
    Value,
    Verdict,
)
from citewell.types.checked import as_answer

UNSCORED: tuple[Label, ...] = ("quoted", "unverified", "no_claim")
_REACHED = {"unsupported": "The weakest statement is {:.0%} likely to hold"}
REASON_SENTENCES: dict[AbstentionReason, str] = {
    "declined": "The model declined to answer.",
    "no_evidence": "Nothing in the document answers this question.",
    "unsupported": "An answer was found, but the document does not support it.",
    "low_confidence": "An answer was found, but it is too uncertain to give.",
}


@dataclass(frozen=True, slots=True)
class View:
    """What is shown.

    `uncovered` are words of `answer.text` that the evidence lacks; `checked` says that its statements are claims.
    `lacks` are, for the citations of an abstention, what each lacks of an answer; `names` what each document is called,
    by its id. `flat` is a view that shows no document: there a cell and its row are one citation. In a `named` one each
    place names its document, also where there is only one: it was chosen from many.
    """

    answer: Answer
    documents: tuple[Document, ...] = ()
    uncovered: tuple[Span, ...] = ()
    checked: bool = False
    lacks: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    flat: bool = False
    named: bool = False

    @property
    def exact(self) -> bool:
        """Whether the evidence is the very words that parts of the answer were copied from."""
        value, citations = self.answer.value, self.answer.citations
        phrases = {citations[number].quote for number in (value.citations if value else ())}
        words = any(each.granularity in ("window", "token") and each.quote not in phrases for each in citations)
        return words and not self.checked and self.answer.abstention is None

    @property
    def folded(self) -> frozenset[int]:
        """The citations of short answers whose whole sentence is evidence beside them: that is shown once."""
        value, citations = self.answer.value, self.answer.citations
        numbers = value.citations if value else ()
        windows = {
            number
            for number in numbers
            if citations[number].granularity == "window"
            and any(_holds(other, citations[number]) for other in citations if other.granularity != "window")
        }
        cells = {number for number in numbers if self.flat and citations[number].cell is not None}
        beside = [[citations[number] for number in statement.citations] for statement in self.answer.statements]
        rows = {
            number
            for number in cells
            if any(
                citations[number] in near
                and any(other.cell is None and _holds(other, citations[number]) for other in near)
                for near in beside
            )
        }
        return frozenset(windows | rows)

    def cited(self, statement: Statement) -> list[int]:
        """The citations of a statement that are shown beside it."""
        return [number for number in statement.citations if number not in self.folded]

    def supporting(self, statement: Statement) -> list[int]:
        """The citations that are shown behind a statement: those that support it."""
        return [number for number in statement.supporting if number not in self.folded]

    @property
    def looked_at(self) -> list[tuple[Statement, list[int]]]:
        """Claims that nothing supports, each with the evidence that was looked at."""
        weak = [statement for statement in self.answer.statements if statement.mark]
        return [(statement, self.cited(statement)) for statement in weak if self.cited(statement)]

    @property
    def listed(self) -> list[int]:
        """The citations that are written out, in order."""
        return [number for number in range(len(self.answer.citations)) if number not in self.folded]

    def document(self, citation: Citation | Place) -> Document | None:
        """The document that a citation points into, if it was given."""
        return next((document for document in self.documents if document.id == citation.document_id), None)

    def pages(self, citation: Citation | Place) -> tuple[int, ...]:
        """Every page that the quote stands on, in order; empty for formats without pages.

        Of a cell that is its own: what says its scale may stand on another.
        """
        if citation.page is None:
            return ()
        apart = isinstance(citation, Citation) and citation.cell
        pages = {citation.page} if apart else {citation.page, *(rect.page for rect in citation.rects)}
        document = self.document(citation)
        if document and citation.end > citation.start and (last := document.page_at(citation.end - 1)):
            pages |= set(range(citation.page, last + 1))
        return tuple(sorted(pages))

    def path(self, citation: Citation | Place) -> tuple[str, ...]:
        """The headings above the quote, outermost first, on one line each; the document's own title is left out."""
        document = self.document(citation)
        if document is None:
            return ()
        path = document.segment_at(citation.start, "paragraph").path
        inside = document.memo("headings in tables", lambda: _in_tables(document))
        titles = [one_line(title) for title in path if title not in inside and _says_where(one_line(title))]
        if (above := _above_table(document, citation.start)) is not None:
            titles = [title for title in titles if _NUMBERED.match(title) or title in above]
        return tuple(titles[1:] if titles and _letters(titles[0]) == _letters(document.title or "") else titles)

    def title(self, document_id: str) -> str:
        """What to call the document with this id, as no other one is called."""
        return self.names.get(document_id, document_id)

    def place(self, citation: Citation | Place) -> str:
        """Where the quote stands, in words: document (where there are several), page, headings."""
        parts = [self.title(citation.document_id)] if self.named else []
        if pages := self.pages(citation):
            parts.append(f"page {pages[0]}" if len(pages) == 1 else f"pages {pages[0]}–{pages[-1]}")
        if path := self.path(citation):
            parts.append(" › ".join(path))
        return " · ".join(parts)

    def remark(self, index: int) -> str:
        """What is said beside the place of a citation: its score; of one that comes near, what it has and lacks."""
        if self.answer.abstention is None:
            return f"score {self.answer.citations[index].score:.2f}"
        label = cell_words(self.answer.citations[index])[0].removesuffix(": ")
        lacks = self.lacking(index) or "may not answer the question"
        return f"gives {label}; {lacks}" if label else lacks

    def warnings(self) -> list[str]:
        """What is warned of, on one line each; not again what stands above the answer."""
        above = {LOW_CONFIDENCE} if doubt_sentence(self.answer) else set[str]()
        return [one_line(warning) for warning in self.answer.warnings if warning not in above]

    def lacking(self, index: int) -> str:
        """What a citation of an abstention lacks of an answer, in words."""
        lacks = self.lacks[index] if index < len(self.lacks) else ""
        return f"lacks {one_line(lacks)}" if lacks.startswith("“") else one_line(lacks)

    def reasons(self) -> list[tuple[int, Reason]]:
        """All reasons in order, each with the number of its statement."""
        numbered = enumerate(self.answer.statements)
        return [(number, reason) for number, statement in numbered for reason in statement.reasons]

    def explained(self, reason: Reason, *, apart: bool = False) -> str:
        """A reason in words: what is said in the answer, the message, and the page of the evidence.

        `apart`: it does not stand below its statement, so that also a reason about all of that says which it is.
        """
        quoted, message = one_line(self.answer.text[reason.start : reason.end]), one_line(reason.message)
        whole = any(
            (statement.start, statement.end) == (reason.start, reason.end) for statement in self.answer.statements
        )
        quoted = f"{quoted[:58]}…" if len(quoted) > 60 else quoted
        text = message if (whole and not apart) or quoted in message else f"“{quoted}”: {message}"
        if reason.evidence is None:
            return text
        document = self.document(reason.evidence)
        evidence = one_line(document.text[reason.evidence.start : reason.evidence.end]) if document else ""
        text += f" (“{evidence}”)" if evidence and evidence not in message else ""
        pages = self.pages(reason.evidence)
        return f"{text} · page\u00a0{pages[0]}" if pages else text


# What is set like a heading and names no section: a unit, a date or period, a formula.
_TIMES = re.compile(
    r"\b(?:jan(?:uary)?|feb(?:r(?:uary)?)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\b|\b(?:as|of|at|for|the|and|or|fiscal|years?|"
    r"quarters?|(?:three|six|nine|twelve)|months?|weeks?|periods?|end(?:ed|ing)|to|from|through|restated|unaudited)\b",
    re.IGNORECASE,
)
_FORMULA = re.compile(r"[=≤≥∑∫√±×÷→∈]")
_NUMBERED = re.compile(r"(?:note|item|part|section|chapter)\s+[\dIVX]|\d+[.:)]", re.IGNORECASE)
_ENDS = frozenset(("signature", "signatures"))  # what follows them stands behind a report, not in them
_FEW_LETTERS = 3
_LINES = 200  # characters that may stand above a table that begins its page


def _says_where(title: str) -> bool:
    """Whether a heading is likely one that names a section."""
    if title.casefold() in _ENDS:
        return False
    words = _TIMES.sub("", title)
    letters = sum(map(str.isalpha, words))
    if title.startswith("(") or letters < _FEW_LETTERS or letters * 3 < len(words.replace(" ", "")):
        return False
    return _FORMULA.search(title) is None and not (title.endswith((",", ";", ":")) or title[0].islower())


def _letters(title: str) -> str:
    """A title without its marks and blanks."""
    return "".join(filter(str.isalnum, title)).casefold()


def _above_table(document: Document, offset: int) -> str | None:
    """What stands on the page above a table that begins it: a heading of the page before says little about that table.

    None where the place is in no such table.
    """
    number = bisect_right(document.grids, offset, key=lambda grid: grid.start) - 1
    page = document.page_at(offset)
    if number < 0 or page is None or document.grids[number].end <= offset:
        return None
    begin = next(read.start for read in document.pages if read.number == page)
    above = document.text[begin : document.grids[number].start]
    return one_line(above) if len(above) <= _LINES else None


def _in_tables(document: Document) -> frozenset[str]:
    """The headings that stand between the rows of tables: labels of rows below them."""
    grids, inside, outside = document.grids, set[str](), set[str]()
    for start, end, kind, _ in document.blocks:
        if kind == "heading":
            number = bisect_right(grids, start, key=lambda grid: grid.end)
            within = (
                number < len(grids) and grids[number].start < start and not _NUMBERED.match(document.text, start, end)
            )
            (inside if within else outside).add(document.text[start:end])
    return frozenset(inside - outside)


def _holds(whole: Citation, part: Citation) -> bool:
    """Whether a citation has the words of another one."""
    return whole.document_id == part.document_id and whole.start <= part.start and part.end <= whole.end


def build_view(
    result: Answer | Sequence[Verdict], documents: Sequence[Document] = (), *, flat: bool = False, named: bool = False
) -> View:
    """An answer, or the verdicts of a check, as what is shown.

    `flat` where no document is shown, `named` where one document is named as several are.
    """
    documents = tuple({document.id: document for document in documents}.values())
    if isinstance(result, Answer):
        nearest = result.abstention.nearest if result.abstention and not result.citations else ()
        result_shown = replace(result, citations=tuple(near.citation for near in nearest)) if nearest else result
        lacks = tuple(near.lacks for near in nearest)
        called = names((*documents, *result_shown.documents))
        several = named or len(called) > 1
        return View(result_shown, documents, lacks=lacks, names=called, flat=flat, named=several)
    view = _verdicts(result, documents)
    return replace(view, named=named or len(view.names) > 1)


def _verdicts(verdicts: Sequence[Verdict], documents: tuple[Document, ...]) -> View:
    """The claims as the statements of one text, with the words of each that its evidence lacks."""
    answer = as_answer(verdicts, [document.info for document in documents])
    uncovered = tuple(
        Span(statement.start + start, statement.start + end)
        for statement, verdict in zip(answer.statements, verdicts, strict=True)
        for start, end in verdict.uncovered
    )
    return View(answer, documents, uncovered, checked=True, names=names(documents))


def scored(statement: Statement) -> str:
    """A statement's score, nothing where its label says all."""
    return "" if statement.label in UNSCORED else f"{statement.score:.2f}"


def confidence_sentence(answer: Answer) -> str:
    """How likely the answer answers its question, in words; nothing where that is not known, or unlikely."""
    if answer.confidence is None or answer.abstention or doubt_sentence(answer):
        return ""
    return f"Confidence {answer.confidence:.0%}: how likely this answers the question."


def doubt_sentence(answer: Answer) -> str:
    """What is said above an answer that may not answer its question; nothing above others."""
    if answer.confidence is None or answer.abstention or answer.confidence >= _SURE_SENTENCE:
        return ""
    return f"This may not answer the question (confidence {answer.confidence:.0%})."


_PLAIN = 0.8  # confidence from which an answer is told without a hedge
_SURE_PHRASE = 0.45  # score below which a phrase of a sentence is right once in three times, as it is
_SURE_SENTENCE = 0.6  # where the confidence of its answer is below this
_SCALES = {1e3: "in thousands", 1e6: "in millions", 1e9: "in billions"}


def value_sentence(view: View) -> str:
    """The short answer: what it is of, the figure, its scale, and where it stands.

    Nothing where there is none, where the answer begins with it, or where the sentence it is a phrase of is not sure.
    """
    value = view.answer.value
    if value is None or not value.citations:
        return ""
    citation, sure = view.answer.citations[value.citations[0]], view.answer.confidence
    if (
        (phrase := citation.granularity == "window")
        and sure is not None
        and (citation.score < _SURE_PHRASE or sure < _SURE_SENTENCE)
        and (not value.formula or value.kind == "list")
    ):
        return ""
    if value.formula:
        return "" if view.answer.text.startswith(value.text) else computed_sentence(value)
    if phrase:
        return f"{one_line(value.text)}{_at(view, citation)}"
    perhaps = "Perhaps " if citation.cell is not None and (sure is None or sure < _PLAIN) else ""
    return f"{perhaps}{cell_sentence(citation) or one_line(value.text)}{_at(view, citation)}"


def computed_sentence(value: Value) -> str:
    """How a figure is computed from those that are cited, with its scale; nothing where it is printed."""
    if value.formula == value.text:  # a list: nothing is computed
        return one_line(value.text)
    scale = f" ({_SCALES[value.scale]})" if value.scale in _SCALES else ""
    if value.formula and value.text.endswith("."):
        return one_line(value.text)
    return f"{one_line(value.formula)} = {value.text}{scale}" if value.formula else ""


def quote_sentence(citation: Citation) -> str:
    """What is shown of a citation: its quote in quotation marks; a cell with its headers."""
    return cell_sentence(citation) or f"“{one_line(citation.quote)}”"


def cell_sentence(citation: Citation) -> str:
    """A cell in words: "Net earnings, 2021: 6,315 (in millions)"; nothing for other evidence."""
    return "".join(cell_words(citation))


def cell_words(citation: Citation) -> tuple[str, str, str]:
    """The same in three parts: what the figure is of, the figure, its scale; nothing for other evidence."""
    cell = citation.cell
    if cell is None:
        return "", "", ""
    label = ", ".join(part for part in (" › ".join(map(one_line, cell.row_path[-2:])), one_line(cell.period)) if part)
    other = "" if cell.period else " › ".join(map(one_line, cell.column_path))
    label = ", ".join(part for part in (label, other) if part)
    words = _SCALES.get(cell.scale, "")
    unit = words.removeprefix("in ").removesuffix("s")  # "Revenue (€ million)" says it itself
    scale = f" ({words})" if words and unit not in label.lower() else ""
    return f"{label}: " if label else "", one_line(citation.quote), scale


def _at(view: View, citation: Citation) -> str:
    parts = [view.title(citation.document_id)] if view.named else []
    parts += [one_line(citation.cell.table)] if citation.cell and citation.cell.table else []
    parts += [f"page {page}" for page in view.pages(citation)[:1]]
    return "".join(f" · {part}" for part in parts)


def abstention_sentences(abstention: Abstention) -> list[str]:
    """Why there is no answer, as plain sentences."""
    message = one_line(abstention.message) or REASON_SENTENCES[abstention.reason]
    sentences = [message[0].upper() + message[1:] + ("" if message[-1] in ".!?…。！？" else ".")]
    least = abstention.threshold
    if abstention.score and (least is None or abstention.score < least):  # else it is not the score that is too low
        reached = _REACHED.get(abstention.reason, "The best passage is {:.0%} likely to answer")
        sentence = reached.format(abstention.score)
        if least and f"{abstention.score:.0%}" == f"{least:.0%}":  # "30%; 30% is asked for" would contradict itself
            sentence = sentence.replace(" is ", " is just under ", 1)
        sentences.append(sentence + (f"; {least:.0%} is asked for." if least else "."))
    return sentences


def one_line(text: str) -> str:
    """The text with every run of white space made one space."""
    return " ".join(text.split())
