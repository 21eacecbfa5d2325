"""Do reports of consecutive years agree? The same figure of the same year is asked of each report that shows it.

A measure without a truth: where two reports of one company give two figures for one year, one answer is wrong or the
figure was restated; it counts as restated where the reports themselves show that. What one of them cannot say counts as
unanswered.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from citewell import Answer, ask, read
from citewell.document import Document
from citewell.errors import UsageError
from citewell.text.columns import aligned
from citewell_lab.bench.restated import Evidence, Printed, Report, restatement, statements

Ask = Callable[[Document, str], Answer]
_NAME = re.compile(r"^(?P<company>[^ _-]+(?:[ _-][^ _-]+)*?)[ _-](?P<year>(?:19|20)\d\d)(?!\d)")
_INTERIM = re.compile(r"(?:^|[_ -])(?:q[1-4]|20\d\dq[1-4]|10-?q|6-?k|8-?k|earnings)(?=$|[_ .-])", re.IGNORECASE)
COLUMNS = ("asked", "answered", "pairs", "agreeing", "restated", "differing")
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
    printed: tuple[Printed | None, ...] = ()  # where it stands, or each of the figures that it is derived from


class Pair(NamedTuple):
    """Two reports of a company that answer the same question, the earlier first: do they agree, or why do they not?"""

    first: Reading
    second: Reading
    agrees: bool
    restated: Evidence | None

    @property
    def outcome(self) -> str:
        """The column of the counts that it belongs to."""
        return "agreeing" if self.agrees else "restated" if self.restated else "differing"

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: both readings, and why the later one counts as restated."""
        readings = [{name: part for name, part in one._asdict().items() if name != "printed"} for one in self[:2]]
        return {"readings": readings, "restated": self.restated._asdict() if self.restated else None}


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
    main = [table for table in statements(document.tables()) if table.kind == statement]
    seen = Counter(cell.year for table in main for cell in table.values())
    shown = sorted((year for year, count in seen.items() if year and count >= _FEWEST), reverse=True)
    return tuple(shown[: 2 if statement == "balance" else 3])


def ask_all(
    company: str, report: str, document: Document, items: Iterable[Item] = ITEMS, ask: Ask = ask
) -> list[Reading]:
    """What a report says of each item in each year that it shows."""
    readings, places = [], Report(document)
    for item in items:
        for year in years_in(document, item.statement):
            answer = ask(document, f"What was {item.name} in fiscal {year}?")
            readings.append(_reading(company, item.name, year, report, answer, places))
    return readings


def _reading(company: str, item: str, year: int, report: str, answer: Answer, places: Report) -> Reading:
    value = None if answer.abstained else answer.value
    if value is None or value.number is None:
        return Reading(company, item, year, report, None, 0.0, "", None, answer.confidence or 0.0, "")
    scale = float(value.scale or 1)
    digits = value.text.replace(",", "").partition(".")[2]
    precision = 10.0 ** -sum(map(str.isdigit, digits)) * scale
    cited = answer.citations[-1] if answer.citations else None
    place = " / ".join(cited.cell.row_path) if cited is not None and cited.cell else (cited.quote[:80] if cited else "")
    page = cited.page if cited is not None else None
    cells = [answer.citations[number] for number in value.citations] if value.formula else [cited] if cited else []
    printed = tuple(places.printed(cell.start) for cell in cells)
    figure = (value.number * scale, precision, value.text, page, answer.confidence or 0.0)
    return Reading(company, item, year, report, *figure, place, printed)


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
            why = None if agrees else restatement(first.printed, second.printed, second.page)
            found.append(Pair(first, second, agrees, why))
    return found


def summary(readings: Sequence[Reading]) -> dict[str, Any]:
    """Counts over all, by item and by company; an item that no report of a company answers is not one of its items."""
    present = {(one.company, one.item) for one in readings if one.worth is not None}
    asked = [one for one in readings if (one.company, one.item) in present]
    both = pairs(readings)

    def counts(key: Callable[[Reading], str]) -> dict[str, dict[str, int]]:
        rows: dict[str, dict[str, int]] = {}
        for one in asked:
            row = rows.setdefault(key(one), dict.fromkeys(COLUMNS, 0))
            row["asked"] += 1
            row["answered"] += one.worth is not None
        for pair in both:
            row = rows[key(pair.first)]
            row["pairs"] += 1
            row[pair.outcome] += 1
        return rows

    return {
        "all": counts(lambda _: "all").get("all", {}),
        "by_company": counts(lambda one: one.company),
        "by_item": counts(lambda one: one.item),
    }


def run(
    folder: Path, cache: Path | None = None, ask: Ask = ask, companies: Container[str] | None = None
) -> Iterator[tuple[str, list[Reading]]]:
    """What the series of each company of a folder say, of those named in capitals where `companies` are.

    Documents are kept in `cache` as they were read, and taken from there.
    """
    for company, paths in series(folder).items():
        if companies is None or company.upper() in companies:
            yield (
                company,
                [row for path in paths for row in ask_all(company, path.stem, _document(path, cache), ask=ask)],
            )


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


def text(readings: Sequence[Reading], *, shown: int) -> str:
    """The counts as a table, and the first pairs that differ with both pages."""
    counts = summary(readings)
    rows = [("", *COLUMNS), ("all", *(str(counts["all"].get(name, 0)) for name in COLUMNS))]
    for group in ("by_company", "by_item"):
        rows += [(name, *(str(row[column]) for column in COLUMNS)) for name, row in counts[group].items()]
    lines = aligned(rows, (True, *(False for _ in COLUMNS)))
    both = pairs(readings)
    for outcome in ("differing", "restated"):
        lines += [_shown(pair) for pair in [pair for pair in both if pair.outcome == outcome][:shown]]
    return "\n".join(lines)


def _shown(pair: Pair) -> str:
    """A pair with both pages, and why it counts as restated."""
    figures = "; ".join(f"{one.report} page {one.page}: {one.text} ({one.place})" for one in pair[:2])
    why = f"; restated, page {pair.restated.page}: {pair.restated.text}" if pair.restated else ""
    return f"{pair.first.company}, {pair.first.item} {pair.first.year}: {figures}{why}"
