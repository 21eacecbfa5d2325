"""Finds words of a question that a cell does not cover; such a cell is about something else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from citewell.document import Document
from citewell.facts.calendar.fiscal import FiscalYears
from citewell.facts.calendar.period import MONTH_ALONE, OPENING, TypedPeriod, month_of, read_period
from citewell.facts.filer import filer_names
from citewell.facts.tables.scales import without_exceptions
from citewell.facts.tables.times import without_names
from citewell.generators.extractive.cells.asking import FigureQuestion, pattern
from citewell.generators.extractive.cells.wordings import PACKAGE, in_full, item_terms, one_word
from citewell.generators.extractive.companies import called
from citewell.text.data import read_json, words
from citewell.types import Cell, Table

_CARRIED = frozenset(item_terms("carrying sheet"))
_ACTUAL = frozenset(item_terms("actual"))  # beside a plan: it says nothing of its own
_MONEY = re.compile(r"[A-Z]{3}")  # the unit of an amount of money
_MARK = re.compile(r"\s*\(\w{1,2}\)$")  # of a note: "First (a)"
_ATTRIBUTED = re.compile(r"\battributable\b", re.IGNORECASE)
_SUBJECTS = ("it", "they", "company", "group", "firm", "segment", "division", "business")
_WORD = re.compile(r"[^\W\d_]+(?:[-&][^\W\d_]+)*")


@cache
def idle() -> frozenset[str]:
    """The terms of questions that no label needs to say."""
    lists = (words(PACKAGE, "words.json", name) for name in ("asking", "times", "idle"))
    return frozenset(term for names in lists for term in (*names, *item_terms(" ".join(sorted(names)))))


def own_names(document: Document) -> frozenset[str]:
    """The terms of what a document and its company are called: they stand in no label."""
    return frozenset(item_terms(" ".join((*called(document), *filer_names(document)))))


def needed(items: frozenset[str], names: frozenset[str]) -> frozenset[str]:
    """The terms of a question that a cell must say, in its row, headers or title, to answer."""
    return frozenset(term for term in items - names - idle() if len(term) > 1 and not term[0].isdigit())


@lru_cache(maxsize=64)
def verbs(question: str) -> frozenset[str]:
    """The terms of a question's verbs, which no label says: irregular pasts, and base forms right behind a name.

    "How much goodwill stood", "did Oriel bring in": words in -ed and -ing may tell items apart as "deferred" does.
    """
    from citewell.facts.kinship import irregular_pasts, look_up  # WordNet is read where a word is left over
    from citewell.facts.wordnet import VERB

    spelled = _WORD.findall(question)
    behind_subject = [
        word
        for before, word in pairwise(spelled)
        if not _inflected(word)
        and word.islower()
        and (not before.islower() or before in _SUBJECTS)
        and look_up(word).part == VERB
    ]
    pasts = [word for word in spelled if word in irregular_pasts()]
    return frozenset(term for word in (*behind_subject, *pasts) for term in item_terms(word))


@lru_cache(maxsize=64)
def of_one_root(question: str) -> Mapping[str, frozenset[str]]:
    """For each term of a question those of the words of its root: "deliveri" for "deliv", "emiss" for "emit"."""
    from citewell.facts.kinship import look_up  # WordNet is read where a word is left over
    from citewell.facts.wordnet import wordnet

    roots: dict[str, frozenset[str]] = {}
    for word in map(str.lower, _WORD.findall(question)):
        related = frozenset(item_terms(" ".join(wordnet().lemmas[entry] for entry in look_up(word).derived)))
        roots |= {term: roots.get(term, frozenset()) | related for term in item_terms(word)}
    return roots


def _inflected(word: str) -> bool:
    """Whether a word is a participle by its form: "deferred", "operating", but not "need" or "bring"."""
    from citewell.facts.kinship import look_up
    from citewell.facts.wordnet import VERB

    if word.endswith("ed"):
        return not word.endswith("eed")
    stem = word.removesuffix("ing")
    return stem != word and any(look_up(base).part == VERB for base in (stem, f"{stem}e"))


class Place(NamedTuple):
    """A cell with its table, and the period that its headers, its row or its table's title tell."""

    table: Table
    cell: Cell
    period: TypedPeriod


