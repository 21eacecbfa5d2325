"""The number of participants in a study: the first sentence that counts everyone enrolled, and its number.

"34 adult patients with RP were randomized to two groups" does; "One group of 16 participants received lutein" does not.
"""

from __future__ import annotations

from collections.abc import Sequence

from citewell.document import Document
from citewell.generators.extractive.prose.asking import PACKAGE, pattern
from citewell.generators.extractive.prose.headcount import Count
from citewell.text.data import words
from citewell.types import Span

_WORDINGS = ("were_enrolled", "enrolled_them")


def enrolled(noun: str, documents: Sequence[Document]) -> Count | None:
    """The first count of a study's people; those that the question calls by a word of their own bear it too."""
    anyone = words(PACKAGE, "words.json", "taking_part")
    for document in documents:
        for segment in document.segments("sentence"):
            matches = (match for name in _WORDINGS for match in pattern(name).finditer(segment.text))
            if match := next((each for each in matches if noun in anyone or each["who"].lower() == noun), None):
                place = Span(match.start("n"), match.end("n"))
                return Count(document, segment, place, float(match["n"].replace(",", "")), 1.0, 1.0)
    return None
