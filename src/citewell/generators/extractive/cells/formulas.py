"""Figures computed from several cells: ratios by their definitions, changes and averages over years.

Nothing is computed unless every operand is located with certainty; each is cited, and the formula is shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from citewell.document import Document
from citewell.generators.extractive import companies
from citewell.generators.extractive.cells.asking import figure_question, in_years, part_asked
from citewell.generators.extractive.cells.computed import Computed, Term, row_label
from citewell.generators.extractive.cells.finder import Pick, Sure, best, says
from citewell.generators.extractive.cells.wordings import PACKAGE, in_full
from citewell.generators.extractive.patterns import FALL, RISE
from citewell.text.data import read_json

Find = Callable[[str, str], Sure | None]


@cache
def _data() -> dict[str, Any]:
    data = dict(read_json(PACKAGE, "formulas.json"))
    for name in (
        "of",
        "share_of",
        "made_up",
        "together",
        "each",
        "ratio",
        "growth",
        "change",
        "average",
        "range",
        "trend",
        "whether",
        "more",
        "less",
        "moved",
    ):
        data[name] = re.compile(data[name], re.IGNORECASE)
    return data


@cache
def _named() -> tuple[tuple[re.Pattern[str], dict[str, Any]], ...]:
    return tuple((re.compile("|".join(formula["patterns"]), re.IGNORECASE), formula) for formula in _data()["formulas"])


def ratios(text: str) -> frozenset[str]:
    """The ratios that a text names, wherever: "When referring to ..., what is the quick ratio?"."""
    named = {formula["name"] for pattern, formula in _named() if pattern.search(text)}
    return frozenset(named | ({"each"} if _data()["each"].search(in_full(text)) else set()))


def asks_whether(question: str) -> bool:
    """Whether a question is whether a figure rose or fell: "Did revenue increase in 2022?"."""
    data = _data()
    return bool(data["whether"].search(question) and data["trend"].search(question))


def asks_move(question: str) -> bool:
    """Whether a question is whether, how or by how much a figure moved."""
    return asks_whether(question) or bool(_HOW_FAR.search(question) and _MOVED.search(question))


def compute(question: str, documents: Sequence[Document]) -> Computed | None:
    """What a question asks to be computed, None where it asks for no such thing."""
    question = _without_companies(question, documents)
    data, wanted = _data(), figure_question(question)
    years: tuple[int, ...] = wanted.years
    span = data["range"].search(in_years(question))
    if span and data["average"].search(question):
        years = tuple(range(int(span[1]), int(span[2]) + 1)) or years
    last: Computed | None = None
    find = _finder(documents, part_asked(question))
    if not years and asks_whether(question) and (item := _item(data["trend"].sub(" ", question))):
        newest = find(f"What was {item}?", "")
        years = (newest.picks[0].cell.year,) if newest and not newest.lacks[0] and newest.picks[0].cell.year else ()
    for formula, about in _asked_for(question, years):
        named = "patterns" in formula
        if len(about) > 1 and "of" in formula and data["average"].search(question):
            last = _mean(formula, about, find)
        elif named and about and formula["name"] != "change" and data["trend"].search(question):
            last = _trend(formula, (max(about), min(about) if len(about) > 1 else about[0] - 1), find)
        else:
            last = worked_out(formula, about, find)
            if formula["name"] == "change" and not asks_whether(question) and _otherwise(question, last.number):
                last = _trend({**formula, **_single(_item(question))}, about, find)
        last = last._replace(named=named)
        if last.trend and not formula.get("patterns"):
            last = last._replace(name=row_label(last.picks[0]))
        if (last.trend or last.name == "change") and last.number is not None and asks_whether(question):
            last = last._replace(reply=_yes_or_no(question, last))
        if last.number is not None:
            return last
    return last


def _without_companies(question: str, documents: Sequence[Document]) -> str:
    """A question without the names of companies: "Growth Fund V" asks for no growth."""
    for document in documents:
        for start, end in reversed(companies.spans(question, document)):
            if not question[start:end].islower():
                question = f"{question[:start]} {question[end:]}"
    return question


def _mean(formula: dict[str, Any], years: Sequence[int], find: Find) -> Computed:
    """The mean of a figure over years."""
    parts = tuple(worked_out(formula, (year,), find) for year in years)
    short = next((part for part in parts if part.number is None), None)
    if short:
        return short
    mean = sum(part.number or 0.0 for part in parts) / len(parts)
    name, sure = f"average of {formula['name']}", min(part.confidence for part in parts)
    return Computed(name, formula["kind"], mean, confidence=sure, parts=parts)


def _trend(formula: dict[str, Any], years: Sequence[int], find: Find) -> Computed:
    """A figure of two years, as it is printed where a row is called by its name."""
    now = _printed(formula, years[0], find)
    before = _beside(now, years[1]) if now else None
    parts: tuple[Computed, ...] = (now, before) if now and before else ()
    parts = parts or tuple(worked_out(formula, (year,), find) for year in years)
    short = next((part for part in parts if part.number is None), None)
    if short:
        return short
    if _shared(dict(enumerate(part.picks for part in parts))):
        return Computed(formula["name"], formula["kind"], None, lacks=_ONE_CELL)
    sure = min(part.confidence for part in parts)
    return Computed(formula["name"], formula["kind"], parts[0].number, confidence=sure, parts=parts, trend=True)


def _beside(now: Computed, year: int) -> Computed | None:
    """The figure of another year in the row of a printed one."""
    pick = now.picks[0]
    cells = (cell for cell in pick.table.row(pick.cell.row) if cell.year == year and cell.unit == pick.cell.unit)
    cell = next((cell for cell in cells if cell.role == "value" and cell.value is not None), None)
    if cell is None or now.number is None or not pick.cell.value:
        return None
    number = now.number * (cell.value or 0.0) / pick.cell.value
    return now._replace(number=number, over=(now.over[0]._replace(picks=(pick._replace(cell=cell),)),))


def _printed(formula: dict[str, Any], year: int, find: Find) -> Computed | None:
    """A ratio that a row gives by its name."""
    near = find(f"What was {formula['name']} in {year}?", "")
    if near is None or near.confidence < LEAST or not says(near.main, formula["name"]):
        return None
    cell = near.main.cell
    if cell.value is None or (cell.unit == "percent") != (formula["kind"] == "percent"):
        return None
    term = Term(1.0, formula["name"], (near.main,), signed=True)
    number = cell.value / 100 if formula["kind"] == "percent" else term.worth
    return Computed(formula["name"], formula["kind"], number, (term,), (), near.confidence)


_HOW_FAR = re.compile(
    r"\b(?:by how much|by what (?:percent\w*|amount)|how much (?:did|has|have)|how (?:did|has|have)|"
    r"what (?:is|was|were) the (?:[\w-]+ ){0,3}?(?:change|growth|increase|decrease|rise|fall|decline))\b",
    re.IGNORECASE,
)
_MOVED = re.compile(
    r"\b(?:chang\w+|gr[eo]w\w*|growth|increas\w+|decreas\w+|declin\w+|r[io]se|rising|risen|f[ae]ll\w*|"
    r"go(?:es|ne)? (?:up|down)|went (?:up|down)|develop\w*)\b",
    re.IGNORECASE,
)


def _change(item: str) -> dict[str, Any]:
    """The formula of the change of an item."""
    terms = [["+", item, "now"], ["-", item, "before"]]
    return {"name": "change", "kind": "money", "signed": True, "over": terms}


def _single(item: str) -> dict[str, Any]:
    """The formula of an item by itself."""
    return {"name": item, "kind": "money", "signed": True, "over": [["+", item, "now"]], "under": []}


def _otherwise(question: str, change: float | None) -> bool:
    """Whether a figure rose where a question says that it fell, or the other way round."""
    falls, rises = _ways(question)
    return falls != rises and change is not None and (change > 0) == falls and change != 0


def _ways(question: str) -> tuple[bool, bool]:
    """Whether a question says that something fell, and whether that it rose, also as "less than" and "more than"."""
    falls, rises = (
        any(way.search(question) for way in ways) for ways in ((FALL, _data()["less"]), (RISE, _data()["more"]))
    )
    return falls, rises


def _yes_or_no(question: str, result: Computed) -> str:
    """Whether a figure moved as a question says; empty where it names both ways, neither, or asks what is better."""
    falls, rises = _ways(question)
    if _VALUED.search(question):
        return ""
    now, before = (part.number or 0.0 for part in result.parts) if result.trend else (result.number or 0.0, 0.0)
    return "" if falls == rises else "Yes" if (now > before and rises) or (now < before and falls) else "No"


def _finder(documents: Sequence[Document], part: str) -> Find:
    """The best cells of an item in the tables of a kind, each found once.

    `part` is what is asked for of the year, if not all of it: tables of quarters are no statement of any kind.
    """
    known: dict[tuple[str, str], Sure | None] = {}

    def find(text: str, kind: str) -> Sure | None:
        if (text, kind) not in known:
            known[text, kind] = best(text.replace("?", f"{part}?"), documents, "" if part else kind)
        return known[text, kind]

    return find


def _asked_for(question: str, years: Sequence[int]) -> Iterator[tuple[dict[str, Any], Sequence[int]]]:
    """The formulas that a question may mean, most special first, with the years that they are about."""
    data, named = _data(), False
    for pattern, formula in _named():
        if pattern.search(question):
            named = True
            yield formula, years
    if named:
        return
    text = in_years(in_full(question))
    share = data["of"].search(text) or data["made_up"].search(text) or data["share_of"].search(text)
    if share:
        part, whole = _item(share["over"]), _item(share["under"])
        # The row of what came from a part is often called by both, or stands in a section.
        for item in (part,) if share.re.pattern == data["of"].pattern else (f"{whole} {part}", part):
            terms = {"over": [["+", item, "now"]], "under": [["+", whole, "now"]]}
            yield {"name": f"{part} / {whole}", "kind": "percent", "of": True, **terms}, years
        return
    both = data["together"].search(text)
    if both:
        yield _summed(both), years
        return
    divided = data["each"].search(in_full(question)) or data["ratio"].search(in_full(question))
    if divided:
        yield _divided(_item(divided["over"]), _item(divided["under"]), per="per" in divided.re.pattern), years
        return
    if years and asks_whether(question):
        item = _item(data["trend"].sub(" ", question))
        if item and len(years) == 1 and _HOW_MUCH.search(question):
            years = (years[0], years[0] - 1)
        if item and _HOW_MUCH.search(question):
            yield {"patterns": [], **_change(item)}, years
        elif item:
            yield {"patterns": [], **_single(item)}, years
        return
    if len(years) == 1 and (data["growth"].search(question) or data["moved"].search(question)):
        years = (years[0], years[0] - 1)
    if len(years) < 2 or len(years) > 2:
        return
    later, earlier = max(years), min(years)
    item = _item(question)
    if data["growth"].search(question):
        terms = {"over": [["+", item, "now"]], "under": [["+", item, "before"]]}
        yield {"name": "growth", "kind": "percent", "signed": True, **terms}, (later, earlier)
    elif data["change"].search(question):
        yield _change(item), (later, earlier)
    elif data["average"].search(question):
        yield {"name": "average", "kind": "money", "signed": True, "over": [["+", item, "average"]]}, (later, earlier)


def _summed(both: re.Match[str]) -> dict[str, Any]:
    """The formula of a sum: "the sum of A and B", "debt, short-term and long-term together"."""
    noun = _item(both["noun"] or "").split()[-1:]
    parts = (_item(both["over"] or both["first"]), _item(both["under"] or both["second"]))
    items = [" ".join((part, *noun)) for part in parts]
    terms = [["+", item, "now"] for item in items]
    return {"name": f"sum of {' and '.join(items)}", "kind": "money", "patterns": [], "over": terms}


def _divided(over: str, under: str, *, per: bool) -> dict[str, Any]:
    """The formula of one item divided by another: by something that is counted, where it is told per each."""
    many = f"{_MANY}{under}" if per else under
    name = f"{over} per {under}" if per else f"{over} / {under}"
    terms = {"over": [["+", over, "now"]], "under": [["+", many, "now"]]}
    return {"name": name, "kind": "each" if per else "ratio", "patterns": [], **terms}


_ASIDE = re.compile(
    r"\b(?:(?:the )?(?:(?:previous|prior|preceding|last) year|year (?:before|earlier))|above|below|higher|lower|"
    r"that|exceed(?:ed)?|"
    r"what|which|how|many|much|there|did|does|has|have|was|were|is|are|the|by|percent(?:age)?|per ?cent|"
    r"change[ds]?|growth|"
    r"rate|increase[ds]?|decrease[ds]?|grow|grew|rise|rose|fall|fell|decline[ds]?|drop(?:ped)?|difference|go(?:es|ne)?|went|up|down|or|much|during|than|any|fast|quickly|average|mean|"
    r"between|from|to|over|compared|with|versus|vs|year|fiscal|fy|year-over-year|yoy|and|in|of|for|its|company|"
    r"shr[iau]nk|spen[dt]|company's|had|(?<!\.)s|three|two|five|(?:fy ?)?(?:19|20)\d\d|\d+[- ]years?)\b|"
    r"[?%,–—'’]|(?<!\b[A-Z])\.|(?<!\w)-(?!\w)",
    re.IGNORECASE,
)


def _item(question: str) -> str:
    """What a question is about, without the words that ask for a change or a time."""
    return " ".join(_ASIDE.sub(" ", in_full(question)).split())


def worked_out(formula: dict[str, Any], years: Sequence[int], find: Find) -> Computed:
    """A formula with its cells, without a number where one is missing."""
    name, kind = formula["name"], formula["kind"]
    sides: list[tuple[Term, ...]] = []
    operands = [(item, when) for side in ("over", "under") for _, item, when in formula.get(side, ())]
    sure = 1.0
    for side in ("over", "under"):
        terms = list[Term]()
        for sign, item, when in formula.get(side, ()):
            picks, lacks, confidence, near = _located(item, _when(when, years), find)
            if lacks:
                return Computed(name, kind, None, (*sum(sides, ()), *terms), lacks=lacks, near=near)
            sure = min(sure, confidence)
            factor = {"+": 1.0, "-": -1.0}.get(sign) or float(sign)
            signed = bool(formula.get("signed")) or item in _data()["signed"]
            terms.append(Term(factor, item, picks, signed))
        sides.append(tuple(terms))
    over, under = sides
    if len({pick.cell.unit for term in (*over, *under) for pick in term.picks if pick.cell.unit}) > 1:
        return Computed(name, kind, None, lacks="its figures are in different units")
    if formula.get("of") and over[0].picks[0].cell.unit != under[0].picks[0].cell.unit:
        return Computed(name, kind, None, lacks="its figures are in different units")
    if _shared({(item, when): term.picks for (item, when), term in zip(operands, (*over, *under), strict=True)}):
        return Computed(name, kind, None, lacks=_ONE_CELL)
    top, bottom = sum(term.worth for term in over), sum(term.worth for term in under) if under else 1.0
    if not bottom:
        return Computed(name, kind, None, lacks="its divisor is nil")
    number = top / bottom - (1.0 if name == "growth" else 0.0)
    return Computed(name, kind, number, over, under, sure)


_ONE_CELL = "two of its figures would be one cell"


def _shared(operands: Mapping[Hashable, Sequence[Pick]]) -> bool:
    """Whether a cell stands for two different operands, or twice for one."""
    places = [(pick.document, pick.cell.start) for picks in operands.values() for pick in picks]
    return len(set(places)) < len(places)


def _when(when: str, years: Sequence[int]) -> tuple[int | None, ...]:
    now = max(years) if years else None
    before = min(years) if len(years) > 1 else now - 1 if now else None
    return {"now": (now,), "before": (before,), "average": (now, before)}[when]


def _located(item: str, years: Sequence[int | None], find: Find) -> tuple[tuple[Pick, ...], str, float, Sure | None]:
    """The cells of an item in years; what is lacking where one is not found for certain; the least confidence."""
    picks: list[Pick] = []
    sure = 1.0
    for year in years:
        message = f"{'' if item.startswith(_MANY) else 'What was '}{item}{f' in {year}' if year else ''}?"
        position = find(message, _data()["statements"].get(item.lower(), ""))
        if position is None or position.confidence < LEAST or position.picks[0].cell.value is None:
            return (), f"{item.removeprefix(_MANY)}{f' of {year}' if year else ''} was not found", 0.0, position
        sure = min(sure, position.confidence)
        picks.append(position.main)
    return tuple(picks), "", sure, None


_HOW_MUCH = re.compile(r"\bhow much\b|\bby what\b", re.IGNORECASE)
_VALUED = re.compile(r"\b(?:improv|worsen|deteriorat|better|worse|gain)", re.IGNORECASE)
_MANY = "How many "  # of an item that is counted
LEAST = 0.35  # of the confidence of each cell that a figure is made from
