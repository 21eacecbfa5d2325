"""Rows of text in aligned columns, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(cells: Sequence[Sequence[str]], words: Sequence[bool]) -> list[str]:
    """Rows of text in columns of one width, words to the left and figures to the right."""
    from wcwidth import width as columns

    sizes = [[columns(cell) for cell in row] for row in cells]
    widths = [max(column) for column in zip(*sizes, strict=True)]
    lines = []
    for row, members in zip(cells, sizes, strict=True):
        blanks = [" " * (width - size) for width, size in zip(widths, members, strict=True)]
        parts = (cell + b if word else b + cell for cell, b, word in zip(row, blanks, words, strict=True))
        lines.append("  ".join(parts).rstrip())
    return lines
