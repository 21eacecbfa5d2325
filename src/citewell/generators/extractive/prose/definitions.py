"""Sentences that say what an expression is: "X is a ...", "“X” means ...", "a long name (X)", "we propose X, a ..."."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from citewell.document import Document
from citewell.generators.extractive.prose.salience import Pick, is_prose

_IS = (
    r"(?:is|are|was|were|means?|shall mean|refers? to|denotes?|stands? for|describes|represents|consists? of|"
    r"(?:is|are|can be|was) (?:\w+ )?(?:defined|known|described|understood) (?:as|to be)|"
    r"has the meaning|comprises)"
)
_ARTICLE = r"(?:an?|the|one of|any|all|each|those|used|when|where|short for|our|its)\b"
_ASIDE = r"(?:\s*\([^)]{1,160}\)|\s*,[^,.;]{1,80},)?"
_QUOTES = "[\"“”'‘’«»]"
_SHORT = re.compile(r"[A-Z](?=[a-z\d_&-]*[A-Z])[\w&-]*$")  # an acronym: two capitals at least
_BE = re.compile(r"is|are|was|were", re.IGNORECASE)
_COINED = r"\b(?:propose|present|introduce|develop|describe|release|call(?:ed)?|named|term(?:ed)?)\b"
_CALLED = r"(?:(?:the|each an?|an?|collectively,? the|together,? the|hereinafter,?(?: referred to as)?(?: the)?) )?"
STRONG, GOOD, FAIR = 1.0, 0.85, 0.7
_ARTICLED = 4  # characters in front of it that an article takes
_NO_PLACE = "".join(rf"(?<!\b(?i:{word}) )" for word in ("in", "at", "on", "to", "of", "for", "from", "with"))
_EARLY = 60  # characters in front of the expression where a sentence is about it
_NEGATED = re.compile(r"\b(?:not|never|no longer)\b|n['’]t\b", re.IGNORECASE)


def definitions(expression: str, documents: Sequence[Document]) -> list[Pick]:
    """The sentences that define an expression, the clearest first, each with how clearly it does, 0 to 1."""
    picks = [
        Pick(document, segment, score)
        for document in documents
        for segment in document.segments("sentence")
        if is_prose(segment) and (score := max(_clear(expression, segment.text), default=0.0))
    ]
    picks.sort(key=lambda pick: -pick.score)  # the first mention wins among equals: sorting is stable
    return picks


def _clear(expression: str, text: str) -> Iterator[float]:
    """How clearly a sentence says what an expression is, by each way in which it may."""
    name = _spelling(expression)
    if not re.search(name, text, re.IGNORECASE):
        return
    quoted = rf"{_QUOTES}\s?{name}\s?{_QUOTES}"
    if re.search(rf"{quoted}\)?{_ASIDE},? {_IS}\b", text, re.IGNORECASE):
        yield STRONG
    subject = rf"(?:^|(?<=[;:,] )|\b(?:an?|the) ){name}{_ASIDE},? (?P<verb>{_IS}) (?P<rest>.{{3,}})"
    for match in re.finditer(subject, text, re.IGNORECASE):
        if _NEGATED.match(match["rest"]):
            continue
        early = len(text[: match.start()].strip()) <= _ARTICLED
        is_kind = re.match(_ARTICLE, match["rest"], re.IGNORECASE) or not _BE.fullmatch(match["verb"])
        if is_kind:
            yield STRONG if early else GOOD if match.start() <= _EARLY else 0.0
    if re.search(
        rf"{_COINED}[^.;]{{0,60}}?\b{name}(?:,|:| \(|\b[^.;]{{0,40}}\b(?:an?|the|which|that)\b)", text, re.IGNORECASE
    ):
        yield GOOD
    if re.search(rf"\({_CALLED}{quoted}\)", text, re.IGNORECASE):
        yield GOOD
    if re.search(rf"(?:^|\b){name},? (?:an?|the) [a-z][^.;]{{8,}}?,", text):
        yield FAIR
    if expression[:1].isupper() and re.search(rf"{_NO_PLACE}{name}\s?[™®]?, an? [a-z][^,.;]{{7,}}[,.;]", text):
        yield FAIR
    if _SHORT.search(expression) and _spells_out(expression, text):
        yield GOOD


def _spelling(expression: str) -> str:
    """The pattern of an expression with any blanks, one or several of it."""
    body = r"\s+".join(map(re.escape, expression.split()))
    return rf"(?<!\w){body}(?:e?s|['’]s)?(?!\w)"


def _spells_out(short: str, text: str) -> bool:
    """Whether words beside an acronym, one of both in parentheses, have its letters as initials, in order."""
    letters = [char.lower() for char in short if char.isupper()]
    before = re.search(rf"((?:[\w’'&/-]+ ){{1,{len(letters) + 4}}})\(\s?{re.escape(short)}s?\s?[),;]", text)
    behind = re.search(rf"{re.escape(short)}s?\s?\(([^)]{{6,90}})\)", text)
    for words in (before, behind):
        initials = iter([word[:1].lower() for word in re.split(r"[\s/-]+", words[1].strip()) if word] if words else [])
        if all(letter in initials for letter in letters):
            return True
    return False
