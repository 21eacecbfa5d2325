"""Plans for questions over several documents or years: one cell from each document, then comparison, sum or list.

"Which company had higher revenue in 2020?", "the combined profit of A and B", "revenue in 2019 and in 2020".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal, NamedTuple

from citewell.document import Document
from citewell.generators.extractive import companies, each, referents
from citewell.generators.extractive.cells.computed import with_unit
from citewell.generators.extractive.stacked import joined, stack, stacked
from citewell.text.data import words
from citewell.text.times import scale_word
from citewell.types import Abstention, Draft, Nearest, Span, Value

Verb = Literal["most", "least", "sum", "difference", "change", "list"]
_INSIDE = ("of", "and", "per", "in", "on")  # stay between words of a figure's name
_LONGEST = 6  # words of it
MOST_CELLS = 24  # documents times years
_PACKAGE = "citewell.generators.extractive"
_DIGITS = re.compile(r"\d[\d,]*(?:\.(?P<part>\d+))?")
_YEAR = re.compile(r"(?<![\d.,/])(?:19|20)\d\d(?!\d|[.,]\d|/\d)")  # "2019/2020" is one year
_WORD = re.compile(r"[^\W_]+(?:[-&'’.][^\W_]+)*")
_MOST = re.compile(
    r"\b(?:highest|higher|most|more|largest|larger|biggest|bigger|greatest|greater|best|"
    r"better)\b",
    re.IGNORECASE,
)
_LEAST = re.compile(r"\b(?:lowest|lower|least|less|fewest|fewer|smallest|smaller|worst|worse)\b", re.IGNORECASE)
_SUM = re.compile(
    r"\b(?:combined|the total (?!of\b)\w+(?: \w+)? of .{1,300} and|sum of|together|altogether|in total|"
    r"add(?:ed)? up|total of)\b",
    re.IGNORECASE,
)
_APART = re.compile(
    r"\bdifference\b|\bhow much (?:more|less|higher|lower|larger|smaller|greater|"
    r"bigger)\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:chang\w+|gr[eo]w\w*|growth|increas\w+|decreas\w+|declin\w+|r[io]se|risen|fell|fall|average|mean|"
    r"ratio|trend|"
    r"why|how did|percent\w*|compared)\b|\bfrom (?:19|20)\d\d to\b",
    re.IGNORECASE,
)
_DEVELOPED = re.compile(
    r"^\W*(?:how (?:did|has|have)|by how much|by what percent(?:age)?)\b.{0,300}?\b(?:chang\w+|develop\w*|gr[eo]w\w*|"
    r"increas\w+|decreas\w+|"
    r"declin\w+|r[io]se|risen|fall\w*|fell)\b",
    re.IGNORECASE,
)
_TOTALS = ("revenue", "revenues", "sales", "net sales", "assets", "liabilities")  # of the whole where no part is named
_WHICH = re.compile(
    r"^\W*(?:which|who|what) (?:of (?:the|these) )?(?:two |three )?(?:company|companies|firms?|"
    r"business(?:es)?|reports?|documents?|"
    r"ones?|organi[sz]ations?|banks?|had|has|is|was|made|reported|employs?)\b",
    re.IGNORECASE,
)
_WHETHER = re.compile(r"\W*(?:was|were|is|are|did|does|do|had|has|have)\b", re.IGNORECASE)
_MORE_OF = re.compile(r"\b(?:more|fewer|most|fewest) ((?:[a-z]+ )?[a-z]+(?:s|people|staff))\b", re.IGNORECASE)
_LARGER_TRIAL = re.compile(
    r"\b(?:trial|study|survey)\b.{0,40}\b(?:larger|bigger|smaller|largest|smallest)\b", re.IGNORECASE
)
_TIME = re.compile(r"(?:\b(?:in|at|for|as of|by) )?(?:the )?(?:[\w-]+ ){0,4}?(?P<year>(?:19|20)\d\d)(?!\d)")
_PEOPLE = re.compile(r"\b(?:employ\w*|people|staff|workers|workforce|headcount)\b", re.IGNORECASE)


class Plan(NamedTuple):
    """What is done with the cells, the question for one cell without its year, and the years; empty for the latest."""

    verb: Verb
    item: str
    years: tuple[str, ...]
    counted: bool = False  # the item is a number of things


class Cell(NamedTuple):
    """The answer of one document for one time: the figure in its base unit, and the draft that tells it."""

    document: Document
    year: str
    number: float
    value: Value
    draft: Draft


def answer(question: str, documents: Sequence[Document], alone: companies.Alone) -> Draft | None:
    """The answer of a plan; None where the question is of one document and time, or is no figure of several."""
    pair = referents.split(question, documents)
    chosen = tuple(referent.document for referent in pair) or companies.named(question, documents)
    wanted = plan(question, chosen, documents, pair)
    if wanted is None:
        return each.answer(question, chosen, alone)
    cells, missing = list[Cell](), list[str]()
    called = referents.shown_names(companies.short_names(chosen, documents), question, documents)
    for document, year, time in _places(chosen, wanted.years, pair):
        cell = _cell(document, year, time, wanted, alone)
        if cell is not None:
            cells.append(cell)
        else:
            missing.append(f"{called[document.id]} {year}".strip())
    places = {(cell.document.id, cell.draft.sources[cell.value.citations[0]].start) for cell in cells}
    if len(places) < len(cells):
        return _lacking(question, cells, [], alone)  # nothing is computed from one figure twice
    complete = not missing and len(cells) > 1
    if wanted.verb == "list" and not complete and (spread := each.answer(question, chosen, alone)) is not None:
        return spread
    if not cells and not pair:
        return None
    return _joined(question, wanted, cells, called) if complete else _lacking(question, cells, missing, alone)


def plan(
    question: str,
    chosen: Sequence[Document],
    documents: Sequence[Document],
    pair: Sequence[referents.Referent] = (),
) -> Plan | None:
    """How a question over several documents or years is answered; None for others. A pair has its own periods."""
    years = tuple(dict.fromkeys(_YEAR.findall(question)))
    entities = set(map(companies.entity, chosen))
    whole = len(chosen) == len(documents)
    several = len(chosen) > 1 and (not whole or len(documents) == 2 or _WHICH.search(question) or _SUM.search(question))
    if _DEVELOPED.search(question) and len(years) == 2 and len(entities) == 1:
        item = re.sub(
            r"\W*\b(?:chang|develop|gr[eo]w|increas|decreas|declin|r[io]se|risen|fall|"
            r"fell)\w*$",
            "",
            _item(question, chosen, pair),
        )
        return Plan("change", re.sub(r"^(?:much|percent\w*) ", "", item), tuple(sorted(years))) if item else None
    if _CHANGE.search(question) or len(chosen) * max(1, len(years)) > MOST_CELLS:
        return None
    item = _counted(question) or _item(question, chosen, pair)
    if not item:
        return None
    if _APART.search(question) and (len(chosen) == 2 or len(years) == 2):
        return Plan("difference", item, years)
    if _SUM.search(question) and (several or len(years) > 1):
        return Plan("sum", item, years)
    if several and len(entities) > 1 and (len(years) < 2 or pair):
        if _MOST.search(question):
            return Plan("most", item, years, bool(_counted(question)))
        if _LEAST.search(question):
            return Plan("least", item, years, bool(_counted(question)))
    mentioned = len(pair) or sum(bool(companies.is_named(question, document)) for document in chosen)
    if (len(chosen) > 1 and mentioned == len(chosen) and len(entities) > 1) or (
        len(years) > 1 and not _MOST.search(question)
    ):
        return Plan("list", item, years)
    return None


def _counted(question: str) -> str:
    """What there is more of, and of two trials that are compared by size their participants."""
    match = _MORE_OF.search(question)
    return "participants" if _LARGER_TRIAL.search(question) else match[1] if match else ""


def _item(question: str, chosen: Sequence[Document], pair: Sequence[referents.Referent] = ()) -> str:
    """What is asked of each: the question without names, years and the words of comparing."""
    kept = list[str]()
    for referent in pair:
        question = question.replace(referent.phrase, " ")
    for match in _WORD.finditer(_YEAR.sub(" ", companies.without_names(question, chosen))):
        word = match[0]
        if word.lower() not in words(_PACKAGE, "comparing.json", "comparing"):
            kept.append(word)
        elif kept and word.lower() in _INSIDE:
            kept.append(word.lower())
    while kept and kept[-1].lower() in _INSIDE:
        kept.pop()
    return " ".join(kept) if len(kept) <= _LONGEST else ""


def _places(
    chosen: Sequence[Document], years: Sequence[str], pair: Sequence[referents.Referent]
) -> Iterator[tuple[Document, str, str]]:
    """The document, year and time in words of each cell: of documents of one name that of the year or the next one.

    Of two that are not of one name each has the year that stands behind it.
    """
    groups: dict[str, list[Document]] = {}
    for document in chosen:
        groups.setdefault(companies.entity(document), []).append(document)
    apart = {referent.document.id: _TIME.search(referent.phrase) for referent in pair} if len(groups) > 1 else {}
    for group in groups.values():
        if match := apart.get(group[0].id):
            yield group[0], match["year"], f" {match[0].strip()}"
            continue
        for year in () if any(apart.values()) else years or ("",):
            for document in companies.of_year(group, year):
                yield document, year, f" in {year}" if year else ""
        if any(apart.values()):
            yield group[0], "", ""


def _cell(document: Document, year: str, time: str, wanted: Plan, alone: companies.Alone) -> Cell | None:
    for question in _asked(wanted, time):
        draft = alone(question, (document,))
        value = draft.value
        if draft.abstention or value is None or value.number is None or not value.citations:
            continue
        if not (year and value.period and _YEAR.search(value.period) and year not in value.period):
            return Cell(document, year, value.number * (value.scale or 1.0), value, draft)
    return None


def _asked(wanted: Plan, time: str) -> list[str]:
    """Questions for one cell, the next where the one before has no answer."""
    if _PEOPLE.search(wanted.item):
        return [f"How many employees did the company have{time}?"]
    if not wanted.counted:
        return [f"What was {_whole(wanted.item)}{time}?"]
    return [f"How many {wanted.item} were there{time}?"]


def _whole(item: str) -> str:
    """A figure of the whole, where several parts of it have rows of their own."""
    return f"total {item}" if item.lower() in _TOTALS else item


def _lacking(question: str, cells: Sequence[Cell], missing: Sequence[str], alone: companies.Alone) -> Draft:
    """The abstention where a part has no answer: a comparison of the others would be one of other things."""
    message = f"no figure was found in {', '.join(missing)}" if missing else "only one figure was found"
    near = tuple(Nearest(cell.draft.sources[0]) for cell in cells[:3])
    low = Abstention("low_confidence", 0.0, None, message, near)
    return replace(alone(question, ()), abstention=low, confidence=0.0)


def _joined(question: str, wanted: Plan, cells: Sequence[Cell], called: dict[str, str]) -> Draft | None:
    """The cells in one answer, each from its own document, below a sentence of what the plan makes of them."""
    if wanted.verb in ("most", "least"):  # what is ahead comes first
        cells = sorted(cells, key=lambda cell: cell.number, reverse=wanted.verb == "most")
    drafts = [cell.draft for cell in cells]
    operands = [_operand(cell, called[cell.document.id], wanted.years) for cell in cells]
    formula = "; ".join(f"{operand.name}: {operand.figure}" for operand in operands)
    if wanted.verb == "list":
        whole, places = stack(drafts)
        at = tuple(numbers[cell.value.citations[0]] for numbers, cell in zip(places, cells, strict=True))
        value = Value(formula, "list", citations=at, formula=formula)
    else:
        result = _result(question, wanted.verb, cells, operands)
        if result is None:
            return None
        value, sentence = result
        value = replace(value, citations=tuple(range(len(cells))), formula=formula)
        span = Span(0, len(sentence))
        cited = tuple(
            replace(cell.draft.sources[cell.value.citations[0]], answer_start=0, answer_end=len(sentence))
            for cell in cells
        )
        head = replace(drafts[0], text=sentence, statements=(span,), computed=(span,), sources=cited)
        whole = stacked([head, *drafts])
    return replace(joined(question, drafts, whole), value=value)


class _Operand(NamedTuple):
    """A cell in words: whose it is, with its year where there are several, and its figure with its scale."""

    name: str
    figure: str
    dated: str


def _operand(cell: Cell, called: str, years: Sequence[str]) -> _Operand:
    figure = _figure(cell.value)
    if len(years) > 1 or not called:
        return _Operand(f"{called} {cell.year}".strip(), figure, figure)
    return _Operand(called, figure, f"{figure} in {cell.year}" if cell.year else figure)


def _result(question: str, verb: Verb, cells: Sequence[Cell], operands: Sequence[_Operand]) -> tuple[Value, str] | None:
    """The value of a plan with the sentence that states it; None where figures of different units would be compared."""
    first, numbers = cells[0].value, [cell.number for cell in cells]
    if any(first.value.unit != second.value.unit for first, second in pairwise(cells)):
        return None
    if verb in ("most", "least"):
        best = (max if verb == "most" else min)(range(len(cells)), key=numbers.__getitem__)
        if sum(number == numbers[best] for number in numbers) > 1:
            return None
        others = " and ".join(f"{each.name} with {each.figure}" for n, each in enumerate(operands) if n != best)
        word = "more" if verb == "most" else "less"
        sentence = f"{operands[best].name}: {operands[best].dated}, {word} than {others}."
        claimed = _claimed(question, cells)
        if claimed is None:
            return Value(operands[best].name, "name"), sentence
        reply = "Yes" if claimed == best else "No"
        return Value(reply, "yes_no"), f"{reply}. {sentence}"
    if verb == "change":
        if not numbers[0]:
            return None
        share = (numbers[1] - numbers[0]) / abs(numbers[0]) * 100
        text = f"{share:+.1f}%"
        sentence = f"{text}: from {operands[0].figure} in {cells[0].year} to {operands[1].figure} in {cells[1].year}."
        return Value(text, "percent", round(share, 6), "percent"), sentence
    result = sum(numbers) if verb == "sum" else abs(numbers[0] - numbers[1])
    scale = max(cell.value.scale or 1.0 for cell in cells)
    number = round(result / scale, 6)
    text = _amount(number, [cell for cell in cells if (cell.value.scale or 1.0) == scale])
    ordered = (
        operands if verb == "sum" else [each for _, each in sorted(zip(numbers, operands, strict=True), reverse=True)]
    )
    parts = [f"{each.figure} ({each.name})" for each in ordered]
    made = f" together: {' and '.join(parts)}." if verb == "sum" else f": {' against '.join(parts)}."
    return Value(text, first.kind, number, first.unit, scale), f"{text}{made}"


def _claimed(question: str, cells: Sequence[Cell]) -> int | None:
    """The cell of which a question asks whether it is ahead: the one named before "than"; None for other questions."""
    than = re.search(r"\bthan\b", question)
    if than is None or not _WHETHER.match(question) or re.search(r"\bor\b", question):
        return None
    ahead = [n for n, cell in enumerate(cells) if companies.is_named(question[: than.start()], cell.document)]
    return ahead[0] if len(ahead) == 1 else None


def _amount(number: float, cells: Sequence[Cell]) -> str:
    """A number as figures of its scale are printed: their decimals, their currency and scale."""
    printed = [_DIGITS.search(_figure(cell.value)) for cell in cells]
    decimals = max((len(match["part"] or "") for match in printed if match), default=0)
    digits = (
        f"{number:,.{decimals}f}" if round(number, decimals) == number else f"{number:,.6f}".rstrip("0").rstrip(".")
    )
    match = printed[0]
    if match is None:
        return digits
    figure = match.string
    return f"{figure[: match.start()]}{digits}{figure[match.end() :]}"


def _figure(value: Value) -> str:
    """A figure as it is printed, with its currency and its scale where it is printed without them."""
    scale = scale_word(value.scale)
    if value.kind == "money" and value.text[:1].isdigit() and not any(char.isalpha() for char in value.text):
        return with_unit(value.text, "", value.unit or "", int(value.scale or 1))
    return value.text if scale in value.text else f"{value.text} {scale}"
