"""Whether a sentence needs what stands around it: "these three levels", "First, we ...", "Does not send".

What an overview shows unasked is read without its neighbours. Here more is left out than from what answers a question.
"""

from __future__ import annotations

import re
from functools import lru_cache

from citewell.document import Document
from citewell.generators.extractive.prose.asking import pattern
from citewell.generators.extractive.prose.salience import alone, content
from citewell.generators.extractive.prose.statements import ITEM
from citewell.text.stopwords import stopwords
from citewell.text.words import terms
from citewell.types import Segment

_GLOSSARY = re.compile(r"(?:[A-Z][\w’'-]* ){1,4}(?:A|An|Any|All|Each|The) [a-z]")  # "Business Day A day other than ..."
_DEMONSTRATIVE = re.compile(
    r"\b(?:this|these|such(?! (?:as|an?)\b)|those(?! (?:[a-z]{2,5}|\w+ing|\w+ed)\b))\s+"
    r"(?P<what>(?:[\w’'-]+\s+){0,3}[\w’'-]+)",
    re.IGNORECASE,
)
_JOINED = ("to", "the", "of", "and", "is", "are", "for", "with", "that", "this", "will", "would", "from", "our", "your")
_KNOWN = 4  # letters of the other word
_ITEM = re.compile(rf"{ITEM}[\"“'‘(]{{0,2}}")
_FIRST = ("article", "possessive", "pronoun", "name", "number")
_SAYS_WHEN, _BASED, _LEAST = ("aux", "be"), ("preposition", "in", "by", "to"), 2  # "Based on this, we ..."


def reads_alone(document: Document, segment: Segment) -> bool:
    """Whether a sentence can be shown by itself, and is understood."""
    text = " ".join(segment.text.split())
    whole = alone(document, segment) and not leans(text) and not runs_together(text)
    return whole and _has_subject(text, listed=segment.kind == "list_item")


@lru_cache(maxsize=8192)
def leans(text: str) -> bool:
    """Whether a sentence needs another one: it is a step or a condition, or points at what it does not name itself."""
    opens = pattern("step").match(text) or _GLOSSARY.match(text)
    return bool(opens or pattern("points_on").search(text)) or any(
        not _names(match["what"], text[: match.start()]) for match in _DEMONSTRATIVE.finditer(text)
    )


def _names(what: str, before: str) -> bool:
    """Whether what "this" or "these" stand before is the document, a name, or something that was named before."""
    return (
        pattern("itself_or_time").search(what) is not None
        or any(word[:1].isupper() for word in what.split()[:3])
        or bool(frozenset(terms(content(what))) & frozenset(terms(content(before))))
    )


@lru_cache(maxsize=8192)
def runs_together(text: str) -> bool:
    """Whether two words of a sentence lost the space between them: "employeesto", "vehicles’software"."""
    from citewell.facts.kinship import look_up

    def known(word: str) -> bool:
        return len(word) >= _KNOWN and word not in stopwords()["en"] and bool(look_up(word).entries)

    for word in re.findall(r"(?<![\w.@/-])[a-z]{7,}(?![\w.@/-])", text):
        halves = [word.removesuffix(small) for small in _JOINED] + [word.removeprefix(small) for small in _JOINED]
        if any(half != word and known(half) for half in halves) and not look_up(word).entries:
            return True
    return re.search(r"s’[a-z]{3}|[a-z][,;][A-Za-z]{3}", text) is not None


def _has_subject(text: str, *, listed: bool) -> bool:
    """Whether a sentence begins with who or what does it: not "Asserts that ...", nor an item "Revoke access"."""
    from citewell.generators.extractive.phrases.words import CLASSES, words  # with WordNet, which figures do without

    classes = [CLASSES[number] for number in words(_ITEM.sub("", text)).classes[:2]]
    if len(classes) < _LEAST or classes[0] in (*_SAYS_WHEN, "clause"):
        return False
    if classes[0] in ("verb", "participle"):
        return classes[1:] in (["be"], ["aux"], ["of"]) or (classes[1] in _BASED and "," in text)
    return not listed or classes[0] in _FIRST or classes[1:] in (["be"], ["aux"])