def lacks(question: str, wanted: FigureQuestion, place: Place, missing: frozenset[str], years: FiscalYears) -> str:
    """What a cell lacks of an answer: a year, a part of it, words that it does not say; empty where nothing."""
    table, cell = place.table, place.cell
    labels = " ".join((*cell.row_path, *cell.column_path, table.title))
    reasons = [
        "" if same_day(wanted.period, place.period) else _years(wanted, table, cell),
        _part(wanted, place, years),
        _sort(question, cell),
        _share_of(question, wanted, cell),
        _measure(question, cell),
        _basis(question, cell),
        _movement(question, wanted, table, cell),
        _opening(question, cell),
        _planned(question, table, cell) or _which(wanted, table, cell),
        _part_of(question, cell),
        _side(question, cell),
        _attributed(question, table, cell),
    ]
    if table.kind == "balance":  # what a balance sheet states is a carrying amount
        missing -= _CARRIED
    each = pattern("per").search(question)
    if each and not re.search(rf"(?:\bper|/|\beach|\bevery)\W+(?:\w+\W+)?{each[1][:-1]}", labels, re.IGNORECASE):
        reasons.append(f"does not say “{each[0]}”")
        missing -= set(item_terms(each[1]))
    spelled = [word for word in _WORD.findall(one_word(in_full(question))) if missing.intersection(item_terms(word))]
    if spelled:
        reasons.append("does not say " + ", ".join(f"“{word}”" for word in dict.fromkeys(spelled)))
    return "; ".join(filter(None, reasons))


def _measure(question: str, cell: Cell) -> str:
    """That a cell counts shares where an amount for each is asked for, or the other way round."""
    label = " ".join(map(without_exceptions, (*cell.row_path, *cell.column_path)))
    if pattern("per_share_asked").search(question):
        if cell.unit == "shares" or pattern("shares_counted").search(label):
            return "gives a number of shares, not an amount per share"
        if cell.scale > 1 and cell.unit != "percent":
            return "gives a total, not an amount per share"
    elif pattern("shares_asked").search(question) and (
        cell.unit not in ("shares", "") or not pattern("shares_named").search(label)
    ):
        return "gives no number of shares"
    elif pattern("per_share_shown").search(label) and not pattern("share").search(question):
        counts = cell.unit == "shares" or pattern("shares_counted").search(label)
        return "" if counts else "gives an amount per share"
    return ""


@cache
def bases() -> tuple[re.Pattern[str], ...]:
    """Bases on which figures are drawn up beside the plain one, each as one pattern of all its names."""
    return tuple(re.compile(base, re.IGNORECASE) for base in read_json(PACKAGE, "words.json")["bases"])


def _basis(question: str, cell: Cell) -> str:
    """That a cell is adjusted, organic or pro forma where that is not asked for, or plain where it is."""
    label = " ".join((*cell.row_path, *cell.column_path))
    for basis in bases():
        asks, says = basis.search(question), basis.search(label)
        if asks and not says:
            return f"does not say “{asks[0]}”"
        if says and not asks:
            return f"gives a figure that is “{says[0]}”"
    return ""


def _movement(question: str, wanted: FigureQuestion, table: Table, cell: Cell) -> str:
    """That a cell tells by how much something moved, which a balance sheet states, or what was charged of cash paid."""
    paid = table.kind == "cash" or pattern("paid").search(" ".join(cell.row_path[-1:]))
    if pattern("cash_paid").search(question) and not paid:
        return "gives what was charged, not what was paid"
    balance = wanted.kinds.get("balance", 0.0)
    alone = len(wanted.sayings) == 1 and balance > _PARTLY  # nothing but an item that balance sheets have
    held = balance > _MOSTLY or alone or (balance > 0 and pattern("change").search(" ".join(cell.row_path)))
    moved = table.kind == "cash" and held and not (wanted.change or wanted.flow)
    match = pattern("cash_held").search(" ".join(cell.row_path[-1:]))
    return "gives how much it changed" if moved and not match else ""


def _opening(question: str, cell: Cell) -> str:
    """That a cell tells how much there was before the period, or what is left out, where that is not asked for."""
    label = " ".join(cell.row_path[-1:])
    for name in ("eliminated", "changed"):
        other = pattern(name).search(" ".join(cell.column_path))
        if other and not pattern(name).search(question):
            return f"gives “{other[0]}”"
    effect = pattern("effect").search(label)
    if effect and effect[1].lower() not in question.lower():
        return f"gives “{effect[0]}”"
    shows, asks = OPENING.search(label), OPENING.search(question)
    return "gives the balance at the beginning" if shows and not asks else ""


