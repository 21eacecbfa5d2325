"""What a question tells of the phrase that answers it: its group, its noun, on which side of the verb it stands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from citewell.generators.extractive.phrases.words import CLASSES, CONTENT, NUMBER, Words, words
from citewell.generators.extractive.questions import Kind, Question

Side = Literal["subject", "object", "copula", "other"]
SIDES: tuple[Side, ...] = ("subject", "object", "copula", "other")
Group = Literal["who", "when", "where", "number", "thing", "long"]
GROUPS: tuple[Group, ...] = ("who", "when", "where", "number", "thing", "long")
_GROUPS: Mapping[Kind, Group] = {
    "person": "who", "date": "when", "place": "where", "count": "number", "money": "number", "percent": "number",
    "measure": "number", "thing": "thing", "definition": "thing", "list": "thing",
}  # fmt: skip
_ASKING = re.compile(r"\b(?:what|which|who|whom|whose|when|where|why|how)\b", re.IGNORECASE)
_VERBAL = frozenset(NUMBER[name] for name in ("be", "aux"))
_NOUNS = frozenset(NUMBER[name] for name in ("noun", "name", "ing", "other"))
_PREPOSITIONS = frozenset(NUMBER[name] for name in ("of", "in", "by", "to", "from", "preposition"))
_DO = frozenset(("do", "does", "did"))


class Asking(NamedTuple):
    """A question as its short answer sees it.

    Attributes:
        group: of kinds that are answered alike.
        side: where the answer stands in a statement of the same words: before the verb, after it, beside "is".
        keys: the content words with how rare they are.
        focus: the noun after "what", "which", "how many" in lower case, with its key; empty where there is none.
        first, last: the keys of the first content word after the asking one and its noun, and of the last one.
        before: the preposition before the asking word, empty where there is none.
        stranded: the preposition that ends the question.
    """

    group: Group
    side: Side
    keys: Mapping[str, float]
    focus: tuple[str, str]
    first: str
    last: str
    before: str
    stranded: str


def asking(asked: Question) -> Asking:
    """Read a question."""
    said = words(asked.text)
    keys = {said.keys[n]: said.weights[n] for n in range(len(said.keys)) if said.classes[n] in CONTENT}
    wh = _ASKING.search(asked.text)
    at = next((n for n, start in enumerate(said.starts) if wh and start >= wh.start()), -1)
    focus, after = _focus(said, at)
    rest = [n for n in range(after, len(said.keys)) if said.classes[n] in CONTENT]
    return Asking(
        _GROUPS.get(asked.kind, "long"),
        _side(said, after) if wh else "other",
        keys,
        focus,
        said.keys[rest[0]] if rest else "",
        said.keys[rest[-1]] if rest else "",
        said.lower[at - 1] if at > 0 and said.classes[at - 1] in _PREPOSITIONS else "",
        next((said.lower[n] for n in range(len(said.keys) - 2, after, -1)[:1] if said.classes[n] in _PREPOSITIONS), ""),
    )


def _focus(said: Words, at: int) -> tuple[tuple[str, str], int]:
    """The noun that is asked for, and where what follows it begins."""
    after = at + 1
    word = said.lower[at] if at >= 0 else ""
    if word == "how" or word in ("what", "which", "whose"):
        end = after
        while end < len(said.keys) and said.classes[end] not in _VERBAL and end - after < 5:
            end += 1
        if end == len(said.keys) or said.classes[end] not in _VERBAL:
            verb = next((n for n in range(after + 1, end) if CLASSES[said.classes[n]] in ("verb", "participle")), end)
            end = verb
        nouns = [n for n in range(after, end) if said.classes[n] in _NOUNS]
        if nouns:
            prepositions = [n for n in range(after, end) if CLASSES[said.classes[n]] in ("of", "in")]
            kept = [n for n in nouns if not prepositions or n < prepositions[0] or said.lower[nouns[0]] in _SORTS]
            head = kept[-1] if kept else nouns[-1]
            return (said.lower[head], said.keys[head]), end
        if end < len(said.keys) and CLASSES[said.classes[end]] == "be" and word != "how":
            article = end + 1
            head = next((n for n in range(article, len(said.keys)) if said.classes[n] in _NOUNS), -1)
            while head >= 0 and head + 1 < len(said.keys) and CLASSES[said.classes[head + 1]] == "noun":
                head += 1
            if head >= 0 and CLASSES[said.classes[head]] == "noun":
                return (said.lower[head], said.keys[head]), end
    return ("", ""), after


_SORTS = frozenset(("type", "types", "kind", "kinds", "sort", "sorts", "form", "forms", "name", "part"))


def _side(said: Words, after: int) -> Side:
    """Before the verb for "who wrote it", after it for "what did she write"."""
    if after >= len(said.keys):
        return "other"
    name, word = CLASSES[said.classes[after]], said.lower[after]
    if word in _DO:
        return "object"
    if name == "be":
        return "copula"
    if name == "aux":
        follows = CLASSES[said.classes[after + 1]] if after + 1 < len(said.keys) else "end"
        return "object" if follows in ("article", "pronoun", "possessive", "name") else "subject"
    return "subject" if name in ("verb", "participle", "noun", "adverb") else "other"
