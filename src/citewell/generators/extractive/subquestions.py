"""A question that is several: each part is asked for itself, and what a part leans on is put into it.

"Who wrote this and when?" asks "Who wrote this?" and "When was this written?"; "When and where did they meet?" asks
for the time and for the place of one thing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from citewell.document import Document
from citewell.generators.extractive import referents
from citewell.generators.extractive.prose.asking import OF_ITSELF, asking
from citewell.generators.extractive.stacked import stacked, without_phrase
from citewell.types import Draft

_HOW = r"how (?:many|much|long|often|old|big|large|far|soon|late|early)"
_WH = rf"(?:{_HOW}|whom?|what|when|where|why|how|which)"
_OPENS = rf"(?:{_WH}|did|does|is|are|was|were)\b"
_SPLIT = re.compile(rf",? and (?={_OPENS})|\?\s+(?=\w)", re.IGNORECASE)
_PAIRED = re.compile(
    r"^(\W*what (?:is|are|was|were) (?:the )?)([\w -]{1,80}?) and (?:the )?([\w -]{1,80}?)((?: (?:in|"
    r"for|at|of|during) .{1,200})?\W{0,5})$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(rf"^\W*{_OPENS}.{{8,}}", re.IGNORECASE)
_TWICE = re.compile(rf"^\W*(?P<first>{_WH}),? and (?P<second>{_WH}) (?P<rest>\w.{{4,}})$", re.IGNORECASE)
_BARE = re.compile(rf",? and (?P<second>(?:(?:for|to|by|from|with|on) )?{_WH})\W*$", re.IGNORECASE)
_HEAD = re.compile(rf"^\W*(?:{_WH})\b", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?:it|its|they|their|them|he|she|his|her|him|that|this)\b", re.IGNORECASE)
_PERSONAL = re.compile(r"\b(?:he|she|they|him|them|(?P<of>his|her|their|its)|it)\b", re.IGNORECASE)
_DATED = "When was this written?"
_WROTE = re.compile(r"^when (?:did \w+ )?(?:wr[io]te|written|publish|release|made)\b", re.IGNORECASE)


def subquestions(question: str) -> list[str]:
    """The questions that one question is, each a whole one but for what it says of an earlier one's answer.

    None where it is one.
    """
    if twice := _TWICE.match(question):
        return [_whole(f"{twice[name]} {twice['rest']}") for name in ("first", "second")]
    if (bare := _BARE.search(question)) and (first := _whole(question[: bare.start()])) and _CLAUSE.match(first):
        return [first, _dated(first, _whole(f"{bare['second']}{_HEAD.sub('', first)}"))]
    clauses = [part.strip(" ?") for part in _SPLIT.split(question) if part.strip(" ?")]
    if len(clauses) > 1 and all(map(_CLAUSE.match, clauses)):
        first, *others = map(_whole, clauses)
        return [first, *(_dated(first, other) for other in others)]
    if (pair := _PAIRED.match(question)) and "between" not in pair[2].split():
        return [f"{pair[1]}{item}{pair[4]}" for item in (pair[2], pair[3])]
    return []


def _dated(first: str, part: str) -> str:
    """A part behind one that asks for the author: when they wrote is when this was written."""
    of_itself = asking(first)
    return _DATED if of_itself and of_itself.way == "author" and _WROTE.match(part) else part


def _whole(clause: str) -> str:
    clause = clause.strip(" ?.!,")
    return f"{clause[:1].upper()}{clause[1:]}?"


def answer_each(
    question: str, whole: Draft, documents: Sequence[Document], answer: Callable[[str, Sequence[Document]], Draft]
) -> Draft:
    """The answers of the parts of a question, where the whole has none; what is not answered is said in a warning."""
    parts = subquestions(question) if whole.abstention and not referents.split(question, documents) else []
    answered = dict[str, Draft]()
    for part in parts:
        asked_for = _with_name(part, parts[0], answered.get(parts[0]))
        draft = answer(asked_for, documents) if asked_for else None
        if draft and not draft.abstention and draft.statements:
            answered[part] = draft
    if not answered:
        return whole
    lacking = [part for part in parts if part not in answered]
    return replace(
        stacked([without_phrase(draft) for draft in answered.values()]),
        question=question,
        confidence=min(draft.confidence or 0.0 for draft in answered.values()),
        warnings=(f"not answered: {' '.join(lacking)}",) if lacking else (),
    )


def _with_name(part: str, first: str, answer: Draft | None) -> str | None:
    """A part with the name that the first one's answer gives for its pronoun; None where nothing says what it means.

    A pronoun that the first part has too means what that one means.
    """
    of_itself = asking(part)
    if (
        part == first
        or not _PRONOUN.search(part)
        or _PRONOUN.search(first)
        or (of_itself and of_itself.way in OF_ITSELF)
    ):
        return part
    if answer is None or answer.value is None or answer.value.kind != "name":
        return None
    name = answer.value.text
    return _PERSONAL.sub(lambda match: f"{name}'s" if match["of"] else name, part, count=1)
