"""JSON input and output: the plain form of a frozen value, and checked fields whose errors name their path."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from citewell.errors import AnswerFormatError

T = TypeVar("T")
C = TypeVar("C", bound=str)

_NAMES = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
_NUMBERS = (int, float)


def plain(value: Any) -> dict[str, Any]:
    """The fields of a frozen value by name, in order; values inside it in their own JSON form, tuples as lists."""
    return {name: _plain(getattr(value, name)) for name in value.__slots__}


def _plain(value: Any) -> Any:
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return dict(value) if isinstance(value, Mapping) else value


@dataclass(frozen=True, slots=True)
class Field:
    """A value read from JSON, and its path from the top of what is read, as in `citations[1].start`."""

    value: Any
    path: str = ""

    def __getitem__(self, name: str) -> Field:
        """A required field of an object."""
        fields = self.fields()
        if name not in fields:
            raise AnswerFormatError(f"{self._at(name)} is missing")
        return Field(fields[name], self._at(name))

    def get(self, name: str, default: Any) -> Field:
        """A field of an object, or a default if it is missing."""
        return Field(self.fields().get(name, default), self._at(name))

    def fields(self) -> Mapping[str, Any]:
        """The fields of an object."""
        if not isinstance(self.value, Mapping):
            raise self.wrong("a JSON object")
        return self.value

    def each(self, read: Callable[[Field], T], length: int | None = None) -> tuple[T, ...]:
        """Every value of a list, optionally of a required length."""
        if isinstance(self.value, str | bytes) or not isinstance(self.value, Sequence):
            raise self.wrong("a list")
        if length is not None and len(self.value) != length:
            raise AnswerFormatError(f"{self.path} has {len(self.value)} values, not {length}")
        return tuple(read(Field(item, f"{self.path}[{number}]")) for number, item in enumerate(self.value))

    def optional(self, read: Callable[[Field], T]) -> T | None:
        """The value, None for null."""
        return None if self.value is None else read(self)

    def text(self) -> str:
        """A text that can be written as UTF-8."""
        if not isinstance(self.value, str):
            raise self.wrong("a text")
        try:
            self.value.encode("utf-8")
        except UnicodeEncodeError as error:
            raise AnswerFormatError(f"{self.path} has half of a surrogate pair at {error.start}") from error
        return self.value

    def choice(self, choices: Sequence[C]) -> C:
        """One of some words."""
        for word in choices:
            if self.value == word:
                return word
        raise AnswerFormatError(f"{self.path} is {str(self.value)[:40]!r}, which is none of {', '.join(choices)}")

    def whole(self, least: int = 0) -> int:
        """A whole number that is not too small."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.wrong("a whole number")
        if self.value < least:
            raise AnswerFormatError(f"{self.path} is {self.value}, which is less than {least}")
        return self.value

    def number(self) -> float:
        """A number that is neither infinite nor undefined."""
        if not isinstance(self.value, _NUMBERS) or isinstance(self.value, bool):
            raise self.wrong("a number")
        try:
            value = float(self.value)
        except OverflowError:
            value = math.inf
        if not math.isfinite(value):
            raise AnswerFormatError(f"{self.path} is not a finite number")
        return value

    def finite(self) -> Field:
        """The value, whatever it is, with no infinite or undefined number anywhere in it."""
        if isinstance(self.value, float):
            self.number()
        elif isinstance(self.value, Mapping):
            for name, value in self.value.items():
                Field(value, self._at(str(name))).finite()
        elif isinstance(self.value, list | tuple):
            self.each(Field.finite)
        return self

    def span(self, start: str = "start", end: str = "end") -> tuple[int, int]:
        """Two offsets in order."""
        first, last = self[start].whole(), self[end].whole()
        if first > last:
            raise AnswerFormatError(f"{self._at(end)} is {last}, which is before {start} {first}")
        return first, last

    def wrong(self, wanted: str) -> AnswerFormatError:
        """The error for a value of the wrong type."""
        kind = "a number" if isinstance(self.value, int | float) and not isinstance(self.value, bool) else None
        type_name = kind or _NAMES.get(type(self.value), type(self.value).__name__)
        return AnswerFormatError(f"{self.path or 'this'} is {type_name}, not {wanted}")

    def _at(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name
