"""Expressions for the items of reports and the wording used in reports: "EPS", "net profit", "capex"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from citewell.facts import lists


class Expressions(NamedTuple):
    """Expressions in lower case, and what reports write for them."""

    pattern: re.Pattern[str]
    known: Mapping[str, str]

    @classmethod
    def of(cls, known: Mapping[str, str]) -> Expressions:
        """The longest expression goes first."""
        longest = sorted(known, key=len, reverse=True)
        return cls(re.compile(rf"(?<![\w&])(?:{'|'.join(map(re.escape, longest))})(?![\w&])", re.IGNORECASE), known)

    def in_full(self, text: str) -> str:
        """A question or claim with expressions as reports word them."""
        return self.pattern.sub(lambda match: self.known.get(match[0].lower(), match[0]), text)


@cache
def expressions() -> Expressions:
    """Those that come with the package."""
    return Expressions.of(lists.read("expressions")["expressions"])
