"""Bounded caches: of values derived from a text, and of so many values; the least recently used are dropped first."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from threading import RLock
from typing import Any, Generic, TypeVar, cast

import numpy as np

K = TypeVar("K")
T = TypeVar("T")
LEAST = 64 * 2**20  # bytes that a memo may hold, however short its text
EACH = 64  # bytes a character: the segments, words and index of one granularity of a long report take about 20
_PLAIN = frozenset((str, int, float, bool, bytes, type(None)))  # what holds nothing else
_SAMPLE = 32  # members of a collection that are measured; the others are taken to be like them


class Memo:
    """A cache by key that belongs to one immutable text; a copy of it begins empty.

    It holds at most 64 MiB, or 64 bytes a character of the text where that is more, as far as sizes can be told, and
    always what was asked for last.
    """

    def __init__(self, characters: int) -> None:
        self.bound = max(LEAST, EACH * characters)
        self._entries: dict[Any, tuple[Any, int]] = {}
        self._lock = RLock()

    def get(self, key: Any, build: Callable[[], T]) -> T:
        """What stands under a key, built where it does not."""
        with self._lock:
            if key in self._entries:
                self._entries[key] = self._entries.pop(key)  # the end of the dictionary is what was used last
                return cast("T", self._entries[key][0])
        value = build()  # without the lock: others may read, and at worst the same is built twice
        with self._lock:
            self._entries.pop(key, None)
            self._entries[key] = value, size(value)
            while len(self._entries) > 1 and self.held_bytes > self.bound:
                del self._entries[next(iter(self._entries))]
        return value

    @property
    def held_bytes(self) -> int:
        """Bytes, as estimated when each value was built."""
        return sum(size for _, size in self._entries.values())

    def __reduce__(self) -> tuple[type[Memo], tuple[int]]:
        return Memo, (self.bound // EACH,)


class Recent(Generic[K, T]):
    """The values that were used last, so many at most; `drop` is called with each that goes."""

    def __init__(self, most: int, drop: Callable[[T], None] | None = None) -> None:
        self._most, self._drop = most, drop
        self._values: dict[K, T] = {}

    def get(self, key: K, build: Callable[[], T]) -> T:
        """What stands under a key, built where it does not."""
        value = self._values.pop(key) if key in self._values else build()
        self._values[key] = value
        if len(self._values) > self._most:
            oldest = self._values.pop(next(iter(self._values)))
            if self._drop is not None:
                self._drop(oldest)
        return value


def size(value: Any) -> int:
    """About how many bytes a value takes; of large collections a sample is measured."""
    shallow = sys.getsizeof(value, 64)
    if type(value) in _PLAIN:
        return shallow
    if isinstance(value, np.ndarray):
        return max(shallow, value.nbytes)
    if isinstance(value, Mapping):
        return shallow + _members(list(value)) + _members(list(value.values()))
    if isinstance(value, list | tuple | AbstractSet):
        return shallow + _members(list(value))
    attributes = getattr(value, "__dict__", None)
    return shallow + (_members(list(attributes.values())) if isinstance(attributes, dict) else 0)


def _members(values: list[Any]) -> int:
    step = max(1, len(values) // _SAMPLE)
    sample = values[::step]
    measured = sum(sys.getsizeof(value) if type(value) in _PLAIN else size(value) for value in sample)
    return measured * len(values) // max(1, len(sample))
