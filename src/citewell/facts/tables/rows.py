"""Table rows as the search for a claim's facts sees them: their names and the headers above their cells."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from citewell.facts import lists
from citewell.facts.dates import periods
from citewell.facts.tokens import Tokens, rarity, tokens
from citewell.types import Cell, Table

ASIDE = re.compile(r"\([^()]*\)|\[[^\]]*\]")
_REST = re.compile(r"(?:all )?others?\s?(?:\(\w\))?", re.IGNORECASE)
_LEAST = 0.15  # the weight of the most common word of a label
_TELLS = 0.5  # that of "before", which tells income before taxes from income taxes
_RESULT = "gain or loss"  # what income, profit and loss are alike: their sign tells them apart

Keys = frozenset[str]


class Row(NamedTuple):
    """A row with figures: the words of its label, those of its sections and title, and those over each cell."""

    table: Table
    cells: tuple[Cell, ...]
    label: Keys
    around: Keys
    heads: tuple[Keys, ...]


class Rows(NamedTuple):
    """Rows of tables, and which of them have a word in their label."""

    rows: tuple[Row, ...]
    by_key: Mapping[str, tuple[int, ...]]

    def named(self, keys: Keys) -> list[Row]:
        """The rows whose label has any of these words."""
        numbers = {number for key in keys for number in self.by_key.get(key, ())}
        return [self.rows[number] for number in sorted(numbers)]


def rows(tables: Iterable[Table]) -> Rows:
    """The rows of tables that hold a number and have a label."""
    result: list[Row] = []
    by_key: dict[str, list[int]] = defaultdict(list)
    for table in tables:
        by_row: dict[int, list[Cell]] = defaultdict(list)
        for cell in table.values():
            if cell.value is not None and cell.row_path:
                by_row[cell.row].append(cell)
        for cells in by_row.values():
            row = _row(table, cells)
            if row.label:
                for key in row.label:
                    by_key[key].append(len(result))
                result.append(row)
    return Rows(tuple(result), {key: tuple(numbers) for key, numbers in by_key.items()})


def _row(table: Table, cells: Sequence[Cell]) -> Row:
    path = cells[0].row_path
    label = next(filter(None, (words(ASIDE.sub(" ", part)) - plain() for part in reversed(path))), frozenset())
    if _REST.fullmatch(path[-1].strip()):
        label |= {"other"}  # what is left over is not all that its section is called
    around = frozenset().union(words(table.title), *map(words, path))
    return Row(table, tuple(cells), label, around, tuple(heads(cell.column_path) for cell in cells))


@lru_cache(maxsize=16384)
def words(text: str) -> Keys:
    """What a text is about, as stems: its content words without numbers."""
    sentence = tokens(text)
    return frozenset(stem(sentence, n) for n in range(len(sentence)) if names(sentence, n))


def names(tokens: Tokens, place: int) -> bool:
    """Whether a word may tell one item of a table from another."""
    return (tokens.content[place] and not tokens.numbers[place]) or tokens.lower[place] in lists.words(
        "reporting", "telling"
    )


def stem(tokens: Tokens, place: int) -> str:
    """The stem of a word; one for all words of gain and loss."""
    return _RESULT if tokens.lower[place] in lists.words("reporting", "results") else tokens.keys[place]


@lru_cache(maxsize=4096)
def heads(path: tuple[str, ...]) -> Keys:
    """What stands over a column beside its time."""
    text = " ".join(path)
    for time in reversed(periods(text)):
        text = text[: time.start] + " " + text[time.end :]
    return words(ASIDE.sub(" ", text)) - plain()


@cache
def plain() -> Keys:
    """The words of a sentence that say nothing beside a figure's name, value and time."""
    return frozenset(key for word in lists.words("reporting", "plain") for key in tokens(word).keys)


def weight(keys: Iterable[str]) -> float:
    """How much words say together."""
    return sum(max(_TELLS if key in lists.words("reporting", "telling") else _LEAST, rarity(key)) for key in keys)
