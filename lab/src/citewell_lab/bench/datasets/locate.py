"""Locates a text in another, ignoring white space, case and punctuation."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from citewell.types import Span
from citewell_lab.bench.datasets import files

_WORD = re.compile(r"\w+")
_ENOUGH = 0.6  # F1 of shared words from which a sentence is taken for a line that was copied with changes


class Words:
    """The words of a text, made once, to look others up in."""

    def __init__(self, text: str) -> None:
        matches = list(_WORD.finditer(text))
        words = [match[0].casefold() for match in matches]
        self._text = text
        self._ends = [(match.start(), match.end()) for match in matches]
        self._joined = " " + " ".join(words) + " "
        self._at: list[int] = []
        position = 0
        for word in words:
            self._at.append(position)
            position += len(word) + 1

    def find(self, text: str) -> Span | None:
        """The first place that has all words of `text` in a row, None without one."""
        words = [match[0].casefold() for match in _WORD.finditer(text)]
        at = self._joined.find(" " + " ".join(words) + " ") if words else -1
        if at < 0:
            return None
        first = bisect_left(self._at, at)
        return Span(self._ends[first][0], self._ends[first + len(words) - 1][1])

    def segments(self, line: str, spans: Sequence[Span]) -> frozenset[int]:
        """The segments that hold a line, or the one most like it when it was changed; empty when none is near."""
        line_start = self.find(line)
        if line_start:
            return files.covering(spans, *line_start)
        wanted = Counter(match[0].casefold() for match in _WORD.finditer(line))
        best, position = 0.0, -1
        for i, (start, end) in enumerate(spans):
            have = Counter(match[0].casefold() for match in _WORD.finditer(self._text, start, end))
            total = wanted.total() + have.total()
            score = 2 * (wanted & have).total() / total if total else 0.0
            if score > best:
                best, position = score, i
        return frozenset((position,)) if best >= _ENOUGH else frozenset()
