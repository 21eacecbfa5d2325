"""Table rows written as sentences, with true claims about their cells and claims that confuse cells."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from citewell.errors import InputError
from citewell.types import Span
from citewell_lab.bench.datasets import files
from citewell_lab.train.checker.sets import lines
from citewell_lab.train.judge.examples import CONTRADICTED, NEITHER, SUPPORTED, Family, Judged

_VALUE = re.compile(r"\(?[$€£]? ?\d[\d,]*(?:\.\d+)?\)? ?%?")
_ROWS = 8  # sentences of evidence at most


class Grid(NamedTuple):
    """A table: its name, column heads, row heads and cells as they are written."""

    set: str
    group: str
    columns: Sequence[str]
    rows: Sequence[str]
    cells: Sequence[Sequence[str]]


def grids(data: Path) -> list[Grid]:
    """The tables of annual reports that lie in the folder."""
    result: list[Grid] = []
    for read in (_tatqa, _aitqa):
        try:
            result += [grid for grid in read(data) if len(grid.rows) > 1 and len(grid.columns) > 1]
        except (FileNotFoundError, InputError):
            continue
    return result


def _tatqa(data: Path) -> Iterator[Grid]:
    for item in files.whole(data / "tatqa/dev.json"):
        table = item["table"]["table"]
        head = next((row for row in table if sum(bool(cell.strip()) for cell in row[1:]) == len(row) - 1), None)
        if head is None or any(_VALUE.fullmatch(cell) and "," in cell for cell in head[1:]):
            continue
        body = [row for row in table[table.index(head) + 1 :] if row[0].strip() and _filled(row[1:])]
        yield Grid("tatqa", f"tatqa:{item['table']['uid']}", *_parted(head[1:], body))


def _parted(head: Sequence[str], body: Sequence[Sequence[str]]) -> tuple[list[str], list[str], list[list[str]]]:
    return (
        [_bare(cell) for cell in head],
        [_bare(row[0]) for row in body],
        [[cell.strip().replace("$  ", "$") for cell in row[1:]] for row in body],
    )


def _aitqa(data: Path) -> Iterator[Grid]:
    for item in lines(data / "aitqa/tables.jsonl"):
        columns = [" ".join(dict.fromkeys(path)) for path in item["column_header"]]
        rows = [_bare(path[-1]) for path in item["row_header"] if path]
        cells = item["data"]
        if not rows and columns:
            rows, cells, columns = [row[0] for row in cells], [row[1:] for row in cells], columns[1:]
        kept = [number for number, row in enumerate(cells[: len(rows)]) if _filled(row) and len(row) == len(columns)]
        yield Grid(
            "aitqa",
            f"aitqa:{item['id']}",
            [_bare(column) for column in columns],
            [rows[number] for number in kept],
            [[cell.strip() for cell in cells[number]] for number in kept],
        )


def _bare(text: str) -> str:
    return re.sub(r"\s*\((?:\w|\d+)\)|:\Z", "", " ".join(text.split())).strip()


def _filled(cells: Sequence[str]) -> bool:
    return bool(cells) and all(_VALUE.fullmatch(cell.strip()) for cell in cells)


def families(listed: Sequence[Grid], count: int, seed: int) -> list[Family]:
    """So many families, each over some rows of one table."""
    chance = random.Random(f"{seed}:tables")  # noqa: S311  (a draw, no secret)
    result = []
    for _ in range(count * 2 if listed else 0):
        grid = chance.choice(listed)
        if len(set(grid.columns)) == len(grid.columns) and len(set(grid.rows)) == len(grid.rows):
            result.append(_family(grid, chance))
        if len(result) == count:
            break
    return result


def _family(grid: Grid, chance: random.Random) -> Family:
    numbers = sorted(chance.sample(range(len(grid.rows)), min(len(grid.rows), chance.randrange(2, _ROWS + 1))))
    style = chance.randrange(4)
    unit = chance.choice(("", "", "million", "thousand"))
    evidence = _written(grid, numbers, style, unit)
    row = chance.choice(numbers)
    column = chance.randrange(len(grid.columns))
    cells = grid.cells
    label, head, value = grid.rows[row], grid.columns[column], cells[row][column]
    say = chance.randrange(5)
    members = [Judged(evidence, _claim(label, head, value, unit, say)[0], SUPPORTED, ())]
    members.append(
        Judged(evidence, _claim(label, head, value, unit, (say + 1 + chance.randrange(4)) % 5)[0], SUPPORTED, ())
    )

    def wrong(text_value: str, unit_wrong: str = unit, kind: int = CONTRADICTED) -> None:
        if _digits(text_value) != _digits(value) or unit_wrong != unit:
            text, span = _claim(label, head, text_value, unit_wrong, chance.randrange(5))
            members.append(Judged(evidence, text, kind, (span,)))

    others = [place for place in range(len(grid.columns)) if place != column]
    wrong(cells[row][chance.choice(others)])
    wrong(cells[chance.choice([n for n in numbers if n != row])][column])
    wrong(_moved(value, chance))
    if unit:
        wrong(value, {"million": "billion", "thousand": "million"}[unit])
    first, second = sorted(chance.sample(range(len(grid.columns)), 2))
    earlier, later = _number(cells[row][first]), _number(cells[row][second])
    if earlier != later:
        rose, fell = ("was higher", "was lower") if chance.random() < 0.5 else ("exceeded that", "fell short of that")
        joint = " than in" if rose == "was higher" else " of"
        more, less = (rose, fell) if earlier > later else (fell, rose)
        start = f"{label} for {grid.columns[first]} "
        members.append(Judged(evidence, f"{start}{more}{joint} {grid.columns[second]}.", SUPPORTED, ()))
        place = Span(len(start), len(start) + len(less))
        members.append(Judged(evidence, f"{start}{less}{joint} {grid.columns[second]}.", CONTRADICTED, (place,)))
    if len(numbers) > 2:
        silent = _written(grid, [n for n in numbers if n != row], style, unit)
        members.append(Judged(silent, members[0].claim, NEITHER))
    return Family(grid.set, grid.group, tuple(members[:9]))


def _written(grid: Grid, numbers: Sequence[int], style: int, unit: str) -> str:
    texts = []
    if unit:
        texts.append(f"All amounts are in {unit}s.")
    for number in numbers:
        pairs = list(zip(grid.columns, grid.cells[number], strict=True))
        name = grid.rows[number]
        if style == 0:
            texts.append(f"{name}: {'; '.join(f'{head} {cell}' for head, cell in pairs)}.")
        elif style == 1:
            texts.append(f"{name} | " + " | ".join(f"{head} = {cell}" for head, cell in pairs) + ".")
        elif style == 2:
            texts.append(f"{name} was " + ", ".join(f"{cell} in {head}" for head, cell in pairs) + ".")
        else:
            texts += [f"{name}, {head}: {cell}." for head, cell in pairs[:4]]
    return " ".join(texts)


def _claim(label: str, head: str, value: str, unit: str, say: int) -> tuple[str, Span]:
    amount = f"{value} {unit}" if unit and not value.endswith("%") else value
    before, after = (
        (f"{label} was ", f" in {head}."),
        (f"For {head}, {label} came to ", "."),
        (f"In {head}, {label} amounted to ", "."),
        (f"The {label} for {head} is ", "."),
        (f"{label} ({head}) stood at ", "."),
    )[say]
    return f"{before}{amount}{after}", Span(len(before), len(before) + len(amount))


def _number(value: str) -> float:
    figure = float(_digits(value) or 0)
    return -figure if value.startswith("(") else figure


def _digits(value: str) -> str:
    return re.sub(r"[^\d.]", "", value).strip(".")


def _moved(value: str, chance: random.Random) -> str:
    """One digit changed, or the point moved."""
    places = [place for place, letter in enumerate(value) if letter.isdigit()]
    place = chance.choice(places)
    digit = chance.choice([d for d in "123456789" if d != value[place]])
    return value[:place] + digit + value[place + 1 :]