def _sort(question: str, cell: Cell) -> str:
    """That a cell is of another sort: money for a count or a share, a mean for a moment, a profit for a loss."""
    if pattern("counted").search(question) and (_MONEY.fullmatch(cell.unit) or cell.unit == "percent"):
        return (
            "gives an amount of money, not a number" if cell.unit != "percent" else "gives a percentage, not a number"
        )
    if pattern("counted").search(question) and cell.unit == "shares" and not pattern("shares_named").search(question):
        return "gives a number of shares"
    if cell.unit == "percent" and pattern("money_asked").search(question):
        return "gives a percentage, not an amount"
    if pattern("share_asked").search(question) and (_MONEY.fullmatch(cell.unit) or cell.unit == "shares"):
        return "gives an amount, not a percentage"
    if cell.value == 0 and cell.row_path and pattern("heads_rows").search(cell.row_path[-1]):
        return "heads the rows below it"
    if cell.value is None and pattern("several_figures").search(cell.text):
        return "gives several figures"
    label = " ".join(cell.row_path[-1:])
    if pattern("at_a_moment").search(question) and pattern("averaged").search(label):
        return "gives an average over the period"
    if (cell.value or 0.0) > 0 and pattern("loss_asked").search(question) and pattern("profit_told").match(label):
        return "gives a profit, not a loss"
    return ""


def _share_of(question: str, wanted: FigureQuestion, cell: Cell) -> str:
    """That a row called by nothing but an item of money gives a share of it: "Accounts receivable | 28%"."""
    items = frozenset(wanted.item) - idle()
    plain = items <= {term for saying in wanted.sayings for term in saying.split()}
    asks = wanted.percent or wanted.change or pattern("share_asked").search(question)
    return "gives a percentage, not an amount" if cell.unit == "percent" and wanted.kinds and plain and not asks else ""


def _planned(question: str, table: Table, cell: Cell) -> str:
    """That a cell gives a plan beside what came of it, where none is asked for: "Budget"."""
    plan = pattern("planned").search(" ".join(cell.column_path))
    if plan is None or pattern("planned").search(question):
        return ""
    row = (other for other in table.row(cell.row) if other.role == "value" and other.year == cell.year)
    done = any(not pattern("planned").search(" ".join(other.column_path)) for other in row)
    return f"gives “{plan[0]}”" if done else ""


def _which(wanted: FigureQuestion, table: Table, cell: Cell) -> str:
    """That a cell is one of several figures of a name, and nothing asks for its column: "What is MV Bracken?"."""
    if wanted.sayings:
        return ""  # an item of reports: its row is what is asked for
    row = [other for other in table.row(cell.row) if other.role == "value"]
    planned = {other.column for other in row if pattern("planned").search(" ".join(other.column_path))}
    heads = {other.column: _heads(other) for other in row if cell.column in planned or other.column not in planned}
    response = heads.get(cell.column, frozenset())
    apart = len(set(heads.values())) > 1 and all(heads.values())
    return "gives one of several figures of it" if apart and response.isdisjoint(wanted.terms) else ""


@cache
def _parted() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """What may be asked for, and what rows say that are only a part or one kind of it."""
    pairs = read_json(PACKAGE, "words.json")["parted"]
    return tuple((re.compile(asks, re.IGNORECASE), re.compile(says, re.IGNORECASE)) for asks, says in pairs)


def _part_of(question: str, cell: Cell) -> str:
    """That a cell is a part of what is asked for, or one kind of it: long-term debt for total debt."""
    label = " ".join(cell.row_path[-1:])
    for asks, says in _parted():
        part = says.search(label)
        if part and asks.search(question) and part[0].lower() not in question.lower():
            return f"gives “{label}”, which is a part or a kind of it"
    return ""


def _attributed(question: str, table: Table, cell: Cell) -> str:
    """That a row is of all owners where the part attributable to some is asked for, which its table has."""
    asked = _ATTRIBUTED.search(question)
    if not asked or any(map(_ATTRIBUTED.search, cell.row_path)):
        return ""
    apart = any(other.role == "label" and _ATTRIBUTED.search(other.text) for other in table.cells)
    return f"does not say “{asked[0]}”" if apart else ""


def _side(question: str, cell: Cell) -> str:
    """That a cell stands among what was spent where it is asked what was earned, or the other way round."""
    label, sections = " ".join(cell.row_path[-1:]), " ".join(cell.row_path[:-1])
    sides, verbs = ([pattern(name) for name in names] for names in (("earned", "spent"), ("earning", "spending")))
    if any(side.search(label) for side in sides):
        return ""  # which says it by itself
    says, asks = [bool(side.search(sections)) for side in sides], [bool(verb.search(question)) for verb in verbs]
    return f"stands among “{sections}”" if sum(asks) == sum(says) == 1 and asks != says else ""


def _heads(cell: Cell) -> frozenset[str]:
    """The terms of the headers over a cell, without times and words that say nothing."""
    terms = {term for part in cell.column_path for term in item_terms(part)}
    return frozenset(term for term in terms - idle() - _ACTUAL if not term[0].isdigit())


