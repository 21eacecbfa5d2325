"""Assigns captions to tables: the one directly above, or directly below if the document places them there."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from citewell.types import Block, Grid, Span

_TABLE = re.compile(r"(?:supplementary\s+)?(?:tab(?:le|elle|leau)?\b|tab\.)", re.IGNORECASE)


def captions(text: str, blocks: Sequence[Block], grids: Sequence[Grid]) -> dict[int, Span]:
    """The captions of tables, by where each table starts; a caption names one table."""
    starts = [block.start for block in blocks]
    above: dict[int, int] = {}
    below: dict[int, int] = {}
    for grid in grids:
        first, after = bisect_left(starts, grid.start), bisect_left(starts, grid.end)
        # Headers that look like a text stand between a caption and the rows: they belong to the grid.
        if first and _names(text, blocks[first - 1]):
            above[grid.start] = first - 1
        if after < len(blocks) and _names(text, blocks[after]):
            below[grid.start] = after
    contested = set(above.values()) & set(below.values())
    # A caption between two tables belongs to the side on which the document's others stand.
    sure_above = sum(place not in contested for place in above.values())
    sure_below = sum(place not in contested for place in below.values())
    chosen, other = (below, above) if sure_below > sure_above else (above, below)
    result = dict(chosen)
    taken = set(chosen.values())
    result.update({start: place for start, place in other.items() if start not in chosen and place not in taken})
    return {start: Span(blocks[place].start, blocks[place].end) for start, place in result.items()}


def _names(text: str, block: Block) -> bool:
    """Whether a block is the caption of a table."""
    return block.kind == "caption" and _TABLE.match(text, block.start) is not None
