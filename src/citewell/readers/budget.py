"""The limits on reading one input: every limit of every reader, its reason, and the error that names it.

read("report.pdf", budget=Budget(pages=50_000))
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Literal

from citewell.errors import TooLargeDocumentError

Limit = Literal[
    "input_bytes",
    "expanded_bytes",
    "part_bytes",
    "expansion",
    "members",
    "elements",
    "pages",
    "scanned_pages",
    "pixels",
    "growth",
    "seconds",
    "memory_bytes",
]

HTML_DEPTH = 2048
"""Of libxml2, which drops what HTML nests deeper; no budget raises it."""
XML_DEPTH = 256
"""Of libxml2, which refuses XML that nests deeper; no budget raises it."""
EXPANSION_FLOOR = 16 << 20
"""A part of a ZIP may expand to so many bytes whatever its size: empty templates are nothing but repetition."""
GROWTH_FLOOR = 1 << 20
"""A document may have so many characters whatever its size."""
PAGES_FLOOR = 1000
"""A PDF may have so many pages whatever its size."""
PAGE_BYTES = 8
"""Beyond the floor a PDF needs so many bytes a page: its reference in the tree of pages alone takes five."""

_MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits for one input; each is well above any document that people write, and can be raised.

    Attributes:
        input_bytes: a report of thousands of pages has fewer; a larger file is probably a mistake.
        expanded_bytes: the total expanded size of all parts of a ZIP, including parts that are not read.
        part_bytes: the expanded size of one part of a ZIP; XML takes about ten times as much in memory.
        expansion: the ratio of expanded to packed size of a part; Word's parts stay under 50.
        members: files in a ZIP, the maximum of its oldest format.
        elements: tags in a file or part; a book of a thousand pages has about a million.
        pages: of a PDF, and slides of a presentation.
        scanned_pages: pages that OCR reads, each of which takes seconds.
        pixels: of one picture; a page of A3 in fine print has 35 million.
        growth: characters of text per byte of the input; notes and packed files have more than one.
        seconds: reading time; checked between blocks and pages, and an isolated process is ended then.
        memory_bytes: of an isolated process, including addresses that it never touches; it applies to nothing else.
    """

    input_bytes: int = 256 * _MEGABYTE
    expanded_bytes: int = 512 * _MEGABYTE
    part_bytes: int = 128 * _MEGABYTE
    expansion: int = 200
    members: int = 65_535
    elements: int = 3_000_000
    pages: int = 20_000
    scanned_pages: int = 1000
    pixels: int = 80_000_000
    growth: int = 64
    seconds: int = 600
    memory_bytes: int = 4096 * _MEGABYTE

    def hold(self, limit: Limit, amount: int, what: str) -> None:
        """Check an amount against a limit. Raises TooLargeDocumentError: the amount is greater."""
        allowed: int = getattr(self, limit)
        if amount > allowed:
            raise refusal(limit, amount, allowed, what)


DEFAULT = Budget()


@dataclass(frozen=True, slots=True)
class Allowance:
    """The budget of one input of `size` bytes, named `what`, and the time at which reading started."""

    budget: Budget = DEFAULT
    size: int = 0
    what: str = "the document"
    began: float = field(default_factory=time.monotonic)

    def tags(self, data: bytes, what: str) -> None:
        """Check the number of tags in markup against the limit before parsing.

        Raises TooLargeDocumentError: there are more.
        """
        self.budget.hold("elements", data.count(b"<") - data.count(b"</"), what)

    def written(self, characters: int) -> None:
        """Check the number of extracted characters against the size of the input, and the time taken.

        Raises TooLargeDocumentError: there are more than the allowed multiple, or it took too long.
        """
        self.budget.hold("seconds", int(time.monotonic() - self.began), self.what)
        if characters > GROWTH_FLOOR and characters > self.budget.growth * self.size:
            raise refusal("growth", -(-characters // max(1, self.size)), self.budget.growth, self.what)

    def pages(self, count: int) -> None:
        """Check the number of pages of a PDF against the limit, and against what a file of its size can have.

        Raises TooLargeDocumentError: there are more.
        """
        self.budget.hold("pages", count, self.what)
        if count > PAGES_FLOOR and count * PAGE_BYTES > self.size:
            raise TooLargeDocumentError(
                f"{self.what} claims {count:,} pages in {self.size:,} bytes: it is damaged, or meant to harm",
                "pages",
            )


_SAYS: dict[Limit, str] = {
    "input_bytes": "has {0}",
    "expanded_bytes": "would expand to {0}",
    "part_bytes": "would expand to {0}",
    "expansion": "would expand to {0} times its size",
    "members": "has {0} files in its ZIP",
    "elements": "has {0} tags",
    "pages": "has {0} pages",
    "scanned_pages": "has {0} pages that only OCR can read",
    "pixels": "has {0} pixels",
    "growth": "would become {0} characters for each of its bytes",
    "seconds": "takes more than {0} seconds to read",
    "memory_bytes": "takes more than {0} of memory to read",
}


_SPENT = frozenset({"seconds", "memory_bytes"})  # how much it would take in all is not known


def refusal(limit: Limit, amount: int, allowed: int, what: str) -> TooLargeDocumentError:
    """The error that names a limit, by how much it is exceeded and how to raise it."""

    def worded(number: int) -> str:
        return f"{number / _MEGABYTE:,.1f} MB" if limit.endswith("bytes") else f"{number:,}"

    raised = 2 * allowed if limit in _SPENT else amount
    return TooLargeDocumentError(
        f"{what} {_SAYS[limit].format(worded(amount))}, the limit is {worded(allowed)}: "
        f"split it, or raise the limit: read(..., budget=Budget({limit}={raised}))",
        limit,
    )