def _years(wanted: FigureQuestion, table: Table, cell: Cell) -> str:
    """That a cell is of another year; what its table says counts where its own headers name none."""
    if not wanted.years or cell.year in wanted.years or is_named_by(cell, wanted.years):
        return ""
    of = " or ".join(map(str, wanted.years))
    has = sorted({other.year for other in table.values() if other.year}, reverse=True)
    if cell.year is not None:
        here = [cell.year] if set(has) & set(wanted.years) else has
        return f"gives {', '.join(map(str, here))}, not {of}"
    text = " ".join((table.title, *(other.text for other in table.cells if other.role in ("head", "label"))))
    if any(str(year) in text for year in wanted.years):
        return ""
    return f"gives {', '.join(map(str, has))}, not {of}" if has else f"does not say {of}"


def is_named_by(cell: Cell, years: Sequence[int]) -> bool:
    """Whether a row is called by a year, whenever its figure is of: "3.55% notes due 2026"."""
    return any(f"due {year}" in cell.row_path[-1] for year in years) if cell.row_path else False


def _part(wanted: FigureQuestion, place: Place, years: FiscalYears) -> str:
    """That a cell is of the year where a part of it is asked for, of another part, or of a part where not."""
    here, period = place.period, wanted.period
    if period.trailing != here.trailing and (period.trailing or here.trailing):
        return f"gives {here.words or 'a year'}, not {period.words or 'the year'}"
    if here.months == 1 and here.ending and wanted.month:
        return "" if here.ending.month == wanted.month else "gives another month"
    if _other_day(period, here):
        return "gives another day"
    if period.transition and not here.transition:
        return "does not say that it is of a transition period"
    if not period.is_part:
        if period.ending and here.number and here.number == years.quarter(period.ending):
            return ""  # the day on which the quarter of the column ends
        whole = wanted.years or period.months == _YEAR
        return f"gives {here.words}, not the year" if here.is_part and whole else ""
    if not here.months:
        if place.table.kind == "balance" and here.ending is not None:
            other = period.number and years.quarter(here.ending) != period.number
            return f"gives the end of quarter {years.quarter(here.ending)}" if other else ""
        return f"gives the year, not {period.words}"
    if here.months != period.months:
        return f"gives {here.words}, not {period.words}"
    number = years.number(here)
    if period.number and number and number != period.number:
        part = "quarter" if here.months == _QUARTER else "half"
        return f"gives {part} {number}, not {part} {period.number}"
    return ""


def same_day(period: TypedPeriod, here: TypedPeriod) -> bool:
    """Whether both tell one day, whatever the year is called in which it lies."""
    return period.ending is not None and period.ending.year is not None and period.ending == here.ending


def _other_day(period: TypedPeriod, here: TypedPeriod) -> bool:
    """Whether both tell a day with its year, and they are more than some days apart."""
    asks, says = period.ending, here.ending
    if asks is None or says is None or asks.year is None or says.year is None:
        return False
    apart = (asks.year - says.year) * 372 + (asks.month - says.month) * 31 + asks.day - says.day
    return abs(apart) > _DAYS


def cell_period(table: Table, cell: Cell) -> TypedPeriod:
    """The period of a cell: by its headers, its row, the corner of its table, or the title of a table of quarters."""
    if OPENING.search(cell.period):
        return read_period(cell.period)
    month = MONTH_ALONE.fullmatch(cell.row_path[-1].strip()) if cell.row_path else None
    if month and table.kind != "balance":
        return month_of(month[1], month[2] or (str(cell.year) if cell.year else None))
    over = read_period(" ".join(cell.column_path))
    beside = read_period(without_names(" ".join(cell.row_path)))
    if not (over.ending or beside.ending):
        stated = read_period(cell.period)
        if (over.months or beside.months or stated.months) == stated.months:
            beside = stated
    if not over.months and beside.months and (beside.number or beside.ending or beside.years):
        over = over._replace(months=beside.months, number=beside.number, trailing=beside.trailing)
    over = over if over.ending or not beside.ending else over._replace(ending=beside.ending)
    titled = read_period(table.title)
    same = over.ending and (titled.ending is None or titled.ending.month == over.ending.month)
    if same and not over.months and pattern("ended").search(table.title):
        over = over._replace(months=titled.months)
    lone = (_MARK.sub("", part).strip().lower() for part in (*cell.column_path, *cell.row_path))
    number = next((_ALONE[part] for part in lone if part in _ALONE), 0)
    if number or (not over.months and not pattern("year_shown").search(" ".join(cell.column_path))):
        about = " ".join((table.title, *cell.row_path[:-1]))
        if pattern("quarters_shown").search(about):
            over = over._replace(months=_QUARTER)
    if over.months == _QUARTER and not over.number:
        over = over._replace(number=number)
    return over


_MOSTLY, _PARTLY = 0.5, 0.15  # of the statements in which an item stands
_YEAR, _QUARTER = 12, 3  # months
_DAYS = 10  # by which the last day of weeks and that of the month differ
_ALONE = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
