"""Hold LAB's figures in the package against the paper's text: every row must stand there as it was printed.

    python lab/benchmarks/check_published.py FOLDER      # the folder with lab-attribute-or-abstain-v2.txt

The text is not part of the project. A row is sought as the paper prints it: figures in their order, whole percentages
or two decimals, a star where it is significant, the averages that the data leaves out as any number.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from citewell_lab.papers.published import figures

TEXT = "lab-attribute-or-abstain-v2.txt"
ANY = r"-?\d+(?:\.\d+)?"
TASKS = ("qasper", "natural-questions", "evidence-inference", "wice", "contract-nli", "govreport")
SHORT = ("QSP", "NQ", "EI", "WIC", "CNLI", "GR")
_APPROACHES = {
    "post-hoc": "p-h", "retrieve-then-read": "rtr", "citation": "cit", "reduced-post-hoc": "r-p-h",
    "reduced-citation": "r-cit",
}  # fmt: skip


def _percent(value: float) -> str:
    return str(round(100 * value))


def _decimals(value: float) -> str:
    return f"{value:.2f}"


def _line(*cells: str) -> str:
    """A pattern of cells with white space between them."""
    return r"(?<![\w.-])" + r"\s+".join(cells) + r"(?![\w.])"


def _table_3(tables: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for row in tables["lab-3-qasper"]["rows"]:
        approach = row["name"].partition(", ")[2]
        values = [value for task in TASKS for value in _named(tables[f"lab-3-{task}"], row["name"])]
        yield f"Table 3, {row['name']}", _line(_APPROACHES[approach], *map(_percent, values), ANY, ANY)


def _named(table: Mapping[str, Any], name: str) -> Sequence[float]:
    """The values of a table's row."""
    (values,) = (row["values"] for row in table["rows"] if row["name"] == name)
    return values


def _table_2(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for row in table["rows"]:
        pairs = zip(row["values"][::2], row["values"][1::2], strict=True)
        yield f"Table 2, {row['name']}", _line(row["name"], *(f"{_percent(a)}/{_percent(b)}" for a, b in pairs))


def _agreement(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, kappa in zip(("QASPER", "Natural Questions", "Govreport"), table["agreement"].values(), strict=True):
        yield f"agreement, {name}", rf"{_decimals(kappa)}\s+\({name}\)"


def _retrievers(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Tables 21 to 23 print two tasks a line, each with its average."""
    for row in table["rows"]:
        cells: dict[str, list[str]] = {}
        for column, value in zip(table["columns"], row["values"], strict=True):
            cells.setdefault(column.partition(".")[0], []).append(_percent(value))
        for first, second in zip(TASKS[::2], TASKS[1::2], strict=True):
            parts = [*cells[first], ANY, *(["-"] if len(cells[first]) == 2 else []), *cells[second], ANY]
            yield f"{table['table']}, {row['name']}, {first}", _line(row["name"], *parts)


def _by_task(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Tables 4, 5, 7 and 8."""
    for row in table["rows"]:
        if table["id"] == "lab-4":
            cells = [_percent(value) for value in row["values"]]
        else:
            starred = row.get("significant", ())
            pairs = zip(table["columns"], row["values"], strict=True)
            cells = [_decimals(value) + (r"\*" if column in starred else r"(?!\*)") for column, value in pairs]
        yield f"{table['table']}, {row['name']}", _line(row["name"].partition(", ")[2], *cells)


def _table_6(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, row in zip((*SHORT, "mean"), table["rows"], strict=True):
        r, p = row["values"]
        digits, _, power = f"{p:.1e}".partition("e")
        yield f"Table 6, {name}", rf"{name} {_decimals(r)} \({digits}× 10[−-]{abs(int(power))}\)"


def _table_1(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, row in zip(SHORT, table["rows"], strict=True):
        train, dev, test, words, statements, response, evidence = row["values"]
        marked = "N/A" if evidence is None else f"{evidence:g}"
        cells = [rf"\({name}\).*?{train}/{dev}/{test}", str(words), f"{statements}/{response}", re.escape(marked)]
        yield f"Table 1, {name}", r"\s+".join(cells)


def _models(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Tables 18 to 20."""
    for row in table["rows"]:
        name = re.escape(row["name"])
        if table["id"] == "lab-18":
            yield f"Table 18, {row['name']}", re.escape(row["name"].partition("-")[0])
            continue
        write = _decimals if table["id"] == "lab-19" else _percent
        yield f"{table['table']}, {row['name']}", rf"{name}[\w.-]*\s+" + _line(*map(write, row["values"]))


def _table_14(prompts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for number, (qasper, report) in enumerate(zip(prompts["qasper"], prompts["govreport"], strict=True), start=1):
        cells = [*map(_percent, qasper), ANY, *map(_percent, report), ANY]
        yield f"Table 14, row {number}", _line(*cells)


def rows() -> list[tuple[str, str]]:
    """Every row of the data: what it is, and the pattern by which the paper prints it."""
    lab = figures("lab")
    tables = {table["id"]: table for table in lab["tables"]}
    patterns = [
        *_table_1(lab["data"]),
        *_table_2(tables["lab-2"]),
        *_agreement(tables["lab-2"]),
        *_table_3(tables),
        *_table_14(lab["prompts"]),
    ]
    for table in lab["analyses"]:
        patterns += _table_6(table) if table["id"] == "lab-6" else _by_task(table)
    for table in lab["models"]:
        patterns += _models(table)
    for number in (21, 22, 23):
        patterns += _retrievers(tables[f"lab-{number}"])
    return patterns


def missing(text: str) -> list[str]:
    """The rows that do not stand in the text."""
    return [name for name, pattern in rows() if not re.search(pattern, text)]


def main(folder: str) -> int:
    """Print what is missing; 0 where nothing is."""
    path = Path(folder) / TEXT
    if not path.is_file():
        print(f"{path} is not there: nothing was checked")
        return 0
    absent = missing(path.read_text(encoding="utf-8"))
    print(f"{len(rows()) - len(absent)} of {len(rows())} rows stand in the paper's text")
    print("\n".join(absent))
    return 1 if absent else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
