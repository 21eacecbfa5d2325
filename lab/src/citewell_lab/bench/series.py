"""Do reports of consecutive years agree? The same figure of the same year is asked of each report that shows it.

A measure without a truth: where two reports of one company give two figures for one year, one answer is wrong or the
figure was restated. What one of them cannot say counts as unanswered.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from citewell import Answer, ask, read
from citewell.document import Document
from citewell.errors import UsageError
from citewell.generators.extractive.cells.statements import primary
from citewell.text.columns import aligned

Ask = Callable[[Document, str], Answer]
_NAME = re.compile(r"^(?P<company>[^ _-]+(?:[ _-][^ _-]+)*?)[ _-](?P<year>(?:19|20)\d\d)(?!\d)")
_INTERIM = re.compile(r"(?:^|[_ -])(?:q[1-4]|20\d\dq[1-4]|10-?q|6-?k|8-?k|earnings)(?=$|[_ .-])", re.IGNORECASE)
_RESTATED = re.compile(r"\b(?:restated?|recast|revised|as adjusted|retrospective\w*|reclassifi\w+)\b", re.IGNORECASE)
_FEWEST = 8  # cells of a year in the tables of a statement by which it shows that year


class Item(NamedTuple):
    """A figure that annual reports show year by year: its name in a question, the statement that shows its years."""

    name: str
    statement: str


ITEMS = tuple(
    Item(name, statement)
    for statement, names in {
        "income": (
            "total revenue", "cost of sales", "gross profit", "operating income", "income before income taxes",
            "income tax expense", "net income", "basic earnings per share", "diluted earnings per share",
            "weighted average diluted shares", "research and development expense", "interest expense",
            "selling, general and administrative expenses",
        ),
        "balance": (
            "cash and cash equivalents", "accounts receivable", "inventories", "total current assets",
            "property, plant and equipment, net", "goodwill", "total assets", "accounts payable",
            "total current liabilities", "long-term debt", "total liabilities", "retained earnings",
            "total shareholders' equity",
        ),
        "cash": (
            "depreciation and amortization", "net cash provided by operating activities", "capital expenditures",
            "net cash used in investing activities", "dividends paid", "stock-based compensation",
        ),
    }.items()
    for name in names
)  # fmt: skip


class Reading(NamedTuple):
    """What one report says of an item in a year; `worth` is None where it says nothing."""

    company: str
    item: str
    year: int
    report: str
    worth: float | None
    precision: float
    text: str
    page: int | None
    confidence: float
    place: str


class Pair(NamedTuple):
    """Two reports of a company that answer the same question: whether they agree, and what they say."""

    first: Reading
    second: Reading
    agrees: bool
    restated: bool


def series(folder: Path) -> Mapping[str, list[Path]]:
    """The annual reports of a folder by company, of those that have several: NAME_YEAR and whatever follows."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder")
    found: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(folder.iterdir()):
        named = _NAME.match(path.stem)
        if named and path.is_file() and not _INTERIM.search(path.stem):
            found[named["company"]].append(path)
    return {company: paths for company, paths in found.items() if len(paths) > 1}


def years_in(document: Document, statement: str) -> tuple[int, ...]:
    """The years that the tables of a statement show, newest first."""
    tables = document.tables()
    main = [tables[number] for number in primary(tables)] or [table for table in tables if table.kind]
    seen = Counter(cell.year for table in main if table.kind == statement for cell in table.values())
    shown = sorted((year for year, count in seen.items() if year and count >= _FEWEST), reverse=True)
    return tuple(shown[: 2 if statement == "balance" else 3])


def ask_all(
    company: str, report: str, document: Document, items: Iterable[Item] = ITEMS, ask: Ask = ask
) -> list[Reading]:
    """What a report says of each item in each year that it shows."""
    readings = []
    for item in items:
        for year in years_in(document, item.statement):
            answer = ask(document, f"What was {item.name} in fiscal {year}?")
            readings.append(_reading(company, item.name, year, report, answer))
    return readings


