"""A system's prediction for an item as recorded; read strictly, because others may have written it."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from citewell.errors import InputError


@dataclass(frozen=True, slots=True)
class Predicted:
    """The predicted fields of one item.

    Every reader raises `InputError` where a field is missing or is none of what it may be.

    Attributes:
        id: the item's.
        values: the fields by their names.
    """

    id: str
    values: Mapping[str, Any]

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def fault(self, name: str, why: str) -> InputError:
        """The error that names the item and the field."""
        return InputError(f"{self.id}: {name} {why}")

    def choice(self, name: str, allowed: Collection[str | None]) -> str | None:
        """One of some values."""
        value = self.values.get(name)
        if not (value is None or isinstance(value, str)) or value not in allowed:
            raise self.fault(name, f"is {value!r}, which is no label of the task")
        return value

    def text(self, name: str) -> str:
        """A text."""
        value = self.values.get(name)
        if not isinstance(value, str):
            raise self.fault(name, "is no text")
        return value

    def reply(self, name: str) -> str:
        """A text that says something."""
        value = self.text(name)
        if not value.strip():
            raise self.fault(name, "is empty")
        return value

    def flag(self, name: str) -> bool:
        """True or false."""
        value = self.values.get(name)
        if not isinstance(value, bool):
            raise self.fault(name, "is neither true nor false")
        return value

    def number(self, name: str) -> float:
        """A score from 0 to 1."""
        return self._number(name, self.values.get(name))

    def numbers(self, name: str, count: int) -> list[float]:
        """So many scores from 0 to 1."""
        return [self._number(name, value) for value in self._list(name, count)]

    def flags(self, name: str, count: int) -> str:
        """So many characters 0 or 1."""
        value = self.text(name)
        if len(value) != count or set(value) - {"0", "1"}:
            raise self.fault(name, f"is not {count} characters 0 or 1")
        return value

    def choices(self, name: str, count: int, allowed: Collection[int]) -> list[int | None]:
        """So many numbers, each one of some, or None."""
        values = self._list(name, count)
        if any(value is not None and (type(value) is not int or value not in allowed) for value in values):
            raise self.fault(name, "names what the item does not have")
        return values

    def places(self, name: str, size: int) -> list[int]:
        """Positions below `size`, each once."""
        return self._places(name, self._list(name), size)

    def rankings(self, name: str, count: int, size: int) -> list[list[int]]:
        """So many lists of positions below `size`."""
        return [self._places(name, value, size) for value in self._list(name, count)]

    def spans(self, name: str, size: int) -> list[tuple[int, int]]:
        """Ranges of characters inside a text of that size."""
        spans = [tuple(value) if isinstance(value, list) else () for value in self._list(name)]
        if any(len(s) != 2 or any(type(n) is not int for n in s) or not 0 <= s[0] <= s[1] <= size for s in spans):
            raise self.fault(name, f"holds what is no range of the document's {size} characters")
        return [(span[0], span[1]) for span in spans]

    def claims(self, name: str, size: int) -> list[tuple[str, list[int]]]:
        """Statements, each with the positions of what was cited for it."""
        claims = []
        for value in self._list(name):
            if not isinstance(value, list) or len(value) != 2 or not isinstance(value[0], str):
                raise self.fault(name, "is no list of statements with the positions of their evidence")
            claims.append((value[0], self._places(name, value[1], size)))
        return claims

    def _list(self, name: str, count: int | None = None) -> list[Any]:
        value = self.values.get(name)
        if not isinstance(value, list) or (count is not None and len(value) != count):
            raise self.fault(name, "is no list" if count is None else f"is not {count} values")
        return value

    def _number(self, name: str, value: object) -> float:
        if type(value) not in (int, float) or not math.isfinite(float(str(value))) or not 0 <= float(str(value)) <= 1:
            raise self.fault(name, f"is {str(value)[:20]}, which is no score from 0 to 1")
        return float(str(value))

    def _places(self, name: str, value: object, size: int) -> list[int]:
        if not isinstance(value, list) or any(type(n) is not int or not 0 <= n < size for n in value):
            raise self.fault(name, f"names what is none of the item's {size} segments")
        if len(set(value)) != len(value):
            raise self.fault(name, "names a segment twice")
        return value
