"""Conditions on documents: `title ~ "annual report" and year >= 2022 and not format = docx`.

A condition is `field op value`; conditions are joined by `and`, `or`, `not` and round brackets. Fields are those of a
document (title, source, id, pages, year, language, characters, added), what its first pages tell (company or author,
period, date, kind), or the user's own, which go before these. `=`, `!=`, `<`, `<=`, `>` and
`>=` compare; `~` and `!~` ask whether the text stands in it, whatever its case. A value with spaces stands in quotes. A
document without the field meets no condition on it but `!=` and `!~`.
"""

from __future__ import annotations

import datetime as dt
import difflib
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from citewell.errors import UsageError
from citewell.library.store.records import Entry

Holds = Callable[[Entry], bool]


@dataclass(frozen=True)
class Condition:
    """What documents have to meet."""

    holds: Holds  # whether a document meets it
    fields: frozenset[str]  # the fields that it names

    def __call__(self, entry: Entry) -> bool:
        """Whether a document meets it."""
        return self.holds(entry)

    def known(self, entries: Iterable[Entry]) -> Condition:
        """The condition again. Raises UsageError: it names a field that no document has."""
        fields = {*_FIELDS, *_DETAILS, *(name for entry in entries for name in entry.data)}
        for name in sorted(self.fields - fields):
            near = difflib.get_close_matches(name, sorted(fields), 1)
            hint = f": do you mean {near[0]}?" if near else f"; there are {', '.join(sorted(fields))}"
            raise UsageError(f"--where: no document has a field {name!r}{hint}")
        return self


_TOKEN = re.compile(
    r"""\s*(?:(?P<quoted>"[^"]*"|'[^']*')|(?P<op><=|>=|!=|!~|=|<|>|~)|(?P<bracket>[()])|(?P<word>[^\s()<>=!~"']+))"""
)
_FIELDS = ("title", "source", "id", "pages", "year", "language", "characters", "added")
_DETAILS = {"author": "author", "company": "author", "period": "period", "date": "date", "kind": "kind"}
_ORDER = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq, "!=": operator.ne}
_DEEPEST = 50


def parse(text: str) -> Condition:
    """The condition that a text states. Raises UsageError: it states none; the text says where it goes wrong."""
    reader = _Reader(text, list(_tokens(text)))
    holds = reader.either(0)
    if reader.rest:
        raise reader.wrong("and, or, or the end")
    return Condition(holds, frozenset(reader.fields))


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    at = 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None:
            raise UsageError(f"--where: {text[at:].strip()[:20]!r} at character {at + 1} cannot be read")
        kind = match.lastgroup or ""
        yield kind, match[kind], match.start(kind)
        at = match.end()


class _Reader:
    """Reads conditions from tokens, `or` under `and` under `not`."""

    def __init__(self, text: str, tokens: Sequence[tuple[str, str, int]]) -> None:
        self._text, self._tokens, self._at = text, tokens, 0
        self.fields: set[str] = set()

    @property
    def rest(self) -> bool:
        return self._at < len(self._tokens)

    def wrong(self, wanted: str) -> UsageError:
        if not self.rest:
            return UsageError(f"--where {self._text!r} ends where {wanted} is expected")
        _, token, place = self._tokens[self._at]
        return UsageError(f"--where: {token!r} at character {place + 1} is in place of {wanted}")

    def either(self, depth: int) -> Holds:
        parts = [self._both(depth)]
        while self._took("or"):
            parts.append(self._both(depth))
        return parts[0] if len(parts) == 1 else lambda entry: any(part(entry) for part in parts)

    def _both(self, depth: int) -> Holds:
        parts = [self._single(depth)]
        while self._took("and"):
            parts.append(self._single(depth))
        return parts[0] if len(parts) == 1 else lambda entry: all(part(entry) for part in parts)

    def _single(self, depth: int) -> Holds:
        if depth > _DEEPEST:
            raise UsageError(f"--where nests more than {_DEEPEST} conditions")
        if self._took("not"):
            denied = self._single(depth + 1)
            return lambda entry: not denied(entry)
        if self._took("("):
            inner = self.either(depth + 1)
            if not self._took(")"):
                raise self.wrong("a closing bracket")
            return inner
        name, op = self._next("word", "a field"), self._next("op", "=, !=, <, <=, >, >=, ~ or !~")
        if not self.rest or self._tokens[self._at][0] not in ("word", "quoted"):
            raise self.wrong("a value")
        kind, value, _ = self._tokens[self._at]
        self._at += 1
        self.fields.add(name)
        return _condition(name, op, value[1:-1] if kind == "quoted" else value)

    def _took(self, word: str) -> bool:
        kind, value, _ = self._tokens[self._at] if self.rest else ("", "", 0)
        taken = kind in ("word", "bracket") and value.lower() == word
        self._at += taken
        return taken

    def _next(self, wanted: str, called: str) -> str:
        if not self.rest or self._tokens[self._at][0] != wanted:
            raise self.wrong(called)
        self._at += 1
        return self._tokens[self._at - 1][1]


def _condition(name: str, op: str, value: str) -> Holds:
    if op in ("~", "!~"):
        inside = value.casefold()
        return lambda entry: (inside in str(_field(entry, name) or "").casefold()) == (op == "~")
    compare = _ORDER[op]

    def holds(entry: Entry) -> bool:
        members = _field(entry, name)
        if members is None:
            return op == "!="
        left, right = _alike(members, value)
        return bool(compare(left, right))

    return holds


def _field(entry: Entry, name: str) -> Any:
    if name in _FIELDS:
        return getattr(entry, name)
    return entry.data[name] if name in entry.data else entry.details.get(_DETAILS.get(name, ""))


def _alike(members: Any, value: str) -> tuple[Any, Any]:
    """The two sides as numbers where both are, as days where the field is a time, else as texts without case."""
    if isinstance(members, dt.datetime):
        return members.date().isoformat()[: len(value)], value
    try:
        return float(members), float(value)
    except (TypeError, ValueError):
        return str(members).casefold(), value.casefold()


def ordered(entries: Iterable[Entry], name: str, *, reverse: bool = False) -> list[Entry]:
    """Entries by a field, those without it last; equal ones as they came."""
    has: list[tuple[Any, Entry]] = []
    without = []
    for entry in entries:
        value = _field(entry, name)
        if value is None:
            without.append(entry)
        else:
            has.append((value.casefold() if isinstance(value, str) else value, entry))
    return [entry for _, entry in sorted(has, key=lambda pair: pair[0], reverse=reverse)] + without
