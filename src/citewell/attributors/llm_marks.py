"""Maps the marks that a language model put into an answer back to the original answer.

Models change what they are told to copy: they drop words, correct spelling, add a preamble. So nothing of a reply is
trusted but its marks, and these are carried over by aligning the words of both texts. (Phukan et al., Peering into
the Mind of Language Models, 2024, section 5, report the same trouble and superimpose the marks on the original.)
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import NamedTuple

from citewell.types import Span

_NUMBERS = r"\d{1,5}(?:\s*(?:[,;&]|and)\s*\d{1,5})*"
_SIGN = re.compile(
    rf"(?P<open>\[{{1,2}})\s*(?P<numbers>{_NUMBERS})\s*:\s*"  # [[3: text]], [3, 5: text]
    r"|(?P<plain>\[{1,2})(?P<number>\d{1,5})[ \t]+(?=[^\s\]])"  # [3 text]
    r"|(?P<empty>\[\[)"  # [[text]], left without a number
    r"|(?P<close>\]{1,2})"
)
# A run of letters or digits, one character of a script without spaces, or one other mark.
_TOKEN = re.compile(r"[^\W_⺀-鿿豈-﫿]+|[⺀-鿿豈-﫿]|[^\w\s]|_")
SURE = 0.5  # the share of a mark's words that must be found again


class Mark(NamedTuple):
    """Offsets of a marked part, and the numbers of the passages that it names."""

    start: int
    end: int
    numbers: tuple[int, ...]


def put(text: str, spans: Sequence[Span]) -> str:
    """The text with double brackets around the spans, which are in order and do not overlap."""
    parts: list[str] = []
    position = 0
    for start, end in spans:
        parts += [text[position:start], "[[", text[start:end], "]]"]
        position = end
    return "".join([*parts, text[position:]])


def read(reply: str, answer: str = "") -> tuple[str, tuple[Mark, ...]]:
    """A reply without its marks, and the marks with their offsets in that text. Marks that never close are none.

    `answer` is the text that was to be marked: `[[41 million]]` names the passage 41 only if the answer does not say
    "41 million".
    """
    parts: list[str] = []
    length = position = 0
    opened: list[tuple[int, int, tuple[int, ...]]] = []
    marks: list[Mark] = []
    for match in _SIGN.finditer(reply):
        if match.start() < position:
            continue
        kept = reply[position : match.start()]
        brackets = match["open"] or match["plain"] or match["empty"]
        position, number = match.end(), match["number"]
        if number and _is_counted(number, reply[position : position + 40], answer):
            position, number = match.start("number"), None
            if len(brackets) == 1:  # brackets of the answer's own
                parts.append(kept + brackets)
                length += len(kept) + 1
                continue
        if brackets is None:  # a closing bracket: of the innermost mark, if it has as many; otherwise text
            width = opened[-1][1] if opened else 0
            if not width or len(match["close"]) < width:
                kept, width = kept + match["close"], 0
            position = match.start() + (width or len(match["close"]))
        parts.append(kept)
        length += len(kept)
        if brackets is not None:
            named = match["numbers"] or number or ""
            opened.append((length, len(brackets), tuple(int(number) for number in re.findall(r"\d+", named))))
        elif width:
            start, _, numbers = opened.pop()
            marks.append(Mark(start, length, numbers))
    parts.append(reply[position:])
    return "".join(parts), tuple(sorted(mark for mark in marks if mark.end > mark.start))


def realign(plain: str, marks: Sequence[Mark], original: str) -> tuple[list[Mark], list[Mark]]:
    """The marks at their places in the original, and those for which there is none.

    A mark is found again if at least half of its words are, in order, close together.
    """
    tokens, meant = list(_TOKEN.finditer(plain)), list(_TOKEN.finditer(original))
    at = _alignment([token.group().casefold() for token in tokens], [token.group().casefold() for token in meant])
    placed: list[Mark] = []
    lost: list[Mark] = []
    for mark in marks:
        inside = [n for n, token in enumerate(tokens) if token.start() < mark.end and token.end() > mark.start]
        places = _together([at[n] for n in inside if n in at])
        if not inside or len(places) < SURE * len(inside) or not places:
            lost.append(mark)
        else:
            placed.append(Mark(meant[places[0]].start(), meant[places[-1]].end(), mark.numbers))
    return placed, lost


def shared_run(text: str, source: str) -> Span | None:
    """Where the longest run of words that two texts share stands in the second; None where they share no word."""
    left, right = list(_TOKEN.finditer(text)), list(_TOKEN.finditer(source))
    mine, theirs = ([token.group().casefold() for token in tokens] for tokens in (left, right))
    match = difflib.SequenceMatcher(None, mine, theirs, autojunk=False).find_longest_match()
    if not any(token.group()[0].isalnum() for token in left[match.a : match.a + match.size]):
        return None
    return Span(right[match.b].start(), right[match.b + match.size - 1].end())


def _is_counted(number: str, after: str, answer: str) -> bool:
    """Whether the answer itself has the number before the word that follows."""
    word = re.match(r"\w+", after)
    return bool(word and re.search(rf"\b{number}\s+{re.escape(word.group())}", answer, re.IGNORECASE))


def _alignment(words: list[str], meant: list[str]) -> dict[int, int]:
    """For the words of one list their places in the other; equal beginnings and ends first, which is nearly all."""
    head = 0
    while head < min(len(words), len(meant)) and words[head] == meant[head]:
        head += 1
    tail = 0
    while tail < min(len(words), len(meant)) - head and words[-1 - tail] == meant[-1 - tail]:
        tail += 1
    at = {n: n for n in range(head)}
    at |= {len(words) - 1 - n: len(meant) - 1 - n for n in range(tail)}
    middle = words[head : len(words) - tail], meant[head : len(meant) - tail]
    for block in difflib.SequenceMatcher(None, *middle, autojunk=False).get_matching_blocks():
        at |= {head + block.a + n: head + block.b + n for n in range(block.size)}
    return at


def _together(places: list[int]) -> list[int]:
    """The largest group of places with no gap wider than their number; the first of equals."""
    groups: list[list[int]] = []
    for place in places:
        if groups and place - groups[-1][-1] <= max(2, len(places)):
            groups[-1].append(place)
        else:
            groups.append([place])
    return max(groups, key=len, default=[])
