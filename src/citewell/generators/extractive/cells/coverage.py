"""What of a question about a figure a cell does not say: then the cell is of something else, and answers not."""

from __future__ import annotations

import re
from functools import cache

from citewell.document import Document
from citewell.generators.extractive.cells.asking import Asked, asked, pattern, quarter_told
from citewell.generators.extractive.cells.wordings import PACKAGE, in_full, item_terms
from citewell.generators.extractive.companies import called
from citewell.text.data import read_json, words
from citewell.types import Cell, Table

_MONEY = re.compile(r"[A-Z]{3}")  # the unit of an amount of money
_WORD = re.compile(r"[^\W\d_]+(?:[-&][^\W\d_]+)*")


@cache
def idle() -> frozenset[str]:
    """The terms of questions that no label needs to say."""
    lists = (words(PACKAGE, "words.json", name) for name in ("asking", "times", "idle"))
    return frozenset(term for names in lists for term in (*names, *item_terms(" ".join(sorted(names)))))


def own_names(document: Document) -> frozenset[str]:
    """The terms of what a document and its company are called: they stand in no label."""
    return frozenset(item_terms(" ".join(called(document))))


def needed(items: frozenset[str], names: frozenset[str]) -> frozenset[str]:
    """The terms of a question that a cell must say, in its row, headers or title, to answer."""
    return frozenset(term for term in items - names - idle() if len(term) > 1 and not term[0].isdigit())


def lacks(question: str, table: Table, cell: Cell, missing: frozenset[str]) -> str:
    """What a cell lacks of an answer: a year, a part of it, words that it does not say; empty where nothing."""
    wanted = asked(question)
    labels = " ".join((*cell.row_path, *cell.column_path, table.title))
    told = [
        _years(wanted, table, cell),
        _part(question, wanted, table, cell, f"{labels} {cell.period}"),
        _sort(question, cell),
        _which(wanted, table, cell),
        _part_of(question, cell),
    ]
    each = pattern("per").search(question)
    if each and not re.search(rf"(?:\bper|/|\beach|\bevery)\W+(?:\w+\W+)?{each[1][:-1]}", labels, re.IGNORECASE):
        told.append(f"does not say “{each[0]}”")
        missing -= set(item_terms(each[1]))
    spelled = [word for word in _WORD.findall(in_full(question)) if missing.intersection(item_terms(word))]
    if spelled:
        told.append("does not say " + ", ".join(f"“{word}”" for word in dict.fromkeys(spelled)))
    return "; ".join(filter(None, told))


def _sort(question: str, cell: Cell) -> str:
    """That a cell is money where things are counted, or a profit where a loss is asked for."""
    if pattern("counted").search(question) and _MONEY.fullmatch(cell.unit):
        return "gives an amount of money, not a number"
    label = " ".join(cell.row_path[-1:])
    if (cell.value or 0.0) > 0 and pattern("loss_asked").search(question) and pattern("profit_told").match(label):
        return "gives a profit, not a loss"
    return ""


def _which(wanted: Asked, table: Table, cell: Cell) -> str:
    """That a cell is one of several figures of a name, and nothing asks for its column: "What is MV Bracken?"."""
    if wanted.sayings:
        return ""  # an item of reports: its row is what is asked for
    heads = {other.column: _heads(other) for other in table.row(cell.row) if other.role == "value"}
    own = heads.get(cell.column, frozenset())
    apart = len(set(heads.values())) > 1 and all(heads.values())
    return "gives one of several figures of it" if apart and own.isdisjoint(wanted.terms) else ""


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


def _heads(cell: Cell) -> frozenset[str]:
    """The terms of the headers over a cell, without times and words that say nothing."""
    said = {term for part in cell.column_path for term in item_terms(part)}
    return frozenset(term for term in said - idle() if not term[0].isdigit())


def _years(wanted: Asked, table: Table, cell: Cell) -> str:
    """That a cell is of another year; what its table says counts where its own headers name none."""
    if not wanted.years or cell.year in wanted.years:
        return ""
    of = " or ".join(map(str, wanted.years))
    has = sorted({other.year for other in table.values() if other.year}, reverse=True)
    if cell.year is not None:
        here = [cell.year] if set(has) & set(wanted.years) else has
        return f"gives {', '.join(map(str, here))}, not {of}"
    said = " ".join((table.title, *(other.text for other in table.cells if other.role in ("head", "label"))))
    if any(str(year) in said for year in wanted.years):
        return ""
    return f"gives {', '.join(map(str, has))}, not {of}" if has else f"does not say {of}"


def _part(question: str, wanted: Asked, table: Table, cell: Cell, labels: str) -> str:
    """That a cell is of the year where a part of it is asked for, of another part, or of a part where not."""
    if not wanted.quarter:
        if pattern("year_asked").search(question) and pattern("part_shown").search(cell.period):
            return f"gives {cell.period[:1].lower()}{cell.period[1:]}, not the year"
        return "gives a quarter, not the year" if wanted.years and _of_quarter(table, cell) else ""
    if not pattern("part_shown").search(labels):
        return "gives the year, not the quarter"
    told = quarter_told(labels) if wanted.number else 0
    return "gives another quarter" if told and told != wanted.number else ""


def _of_quarter(table: Table, cell: Cell) -> bool:
    """Whether a cell stands in a table of quarters, and its headers do not say that it is of the year."""
    named = pattern("quarters_told").search(" ".join((table.title, *cell.row_path[:-1])))
    return named is not None and not pattern("year_told").search(" ".join(cell.column_path))
