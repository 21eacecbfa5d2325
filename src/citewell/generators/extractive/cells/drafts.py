"""Drafts whose answer is a figure from one cell or computed from several, or states why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from citewell.document import Document
from citewell.facts.calendar.fiscal import in_fiscal_years
from citewell.facts.calendar.period import read_period
from citewell.generators.extractive.cells.computed import Computed
from citewell.generators.extractive.cells.derived import derived
from citewell.generators.extractive.cells.finder import Pick, Sure, best, says
from citewell.generators.extractive.cells.formulas import LEAST, asks_whether, compute
from citewell.generators.extractive.cells.reply import below, computed, reply
from citewell.generators.extractive.cells.rows import index
from citewell.generators.extractive.cells.superlatives import Winner, wanted, winner
from citewell.types import MAX_NEAREST, Cell, Draft, Nearest, Span, Value

_TWO = 2  # years that a name may mean
_EITHER = 0.6  # confidence of one of two readings, at most


def figure(question: str, documents: Sequence[Document], method: str, least: float, sure: float) -> Draft | None:
    """The answer of cells, None where none may answer.

    It is withheld where its confidence is below `least`, or below `sure`, that of an answer of sentences. A ratio that
    a row is called by is not computed.
    """
    question = in_fiscal_years(question, index(documents[0]).years)
    if wanted(question) is not None:
        first = winner(question, documents)
        return _compared(question, documents, first, method, max(least, sure)) if first else None
    picked, result = best(question, documents), compute(question, documents)
    moved = asks_whether(question)  # one figure does not tell whether it rose
    if result is not None and (moved or result.parts or not (picked and _is_printed(picked, result))):
        return _computed(question, documents, result, method, least, sure)
    if result is None and (result := derived(question, documents, picked)):
        return _computed(question, documents, result, method, least, sure)
    return _printed(question, documents, picked, method, least, sure) if picked else None


def _is_printed(sure: Sure, result: Computed) -> bool:
    """Whether a row gives what would be computed: by its name, or by all words of a figure for each of something."""
    # A section may be of changes; a row that is a change says so itself.
    return not sure.lacks[0] and (
        result.kind == "each" or says(sure.picks[0], result.name, itself=result.name in ("change", "growth"))
    )


def _printed(
    question: str, documents: Sequence[Document], picked: Sure, method: str, least: float, sure: float
) -> Draft:
    """The answer of one cell."""
    answer = reply(picked.picks[0], documents, picked.confidence, method)
    near = [reply(pick, documents, picked.confidence, method).sources[1] for pick in picked.picks[:MAX_NEAREST]]
    draft = _draft(question, method, picked.confidence)
    draft = replace(
        draft,
        text=answer.text,
        statements=(Span(0, len(answer.text)),),
        sources=answer.sources,
        candidates=answer.sources[:1],
        nearest=tuple(map(Nearest, near, picked.lacks)),
        value=answer.value,
    )
    other = _other_reading(question, documents, picked.picks[0])
    if other is not None:
        both = f"{_dated(picked.picks[0].cell)}, {_dated(other)}"
        year = picked.picks[0].cell.year
        warning = f"the document does not say which of two years is its fiscal {year}: {both}"
        second = reply(picked.picks[0]._replace(cell=other), documents, picked.confidence / 2, method).sources[1]
        sure_of_it = min(picked.confidence, _EITHER)
        draft = replace(draft, confidence=sure_of_it, warnings=(warning,), sources=(*draft.sources, second))
    # A sentence that is surer may tell the figure of something else; the statement does not.
    enough = least if picked.stated else max(least, sure)
    return draft if picked.confidence >= enough else draft.unsure(least)


def _other_reading(question: str, documents: Sequence[Document], pick: Pick) -> Cell | None:
    """The cell of the other year that a fiscal year's name may mean, where the document does not say which it is."""
    years = index(documents[pick.document]).years
    if pick.cell.year is None or len(years.meant(pick.cell.year)) < _TWO or read_period(question).ending is not None:
        return None
    if pick.cell.year not in read_period(question).years or read_period(" ".join(pick.cell.column_path)).ending is None:
        return None
    row = (cell for cell in pick.table.row(pick.cell.row) if cell.role == "value" and cell.unit == pick.cell.unit)
    return next((cell for cell in row if cell.year == pick.cell.year + 1 and cell.value is not None), None)


def _dated(cell: Cell) -> str:
    return f"{' '.join(cell.text.split())} ({cell.period})"


def _compared(question: str, documents: Sequence[Document], first: Winner, method: str, least: float) -> Draft:
    """The answer of the row or column that has most, or least, of what is asked for."""
    answer = reply(first.pick, documents, first.confidence, method)
    value = Value(first.name, "name", citations=(1,), formula=first.formula)
    text, (row, cell) = below(first.sentence, answer)
    sentence = Span(0, len(first.sentence))
    draft = replace(
        _draft(question, method, first.confidence),
        text=text,
        statements=(sentence, Span(row.answer_start, row.answer_end)),
        computed=(sentence,),
        sources=(row, replace(cell, answer_start=sentence.start, answer_end=sentence.end)),
        candidates=answer.sources[:1],
        nearest=(Nearest(answer.sources[1]),),
        value=value,
    )
    return draft if first.confidence >= least else draft.unsure(least)


def _computed(
    question: str, documents: Sequence[Document], result: Computed, method: str, least: float, sure: float
) -> Draft | None:
    """The answer of a computed figure; an abstention where a ratio has a name and cannot be computed."""
    if result.number is None and not result.named:
        return None
    draft = _draft(question, method, result.confidence)
    if result.number is None:
        near = result.near.picks[:MAX_NEAREST] if result.near else ()
        cells = [reply(pick, documents, 0.0, method).sources[1] for pick in near]
        located = [reply(pick, documents, LEAST, method).sources[1] for pick in result.picks]
        nearest = tuple(map(Nearest, cells, result.near.lacks)) if result.near else ()
        nearest = nearest or tuple(Nearest(cell, result.lacks) for cell in located[:MAX_NEAREST])
        short = replace(draft, candidates=(*located, *cells), nearest=nearest).unsure(least)
        message = f"{result.name} cannot be computed: {result.lacks}"
        return replace(short, abstention=replace(short.abstention, message=message) if short.abstention else None)
    answer = computed(result, documents, method)
    rows = tuple(citation for citation in answer.sources if citation.granularity != "cell")
    spans = [Span(row.answer_start, row.answer_end) for row in rows]
    sentence = (Span(0, len(result.sentence)),) if result.sentence else ()
    draft = replace(
        draft,
        text=answer.text,
        statements=tuple(dict.fromkeys((*sentence, *spans))),
        computed=sentence,
        sources=answer.sources,
        value=answer.value,
    )
    draft = replace(draft, candidates=rows, nearest=tuple(map(Nearest, rows[:MAX_NEAREST])))
    # What is asked for is a figure that sentences seldom tell: theirs must not be surer but where it has no name.
    alone = result.named or result.kind == "percent"
    return draft if result.confidence >= (least if alone else max(least, sure)) else draft.unsure(least)


def _draft(question: str, method: str, confidence: float) -> Draft:
    return Draft("", question, method=method, origin="quoted", cites=True, confidence=confidence)
