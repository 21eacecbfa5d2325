"""Decides whether a statement claims anything, and which label a textual reply gives to a claim.

makes_claim("**Key findings**")                          # False
support_labels("The claim is not fully supported.")      # ["partially_supported"]
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from citewell.text.data import words
from citewell.text.openings import speaks
from citewell.types import Label

_NUMBERED = re.compile(r"\A(?:\d{1,2}|[ivxIVX]{1,4}|[A-Za-z])[.)]\s+")
_BOLD = re.compile(r"\A(\*\*|__)(?:(?!\1).)+\1:?\Z", re.DOTALL)
_LABEL_WORDS = 6  # the most words of a bold label before a colon

_CLAUSE = re.compile(r"[.;\n]|\b(?:but|or|and|while|although|though|because|since)\b")
_SUPPORT = re.compile(
    r"\b(?P<un>un)?(?:support(?:s|ed|ing|ive)?|entail(?:s|ed)?|attributable|substantiated|verified|confirm(?:s|ed))\b"
)
_AGAINST = re.compile(r"\b(?:contradict(?:s|ed|ion)?|refute[sd]?)\b")
_NEGATION = re.compile(r"\b(?:not(?! only)|no(?! doubt)|never|neither|nor|nothing|hardly|insufficient|lacks?|fails?)\b")
_WHOLLY = re.compile(r"\b(?:fully|completely|entirely|wholly|totally|all|everything|every)\b")
_PARTLY = re.compile(r"\b(?:partial|partially|partly|somewhat|incompletely|in part)\b")
_BEFORE, _AFTER = 7, 3  # words around a mention that bear on it


def makes_claim(text: str) -> bool:
    """Whether a statement says something that evidence could support: no question, greeting, offer or heading."""
    bare = text.strip().strip("*_ ")
    if not re.search(r"\w", bare) or re.match(r"#{1,6}(?:\s|\Z)", bare):
        return False
    return not (bare.endswith("?") or speaks(bare) or _heading(text.strip()))


def _heading(text: str) -> bool:
    """Whether it is a heading of a reply: its words are those of headings, or it is a label before a colon."""
    bare = _NUMBERED.sub("", text.strip("*_ \t")).strip("*_ \t")
    tokens = re.findall(r"[^\W\d_]+", bare.lower().replace("tl;dr", "tldr"))
    if not tokens or re.search(r"\d", bare):
        return False
    if bare.endswith(":") and (len(tokens) == 1 or (_BOLD.match(text) and len(tokens) <= _LABEL_WORDS)):
        return True
    headings, beside = (words("citewell.text", "no_claim.json", key) for key in ("headings", "beside"))
    return any(word in headings for word in tokens) and all(word in headings or word in beside for word in tokens)


def support_labels(text: str) -> list[Label]:
    """The labels that a text gives to a claim in words, in order: "not fully supported" is partially supported."""
    plain = re.sub(r"n['’]t\b", " not", text.lower()).replace("cannot", "can not")
    clauses = (" ".join(re.sub(r"[\W_]+", " ", clause).split()) for clause in _CLAUSE.split(plain))
    return [label for clause in clauses for label in _labels(clause)]


def _labels(clause: str) -> Iterator[Label]:
    for mention in sorted([*_SUPPORT.finditer(clause), *_AGAINST.finditer(clause)], key=lambda match: match.start()):
        around = " ".join(clause[: mention.start()].split()[-_BEFORE:])
        behind = " ".join(clause[mention.end() :].split()[:_AFTER])
        negated = bool(_NEGATION.search(around))
        if mention.re is _AGAINST:
            if not negated:
                yield "contradicted"
            continue
        part = bool(_PARTLY.search(f"{around} {behind}"))
        whole = bool(_WHOLLY.search(f"{around} {behind}"))
        if mention["un"]:
            if not negated:
                yield "partially_supported" if part else "not_supported"
        elif negated:
            yield "partially_supported" if whole and not part else "not_supported"
        else:
            yield "partially_supported" if part else "supported"
