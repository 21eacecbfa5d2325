"""What a question reveals about the answering phrase: its type, its noun, its side of the verb."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

from citewell.generators.extractive.phrases.words import CLASSES, CONTENT, NUMBER, Words, words
from citewell.generators.extractive.questions import INTERROGATIVE, Kind, Question

Side = Literal["subject", "object", "copula", "other"]
SIDES: tuple[Side, ...] = get_args(Side)
Group = Literal["who", "when", "where", "number", "thing", "long"]
GROUPS: tuple[Group, ...] = get_args(Group)
_GROUPS: Mapping[Kind, Group] = {
    "person": "who", "date": "when", "place": "where", "count": "number", "money": "number", "percent": "number",
    "measure": "number", "thing": "thing", "definition": "thing", "list": "thing",
}  # fmt: skip
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


def asking(question: Question) -> Asking:
    """Read a question."""
    word_ids = words(question.text)
    keys = {word_ids.keys[n]: word_ids.weights[n] for n in range(len(word_ids.keys)) if word_ids.classes[n] in CONTENT}
    wh = INTERROGATIVE.search(question.text)
    at = next((n for n, start in enumerate(word_ids.starts) if wh and start >= wh.start()), -1)
    focus, after = _focus(word_ids, at)
    rest = [n for n in range(after, len(word_ids.keys)) if word_ids.classes[n] in CONTENT]
    return Asking(
        _GROUPS.get(question.kind, "long"),
        _side(word_ids, after) if wh else "other",
        keys,
        focus,
        word_ids.keys[rest[0]] if rest else "",
        word_ids.keys[rest[-1]] if rest else "",
        word_ids.lower[at - 1] if at > 0 and word_ids.classes[at - 1] in _PREPOSITIONS else "",
        next(
            (
                word_ids.lower[n]
                for n in range(len(word_ids.keys) - 2, after, -1)[:1]
                if word_ids.classes[n] in _PREPOSITIONS
            ),
            "",
        ),
    )


def _focus(tokens: Words, at: int) -> tuple[tuple[str, str], int]:
    """The noun that is asked for, and where what follows it begins."""
    after = at + 1
    word = tokens.lower[at] if at >= 0 else ""
    if word == "how" or word in ("what", "which", "whose"):
        end = after
        while end < len(tokens.keys) and tokens.classes[end] not in _VERBAL and end - after < 5:
            end += 1
        if end == len(tokens.keys) or tokens.classes[end] not in _VERBAL:
            verb = next((n for n in range(after + 1, end) if CLASSES[tokens.classes[n]] in ("verb", "participle")), end)
            end = verb
        nouns = [n for n in range(after, end) if tokens.classes[n] in _NOUNS]
        if nouns:
            prepositions = [n for n in range(after, end) if CLASSES[tokens.classes[n]] in ("of", "in")]
            kept = [n for n in nouns if not prepositions or n < prepositions[0] or tokens.lower[nouns[0]] in _SORTS]
            head = kept[-1] if kept else nouns[-1]
            return (tokens.lower[head], tokens.keys[head]), end
        if end < len(tokens.keys) and CLASSES[tokens.classes[end]] == "be" and word != "how":
            article = end + 1
            head = next((n for n in range(article, len(tokens.keys)) if tokens.classes[n] in _NOUNS), -1)
            while head >= 0 and head + 1 < len(tokens.keys) and CLASSES[tokens.classes[head + 1]] == "noun":
                head += 1
            if head >= 0 and CLASSES[tokens.classes[head]] == "noun":
                return (tokens.lower[head], tokens.keys[head]), end
    return ("", ""), after


_SORTS = frozenset(("type", "types", "kind", "kinds", "sort", "sorts", "form", "forms", "name", "part"))


def _side(tokens: Words, after: int) -> Side:
    """Before the verb for "who wrote it", after it for "what did she write"."""
    if after >= len(tokens.keys):
        return "other"
    name, word = CLASSES[tokens.classes[after]], tokens.lower[after]
    if word in _DO:
        return "object"
    if name == "be":
        return "copula"
    if name == "aux":
        follows = CLASSES[tokens.classes[after + 1]] if after + 1 < len(tokens.keys) else "end"
        return "object" if follows in ("article", "pronoun", "possessive", "name") else "subject"
    return "subject" if name in ("verb", "participle", "noun", "adverb") else "other"
