"""A changed claim with the places of its change, and edits that keep the sentence well formed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from citewell.types import Span

_ARTICLE = re.compile(r"\b(an?) $", re.IGNORECASE)
_SOUNDS_LIKE_CONSONANT = re.compile(r"uni(?!n|m)|us[eu]|eu|one\b|once\b|u[.]?s\b|u[.]?k\b", re.IGNORECASE)
_SOUNDS_LIKE_VOWEL = re.compile(r"[aeiou]|8|1[18](?!\d)|1[18],|hour|honest|heir", re.IGNORECASE)


class Edit(NamedTuple):
    """Put `text` in the place of `claim[start:end]`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """A claim that was made from another one.

    Attributes:
        kind: what was changed, or how it was said otherwise.
        text: the new claim.
        spans: the changed places in `text`.
        origins: the places in the claim that it was made from.
        holds: whether the new claim says the same.
    """

    kind: str
    text: str
    spans: tuple[Span, ...]
    origins: tuple[Span, ...]
    holds: bool = False


def applied(kind: str, claim: str, edits: Sequence[Edit], *, holds: bool = False) -> Change:
    """The claim with edits that do not overlap; articles and capitals go with what follows them."""
    parts: list[str] = []
    spans, origins = [], []
    at = length = 0
    for edit in sorted(_fitted(claim, edit) for edit in edits):
        between = claim[at : edit.start]
        parts += [between, edit.text]
        length += len(between)
        spans.append(Span(length, length + len(edit.text)))
        origins.append(Span(edit.start, edit.end))
        length += len(edit.text)
        at = edit.end
    return Change(kind, "".join((*parts, claim[at:])), tuple(spans), tuple(origins), holds)


def _fitted(claim: str, edit: Edit) -> Edit:
    start, end, text = edit
    if start == 0 and text and claim[:1].isupper():
        text = text[0].upper() + text[1:]
    match = _ARTICLE.search(claim, max(0, start - 4), start)
    if match and text:
        vowel = _SOUNDS_LIKE_VOWEL.match(text) and not _SOUNDS_LIKE_CONSONANT.match(text)
        article = match[1][0] + ("n" if vowel else "")
        if article != match[1]:
            return Edit(match.start(), end, f"{article} {text}")
    return Edit(start, end, text)
