"""Whether a sentence states something to somebody who reads it alone: a whole clause, nothing left blank.

"Building partnerships that encourage learning." has no verb of its own, "Ms Ode: I agree." is a turn of talk, "DATA
SECURITY We keep it." has a heading run into it, and "It explains how we do so." leans on the sentence before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from citewell.text.headings import COMMON_HEADING

ITEM = r"(?:(?:\d{1,2}(?:\.\d{1,2})*[.)]|\d{1,2}(?:\.\d{1,2})+|[A-Za-z][.)]|\([a-z\d]{1,3}\)) )?"  # "2.1 ", "(b) "
_OPENS = re.compile(rf"{ITEM}[\"“'‘(]{{0,2}}")
_LABEL = re.compile(r"(?P<label>[A-Z][\w’'./-]*(?: [\w’'&./()-]+){0,3}): (?!means\b)")  # "Note: ...", "Ms Ode: ..."
_BLANK = re.compile(  # a field of a form, marks of a template or a link, items run together
    r"_{3}|\.{5}|[\[<](?:insert|name|date|address|●|_|[A-Z ]{4,}[\]>])|\{[%{]|\]\(|\\[a-z]+\{|\S\s?[・•▪●◦]\s|☐|☑",
    re.IGNORECASE,
)
_POINTS = re.compile(  # at what is not quoted with it
    r"(?:it|they|he|she|his|her|their|its|however|therefore|moreover|furthermore|further|finally|also|but|and|or|thus|"
    r"hence|then|accordingly|otherwise|in addition|as a result|for example|for instance|instead|similarly|additionally|"
    r"consequently|nevertheless|in contrast|by contrast|see|visit|click|note that|please|in order to do (?:this|so)|"
    r"(?:all|each|both|most|some|none) of (?:the above|these|this|those|them)|"
    r"in (?:section|chapter|table|figure|appendix)|(?:the )?(?:above|latter|former)|(?:this|these|those|such)"
    r"(?! (?:(?-i:[A-Z])|(?:[\w’'-]+ ){0,3}(?:paper|report|article|study|document|agreement|contract|work|policy|"
    r"review|guide|act|by-?laws?|handbook|manual|notice|statement|template|directive|regulation|standard|plan|terms|"
    r"rules)\b)))\b",
    re.IGNORECASE,
)
_OF_THEM = re.compile(r"\bof (?:them|these|those)\W*$", re.IGNORECASE)  # of what stands before
_RUN_IN = re.compile(  # a heading without a mark, and the sentence below it
    r"(?:(?:[A-Z]{3,} ){2,}|(?:[A-Z]{2,} ){3,})(?=[A-Z][a-z])|"
    r"[A-Z][\w’'-]*(?: (?:[A-Z][\w’'-]*|of|and|for|the|&|to|in)){0,7} "
    r"(?:The|This|These|We|Our|If|When|You|Your) [a-zA-Z]|"
    r".*[a-z] (?:The|This|These|We|Our|If|When|You|Your|It|There) [a-z]|.*\w [a-h1-9]\) [A-Z]"
)
_ASIDE = re.compile(r" ?\([^()]*\)")
_RELATIVE = ("that", "which", "who", "whose", "whom", "where")
_ARTICLED = ("preposition", "in", "of", "by", "to", "from", "and", "mark", "comma", "clause")  # before "that boat"
_BEHIND_NOUNS = ("of", "in", "be", "aux", "verb", "clause")
_NOT_FINITE = ("be", "been", "being", "having")
_SUBJECT = ("noun", "name", "pronoun", "number", "close", "other", "adverb", "quote")
_OBJECT = (
    "article",
    "possessive",
    "number",
    "pronoun",
    "name",
    "adverb",
    "noun",
    "adjective",
    "such",
    "clause",
    "other",
)


@lru_cache(maxsize=8192)
def is_statement(text: str) -> bool:
    """Whether a sentence says something whole where it is quoted without its neighbours."""
    line = _OPENS.sub("", " ".join(text.split()), count=1)
    if (
        line.endswith("?")
        or text.count("“") != text.count("”")
        or re.fullmatch(r"\(.*\)\W*", text.strip())
        or _BLANK.search(text)
        or _POINTS.match(line)
        or _OF_THEM.search(line)
    ):
        return False
    label = _LABEL.match(line)
    if label and not COMMON_HEADING.fullmatch(label["label"]):
        return False
    plain = _ASIDE.sub("", line[label.end() :] if label else line)
    return not _RUN_IN.match(plain) and has_clause(plain)


def has_clause(line: str) -> bool:
    """Whether a sentence has a verb that is no infinitive, no participle and no relative clause's."""
    from citewell.generators.extractive.phrases.words import CLASSES, words  # with WordNet, which figures do without

    tagged = words(line)
    classes, lower = [CLASSES[number] for number in tagged.classes], tagged.lower
    commands = (
        classes[:1] == ["verb"] and not lower[0].endswith("s") and not set(_BEHIND_NOUNS).intersection(classes[1:2])
    )
    if commands or lower[:1] == ("do",):
        return False
    begins = relative = False  # whether a relative clause waits for its verb; whether the last verb was such a clause's
    last = -1
    for n in range(len(classes)):
        if n and lower[n] in _RELATIVE and not (lower[n] == "that" and classes[n - 1] in _ARTICLED):
            begins = True
        if not _finite(classes, lower, n):
            continue
        together, last = last >= 0 and all(name == "adverb" for name in classes[last + 1 : n]), n
        if begins or (relative and (together or classes[n - 1] in ("and", "comma"))):
            begins, relative = False, True
        else:
            return True
    return False


def _finite(classes: Sequence[str], lower: Sequence[str], n: int) -> bool:
    """Whether a word is a verb that says when: "is", "must", "provides", and "carried" before what was carried."""
    from citewell.facts.kinship import irregular_pasts

    place = next((k for k in range(n - 1, -1, -1) if classes[k] != "adverb"), -1)
    before = classes[place] if place >= 0 else "end"
    behind = classes[n + 1] if n + 1 < len(classes) else "end"
    if lower[n + 1 : n + 2] == ("that",):  # "it notes that the", not "programs that help"
        behind = behind if classes[n + 2 : n + 3][:1] in (["article"], ["pronoun"], ["possessive"], ["name"]) else "end"
    if lower[n] in irregular_pasts() and classes[n] not in ("verb", "be", "aux", "name"):
        return before in _SUBJECT and behind in (*_OBJECT, "in", "by", "to", "from", "preposition")
    match classes[n]:
        case "be" | "aux":
            return lower[n] not in _NOT_FINITE and before != "to"
        case "verb":
            return before in (*_SUBJECT, "comma") or (place >= 0 and lower[place] in _RELATIVE)
        case "participle":
            return before in _SUBJECT and behind in _OBJECT
        case "noun":
            return lower[n].endswith("s") and before in ("noun", "name", "close", "quote") and behind in _OBJECT[:4]
        case _:
            return False
