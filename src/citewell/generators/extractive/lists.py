"""Lists as answers: the items below a sentence that ends with a colon, or in the section that the question names."""

from __future__ import annotations

import numpy as np

from citewell.generators.extractive.candidates import Reading
from citewell.generators.extractive.settings import words
from citewell.text.index import UNKNOWN

_MOST = 12  # items that are told
_LEAST = 2  # items that make a list
_MORE = 1  # content words that its heading may have beside those of the question: "Principal risks"


def items(reading: Reading, first: int) -> list[int]:
    """The first sentence of each item of the list that begins with the segment at `first`; empty where none does."""
    match, paragraph = reading.sentences, reading.where.paragraph
    result: list[int] = []
    for number in range(first, len(match.segments)):
        same = match.documents[number] == match.documents[first]
        if not same or match.segments[number].kind != "list_item" or len(result) == _MOST:
            break
        if number == first or paragraph[number] != paragraph[number - 1]:
            result.append(number)
    return result if len(result) >= _LEAST else []


def named_list(reading: Reading) -> list[int]:
    """The items of the first list right below a heading that names what is asked for and hardly more.

    "What are the main risks?" is answered by the list in the section "Risks", after one paragraph at most. Empty where
    there is no such list.
    """
    index, where, slot = reading.sentences, reading.where, reading.slot
    pale = {term for word in words("pale") for term in index.query(word).terms}
    wanted = {
        int(number)
        for number, term, subject in zip(slot.ids.tolist(), slot.terms, slot.subject.tolist(), strict=True)
        if term not in pale and not subject
    }
    if not wanted or UNKNOWN in wanted:
        return []
    for heading in np.flatnonzero(where.titles).tolist():
        named = {number for number in index.word_terms[index.words_of(heading)].tolist() if not index.stop[number]}
        if not wanted <= named or len(named) > len(wanted) + _MORE:
            continue
        below = np.flatnonzero(where.headings[0] == heading)
        near = below[where.paragraph[below] <= where.paragraph[heading] + 2].tolist()
        first = next((number for number in near if index.segments[number].kind == "list_item"), None)
        if first is not None and (listed := items(reading, first)):
            return listed
    return []