def _reading(company: str, item: str, year: int, report: str, answer: Answer) -> Reading:
    value = None if answer.abstained else answer.value
    if value is None or value.number is None:
        return Reading(company, item, year, report, None, 0.0, "", None, answer.confidence or 0.0, "")
    scale = float(value.scale or 1)
    digits = value.text.replace(",", "").partition(".")[2]
    precision = 10.0 ** -sum(map(str.isdigit, digits)) * scale
    cited = answer.citations[-1] if answer.citations else None
    place = " / ".join(cited.cell.row_path) if cited is not None and cited.cell else (cited.quote[:80] if cited else "")
    page = cited.page if cited is not None else None
    return Reading(
        company, item, year, report, value.number * scale, precision, value.text, page, answer.confidence or 0.0, place
    )


def pairs(readings: Sequence[Reading]) -> list[Pair]:
    """Every two reports of a company that both say an item of a year; signs are the printer's business."""
    groups: dict[tuple[str, str, int], list[Reading]] = defaultdict(list)
    for one in readings:
        if one.worth is not None:
            groups[one.company, one.item, one.year].append(one)
    found = []
    for group in groups.values():
        for first, second in combinations(group, 2):
            apart = abs(abs(first.worth or 0.0) - abs(second.worth or 0.0))
            agrees = apart <= max(first.precision, second.precision) * 0.5001
            found.append(Pair(first, second, agrees, bool(_RESTATED.search(f"{first.place} {second.place}"))))
    return found


def summary(readings: Sequence[Reading]) -> dict[str, Any]:
    """Counts over all, by item and by company; an item that no report of a company answers is not one of its items."""
    present = {(one.company, one.item) for one in readings if one.worth is not None}
    asked = [one for one in readings if (one.company, one.item) in present]
    both = pairs(readings)

    def counts(key: Callable[[Reading], str]) -> dict[str, dict[str, int]]:
        rows: dict[str, dict[str, int]] = {}
        for one in asked:
            row = rows.setdefault(key(one), dict.fromkeys(("asked", "answered", "pairs", "agreeing", "differing"), 0))
            row["asked"] += 1
            row["answered"] += one.worth is not None
        for pair in both:
            row = rows[key(pair.first)]
            row["pairs"] += 1
            row["agreeing" if pair.agrees else "differing"] += 1
        return rows

    return {
        "all": counts(lambda _: "all").get("all", {}),
        "by_company": counts(lambda one: one.company),
        "by_item": counts(lambda one: one.item),
    }


def run(folder: Path, cache: Path | None = None, ask: Ask = ask) -> list[Reading]:
    """What all series of a folder say; documents are kept in `cache` as they were read, and taken from there."""
    found = list[Reading]()
    for company, paths in series(folder).items():
        for path in paths:
            document = _document(path, cache)
            found += ask_all(company, path.stem, document, ask=ask)
    return found


def _document(path: Path, cache: Path | None) -> Document:
    if path.suffix == ".json":
        return Document.load(path)
    kept = cache / f"{path.stem}.json" if cache else None
    if kept is None:
        return read(path)
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        read(path).save(kept)
    return Document.load(kept)


_COLUMNS = ("asked", "answered", "pairs", "agreeing", "differing")


def text(readings: Sequence[Reading], *, shown: int) -> str:
    """The counts as a table, and the first pairs that differ with both pages."""
    counts = summary(readings)
    rows = [("", *_COLUMNS), ("all", *(str(counts["all"].get(name, 0)) for name in _COLUMNS))]
    for group in ("by_company", "by_item"):
        rows += [(name, *(str(row[column]) for column in _COLUMNS)) for name, row in counts[group].items()]
    lines = aligned(rows, (True, *(False for _ in _COLUMNS)))
    differing = [pair for pair in pairs(readings) if not pair.agrees]
    for first, second, _, restated in differing[:shown]:
        both = "; ".join(f"{one.report} page {one.page}: {one.text} ({one.place})" for one in (first, second))
        lines.append(f"{first.company}, {first.item} {first.year}: {both}{'; restated' if restated else ''}")
    return "\n".join(lines)
