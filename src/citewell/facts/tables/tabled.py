"""The interface of a value with tables, as needed to read cells: a document."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Protocol, TypeVar

from citewell.types import Grid, Segment, Table

T = TypeVar("T")


class Tabled(Protocol):
    """What has tables: a document."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def text(self) -> str:
        """Its text."""

    @property
    def title(self) -> str | None:
        """Its title."""

    @property
    def grids(self) -> tuple[Grid, ...]:
        """Where its tables are."""

    def tables(self) -> tuple[Table, ...]:
        """Its tables."""

    def memo(self, key: Hashable, build: Callable[[], T]) -> T:
        """What is made of it once."""

    def segment_at(self, offset: int) -> Segment:
        """Its sentence at an offset."""
