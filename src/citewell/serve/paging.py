"""Parts of a list: a limited number of rows, with a cursor to the next part."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeVar

from fastapi import Query

_LONGEST = 200
Limit = Annotated[int | None, Query(ge=1, le=1000, description="The most rows of the reply; all where none is named.")]
After = Annotated[
    str | None, Query(max_length=_LONGEST, description="`next` of the reply before: go on behind its last row.")
]
Part = dict[str, Any]
_Row = TypeVar("_Row")


def part(
    rows: Sequence[_Row], key: Callable[[_Row], str], limit: int | None, after: str | None
) -> tuple[list[_Row], str | None]:
    """The rows after a cursor, and the cursor for the next part, or None.

    Args:
        rows: all of them, in the order of their keys.
        key: by which they are sorted; no two rows have the same. A cursor is a key, so that a list goes on from there
            though the row itself was removed.
        limit: the most rows, None for all.
        after: the cursor, None for the first part.
    """
    begin = 0 if after is None else bisect.bisect_right(rows, after, key=key)
    chosen = list(rows[begin : None if limit is None else begin + limit])
    return chosen, key(chosen[-1]) if begin + len(chosen) < len(rows) and chosen else None
