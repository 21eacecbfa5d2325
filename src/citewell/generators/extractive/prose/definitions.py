"""Sentences that define an expression: "X is a ...", "“X” means ...", "a long name (X)", "we propose X, a ..."."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from citewell.document import Document
from citewell.generators.extractive.prose.salience import Pick, is_prose

_IS = (  # the longer ones first: "is known as" is no "is"
    r"(?:(?:is|are|can be|was) (?:(?!poorly|not|badly|little)\w+ )?"
    r"(?:considered|defined|known|described|understood|regarded) (?:as|to be)|"
    r"(?:has|have) (?:emerged|been (?:defined|described)) as|"
    r"is|are|was|were|means?|shall mean|refers? to|denotes?|stands? for|describes|represents|consists? of|"
    r"has the meaning|comprises)"
)
_ARTICLE = r"(?:an?|the|one of|any|all|each|those|used|when|where|short for|our|its)\b"
_ASIDE = r"(?:\s*\([^)]{1,160}\)|\s*,[^,.;]{1,80},)?"
_SORT = r"(?: (?!(?:is|was|has|does|as|this|us|its)\b)[a-z]+s)?"  # "Listeria species are"
_QUOTES = "[\"“”'‘’«»]"
_SHORT = re.compile(r"[A-Z](?=[a-z\d_&-]*[A-Z]|\d)[\w&-]*$")  # an acronym: two capitals at least, or "R0"
# What follows "are" where it says of what kind something is: no participle, no place, no degree.
_KIND = (
    r"(?!\w+(?:ed|en|ing|ly)\b|(?:not|in|on|at|of|for|to|from|by|with|more|less|so|too|very|also|now|due|able|found)\b)"
)
_BE = re.compile(r"is|are|was|were", re.IGNORECASE)
_COINED = r"\b(?:propose|present|introduce|develop|describe|release|call(?:ed)?|named|termed)\b"
_CALLED = r"(?:(?:the|each an?|an?|collectively,? the|together,? the|hereinafter,?(?: referred to as)?(?: the)?) )?"
STRONG, GOOD, FAIR = 1.0, 0.85, 0.7
_ARTICLED = 4  # characters in front of it that an article takes
_NO_PLACE = "".join(rf"(?<!\b(?i:{word}) )" for word in ("in", "at", "on", "to", "of", "for", "from", "with"))
_EARLY = 60  # characters in front of the expression where a sentence is about it
# "After the storm, the harbour was closed, ..." says nothing of the storm: what stands beside a name has no verb.
_SPOKEN = re.compile(r"^(?:(?!that|which|who)\S+ ){1,8}(?:is|are|was|were|has|have|had|will|would|can|may|must|did)\b")
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
    subject = rf"(?:^|(?<=[;:,] )|\b(?:an?|the) ){name}{_SORT}{_ASIDE},? (?P<verb>{_IS}) (?P<rest>.{{3,}})"
    for match in re.finditer(subject, text, re.IGNORECASE):
        if _NEGATED.match(match["rest"]):
            continue
        early = len(text[: match.start()].strip()) <= _ARTICLED
        is_kind = re.match(_ARTICLE, match["rest"], re.IGNORECASE) or not _BE.fullmatch(match["verb"])
        if is_kind:
            yield STRONG if early else GOOD if match.start() <= _EARLY else 0.0
        elif early and re.match(rf"{_KIND}[a-z]", match["rest"]):
            yield FAIR
    if re.search(
        rf"{_COINED}[^.;]{{0,60}}?\b{name}(?:,|:| \(|\b[^.;]{{0,40}}\b(?:an?|the|which|that)\b)", text, re.IGNORECASE
    ):
        yield GOOD
    if re.search(rf"\({_CALLED}{quoted}\)", text, re.IGNORECASE):
        yield GOOD
    beside = re.search(rf"\b{name}, (?:an?|the) (?P<what>[a-z][^.;]{{8,}}?),", text)
    if (beside and not _SPOKEN.search(beside["what"])) or re.search(rf"{name}{_ASIDE}\s?[—–] ?(?:an?|the) [a-z]", text):
        yield FAIR
    if re.search(rf"{_NO_PLACE}{name}\s?[™®]?{_ASIDE}, an? [a-z][^,.;]{{7,}}[,.;]", text):
        yield FAIR
    if _SHORT.search(expression) and _spells_out(expression, text):
        yield GOOD


def _spelling(expression: str) -> str:
    """The pattern of an expression with any blanks, one or several of it; ".env file" also by "env file"."""
    body = r"\s+".join(map(re.escape, expression.split()))
    return rf"(?<!\w)[.@#]?{body}(?:e?s|['’]s)?(?!\w)"


def _spells_out(short: str, text: str) -> bool:
    """Whether words beside an acronym, one of both in parentheses, have its letters in order: "science net (SNET)"."""
    letters = [char.lower() for char in short if char.isupper()]
    before = re.search(rf"((?:[\w’'&/-]+ ){{1,{len(letters) + 4}}})\(\s?{re.escape(short)}s?\s?[),;]", text)
    behind = re.search(rf"{re.escape(short)}s?\s?\(([^)]{{6,90}})\)", text)
    for found in filter(None, (before, behind)):
        words = [word.strip("'’").lower() for word in re.split(r"[\s/-]+", found[1].strip())]
        for n, word in enumerate(words):
            rest = iter("".join(words[n:]))
            if word.startswith(letters[0]) and all(letter in rest for letter in letters):
                return True
    return False
