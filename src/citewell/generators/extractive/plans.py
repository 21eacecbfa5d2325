"""Plans for questions over several documents or years: each cell from its own document, then compared, added or listed.

"Which company had higher revenue in 2020?", "the combined profit of A and B", "revenue in 2019 and in 2020".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal, NamedTuple

from citewell.document import Document, names
from citewell.generators.extractive import companies, each
from citewell.generators.extractive.stacked import first_sources, stacked
from citewell.text.data import words
from citewell.text.times import scale_word
from citewell.types import Abstention, Draft, Nearest, Value

Verb = Literal["most", "least", "sum", "difference", "change", "list"]
_INSIDE = ("of", "and", "per", "in", "on")  # stay between words of a figure's name
_LONGEST = 6  # words of it
MOST_CELLS = 24  # documents times years
_PACKAGE = "citewell.generators.extractive"
_YEAR = re.compile(r"(?<![\d.,/])(?:19|20)\d\d(?!\d|[.,]\d|/\d)")  # "2019/2020" is one year
_WORD = re.compile(r"[^\W_]+(?:[-&'’.][^\W_]+)*")
_MOST = re.compile(
    r"\b(?:highest|higher|most|more|largest|larger|biggest|bigger|greatest|greater|best|"
    r"better)\b",
    re.IGNORECASE,
)
_LEAST = re.compile(r"\b(?:lowest|lower|least|less|fewest|fewer|smallest|smaller|worst|worse)\b", re.IGNORECASE)
_SUM = re.compile(r"\b(?:combined|sum of|together|altogether|in total|add(?:ed)? up|total of)\b", re.IGNORECASE)
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
_TITLE = re.compile(r"\s[—–]\s|:\s")
_WHICH = re.compile(
    r"^\W*(?:which|who|what) (?:of (?:the|these) )?(?:two |three )?(?:company|companies|firms?|"
    r"business(?:es)?|reports?|documents?|"
    r"ones?|organi[sz]ations?|banks?|had|has|is|was|made|reported|employs?)\b",
    re.IGNORECASE,
)
_PEOPLE = re.compile(r"\b(?:employ\w*|people|staff|workers|workforce|headcount)\b", re.IGNORECASE)


class Plan(NamedTuple):
    """What is done with the cells, the question for one cell without its year, and the years; empty for the latest."""

    verb: Verb
    item: str
    years: tuple[str, ...]


class Cell(NamedTuple):
    """The answer of one document for one time: the figure in its base unit, and the draft that tells it."""

    document: Document
    year: str
    number: float
    value: Value
    draft: Draft

    def name(self, called: str) -> str:
        """What the cell is called in a comparison."""
        return f"{called} {self.year}".strip()


def answer(question: str, documents: Sequence[Document], alone: companies.Alone) -> Draft | None:
    """The answer of a plan; None where the question is of one document and time, or is no figure of several."""
    chosen = companies.named(question, documents)
    wanted = plan(question, chosen, documents)
    spread = each.answer(question, chosen, alone) if wanted is None or wanted.verb == "list" else None
    if wanted is None or spread is not None:
        return spread
    cells, missing = list[Cell](), list[str]()
    called = _called(chosen, documents)
    for document, year in _places(chosen, wanted.years):
        cell = _cell(document, year, wanted, alone)
        if cell is not None:
            cells.append(cell)
        else:
            missing.append(f"{called[document.id]} {year}".strip())
    if not cells:
        return None
    if missing or len(cells) < 2:
        return _lacking(question, cells, missing)
    return _joined(question, wanted, cells, called)


def plan(question: str, chosen: Sequence[Document], documents: Sequence[Document]) -> Plan | None:
    """How a question over several documents or years is answered; None for others."""
    years = tuple(dict.fromkeys(_YEAR.findall(question)))
    entities = {companies.called_by(document) for document in chosen}
    whole = len(chosen) == len(documents)
    several = len(chosen) > 1 and (not whole or len(documents) == 2 or _WHICH.search(question) or _SUM.search(question))
    if _DEVELOPED.search(question) and len(years) == 2 and len(entities) == 1:
        item = re.sub(
            r"\W*\b(?:chang|develop|gr[eo]w|increas|decreas|declin|r[io]se|risen|fall|"
            r"fell)\w*$",
            "",
            _item(question, chosen),
        )
        return Plan("change", re.sub(r"^(?:much|percent\w*) ", "", item), tuple(sorted(years))) if item else None
    if _CHANGE.search(question) or len(chosen) * max(1, len(years)) > MOST_CELLS:
        return None
    item = _item(question, chosen)
    if not item:
        return None
    if _APART.search(question) and (len(chosen) == 2 or len(years) == 2):
        return Plan("difference", item, years)
    if _SUM.search(question) and (several or len(years) > 1):
        return Plan("sum", item, years)
    if several and len(entities) > 1 and len(years) < 2:
        if _MOST.search(question):
            return Plan("most", item, years)
        if _LEAST.search(question):
            return Plan("least", item, years)
    mentioned = sum(bool(companies.is_named(question, document)) for document in chosen)
    if (len(chosen) > 1 and mentioned == len(chosen) and len(entities) > 1) or (
        len(years) > 1 and not _MOST.search(question)
    ):
        return Plan("list", item, years)
    return None


def _item(question: str, chosen: Sequence[Document]) -> str:
    """What is asked of each: the question without names, years and the words of comparing."""
    kept = list[str]()
    for match in _WORD.finditer(_YEAR.sub(" ", companies.without_names(question, chosen))):
        word = match[0]
        if word.lower() not in words(_PACKAGE, "comparing.json", "comparing"):
            kept.append(word)
        elif kept and word.lower() in _INSIDE:
            kept.append(word.lower())
    while kept and kept[-1].lower() in _INSIDE:
        kept.pop()
    return " ".join(kept) if len(kept) <= _LONGEST else ""


def _places(chosen: Sequence[Document], years: Sequence[str]) -> Iterator[tuple[Document, str]]:
    """The document of each cell: of several of one name the one of the year, else the first after it."""
    groups: dict[str, list[Document]] = {}
    for document in chosen:
        groups.setdefault(companies.called_by(document) or document.id, []).append(document)
    for group in groups.values():
        for year in years or ("",):
            for document in companies.of_year(group, year):
                yield document, year


def _cell(document: Document, year: str, wanted: Plan, alone: companies.Alone) -> Cell | None:
    time = f" in {year}" if year else ""
    people = _PEOPLE.search(wanted.item)
    question = f"How many employees were there{time}?" if people else f"What was {_whole(wanted.item)}{time}?"
    draft = alone(question, (document,))
    value = draft.value
    if draft.abstention or value is None or value.number is None or not value.citations:
        return None
    if year and value.period and _YEAR.search(value.period) and year not in value.period:
        return None
    return Cell(document, year, value.number * (value.scale or 1.0), value, draft)


def _whole(item: str) -> str:
    """A figure of the whole, where several parts of it have rows of their own."""
    return f"total {item}" if item.lower() in _TOTALS else item


def _called(chosen: Sequence[Document], documents: Sequence[Document]) -> dict[str, str]:
    """What each document is called in a comparison: its company where those differ; one alone needs no name."""
    full = names(documents)
    if len(chosen) == 1:
        return {chosen[0].id: ""}
    short = {document.id: _TITLE.split(full[document.id])[0].strip() for document in chosen}
    return short if len(set(short.values())) == len(short) else dict(full)


def _lacking(question: str, cells: Sequence[Cell], missing: Sequence[str]) -> Draft:
    """The abstention where a part has no answer: a comparison of the others would be one of other things."""
    message = f"no figure was found in {', '.join(missing)}" if missing else "only one document answers"
    near = tuple(Nearest(cell.draft.sources[0]) for cell in cells[:3])
    first = cells[0].draft
    low = Abstention("low_confidence", 0.0, None, message, near)
    blank = replace(first, text="", question=question, statements=(), sources=(), computed=(), value=None)
    return replace(blank, abstention=low, confidence=0.0)


def _joined(question: str, wanted: Plan, cells: Sequence[Cell], called: dict[str, str]) -> Draft | None:
    """The cells in one answer, each statement from its own document, with what the plan makes of them as the value."""
    drafts = [cell.draft for cell in cells]
    first = first_sources(drafts)
    at = tuple(start + cell.value.citations[0] for start, cell in zip(first, cells, strict=True))
    figures = [(cell.name(called[cell.document.id]), _figure(cell.value)) for cell in cells]
    value = _value(wanted.verb, cells, [name for name, _ in figures], at)
    if value is None:
        return None
    formula = "; ".join(f"{name}: {figure}" for name, figure in figures)
    whole = stacked(drafts)
    return replace(
        whole,
        question=question,
        value=replace(value, formula=formula),
        confidence=min(draft.confidence or 0.0 for draft in drafts),
        candidates=whole.sources,
        warnings=tuple(dict.fromkeys(warning for draft in drafts for warning in draft.warnings)),
    )


def _value(verb: Verb, cells: Sequence[Cell], called: Sequence[str], at: tuple[int, ...]) -> Value | None:
    """The value of a plan; None where figures of different units would be held against each other."""
    first, numbers = cells[0].value, [cell.number for cell in cells]
    if verb == "list":
        text = "; ".join(f"{name}: {_figure(cell.value)}" for name, cell in zip(called, cells, strict=True))
        return Value(text, "list", citations=at)
    if any(first.value.unit != second.value.unit for first, second in pairwise(cells)):
        return None
    if verb in ("most", "least"):
        best = (max if verb == "most" else min)(range(len(cells)), key=numbers.__getitem__)
        if sum(number == numbers[best] for number in numbers) > 1:
            return None
        return Value(called[best], "name", citations=(at[best], *(n for n in at if n != at[best])))
    if verb == "change":
        share = (numbers[1] - numbers[0]) / abs(numbers[0]) * 100 if numbers[0] else 0.0
        return Value(f"{share:+.1f}%", "percent", round(share, 6), "percent", None, None, at) if numbers[0] else None
    result = sum(numbers) if verb == "sum" else abs(numbers[0] - numbers[1])
    scale = max(cell.value.scale or 1.0 for cell in cells)
    number = round(result / scale, 6)
    text = f"{number:,.6f}".rstrip("0").rstrip(".")
    return Value(text, first.kind, number, first.unit, scale, None, at)


def _figure(value: Value) -> str:
    scale = scale_word(value.scale)
    return value.text if scale in value.text else f"{value.text} {scale}"


_SPLIT = re.compile(
    r",? and (?=(?:who|what|when|where|why|how|which|did|does|is|are|was|were)\b)|"
    r"\?\s+(?=\w)",
    re.IGNORECASE,
)
_PAIRED = re.compile(
    r"^(\W*what (?:is|are|was|were) (?:the )?)([\w -]{1,80}?) and (?:the )?([\w -]{1,80}?)((?: (?:in|"
    r"for|at|of|during) .{1,200})?\W{0,5})$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"^\W*(?:who|what|when|where|why|how|which|did|does|is|are|was|were)\b.{8,}", re.IGNORECASE)
_BACK = re.compile(r"\b(?:it|its|they|their|them|he|she|his|her|that|this)\b", re.IGNORECASE)


def parts(question: str) -> list[str]:
    """The questions that one question is, each a whole one; none where it is one, or where a part leans on another."""
    clauses = [part.strip(" ?") for part in _SPLIT.split(question) if part.strip(" ?")]
    if len(clauses) > 1 and all(_CLAUSE.match(part) for part in clauses) and not any(map(_BACK.search, clauses[1:])):
        return [f"{part[:1].upper()}{part[1:]}?" for part in clauses]
    if pair := _PAIRED.match(question):
        return [f"{pair[1]}{item}{pair[4]}" for item in (pair[2], pair[3])]
    return []


def in_parts(question: str, whole: Draft, documents: Sequence[Document], left: companies.Alone) -> Draft:
    """The answers of the parts of a question, where the whole has none; what is not answered is said in a warning."""
    questions = parts(question) if whole.abstention else []
    drafts = {part: left(part, documents) for part in questions}
    answered = {part: draft for part, draft in drafts.items() if not draft.abstention and draft.statements}
    if not answered:
        return whole
    lacking = [part for part in questions if part not in answered]
    return replace(
        stacked(list(answered.values())),
        question=question,
        confidence=min(draft.confidence or 0.0 for draft in answered.values()),
        warnings=(f"not answered: {' '.join(lacking)}",) if lacking else (),
    )
