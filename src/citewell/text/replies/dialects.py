"""Normalises other citation styles of models to `[1]`: (1), ¹, (Source 1), {1}, #1, <cite>, JSON.

What cannot be anything else is a mark wherever it stands. What can be (a value, a step, a power) is
one after a word of three letters or the end of a sentence, where the clause ends, and only in a reply without brackets.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_LIST = r"\d{1,4}(?:\s{0,2}(?:,|;|&|and|und|et|y|-|–)\s{0,2}\d{1,4}){0,20}"
_SOURCE = (
    r"(?:sources?|documents?|docs?|passages?|segments?|refs?|references?|références?|citations?|quellen?|belege?|fuentes?|font[ei]|"
    r"bron(?:nen)?|fontes?|källor|källa|źródł[oa]|kaynak(?:lar)?|источники?|来源|出典|출처)"
)
_TAG = r"(?:cite|citation|ref|source)"
# Forms that nothing else has, read wherever they stand.
_PLAIN = re.compile(
    rf"[(（](?:see\s+)?{_SOURCE}[.:：]?\s{{0,2}}#?({_LIST})[)）]|\[(?:cite:?|p\.?|§)\s{{0,2}}({_LIST})\]"
    rf"|<{_TAG}(?:\s[^<>]{{0,100}})?>\s{{0,2}}\[?({_LIST})\]?\s{{0,2}}</{_TAG}>"
    rf"|<{_TAG}\s[^<>]{{0,60}}?[\"']?(\d{{1,4}})[\"']?\s{{0,2}}/>"
    rf"|~?\\cite[tp]?\{{({_LIST})\}}|\[\[({_LIST})\]\](?:\((?:https?:|#)[^)\s]{{0,300}}\))?",
    re.IGNORECASE,
)
_ENDS = r"(?=\s{0,3}(?:[.,;:!?。、，；]|[\"”’)]|\n|\Z|<sup>|[(#{⁰¹²³⁴-⁹]))"
_AFTER = r"(?:(?<=[^\W\d_]{3})|(?<=[.!?,;”\"')。！？]))"  # a word that is no unit, or the end of a sentence
_FEW = r"\d{1,4}(?:\s{0,2}(?:,|;|&|and|und|et|y)\s{0,2}\d{1,4}){0,20}"
# Forms that say other things too: after a word or a sentence, at the end of a clause, where no bracket is a mark.
_LOOSE = re.compile(
    rf"{_AFTER}[ ]?\(({_FEW})\){_ENDS}"
    rf"|{_AFTER}[ ](?:\{{({_FEW})\}}|\{{\{{({_FEW})\}}\}}|<({_FEW})>){_ENDS}"
    rf"|{_AFTER}[ ][#^](\d{{1,4}}){_ENDS}"
    rf"|{_AFTER}([⁰¹²³⁴-⁹]{{1,3}}(?:[,˒ ]{{1,2}}[⁰¹²³⁴-⁹]{{1,3}}){{0,9}})(?![⁺⁻⁰¹²³⁴-⁹\w])"
    rf"|(?:{_AFTER}|(?<=</sup>))<sup>\s{{0,2}}\(?({_FEW})\)?\s{{0,2}}</sup>",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"[\[【［]\s{0,2}[^\W\d]{0,10}[\s#^]{0,2}\d")
# Words after which a number is one: "the loss was (3)", "ranked #1".
_VALUES = re.compile(
    r"\b(?:was|is|are|were|be|of|by|to|at|from|than|number|rank(?:ed|s)?|issue|ticket|section|article|clause|item|step|"
    r"equation|figure|table|chapter|option|type|level|stage|phase|note|hit|spot|place)\s*\Z",
    re.IGNORECASE,
)
_FENCED = re.compile(r"\A```(?:json)?[^\S\n]*\n(.*)\n[^\S\n]*```\Z", re.DOTALL | re.IGNORECASE)
_TEXT_KEYS = ("answer", "text", "statement", "sentence", "claim", "response", "content", "output")
_PARTS = ("statements", "sentences", "claims", "answers", "answer", "response", "segments", "content", "output")
_NAMED = (*"citations citation sources source references evidence cites passages source_ids ids".split(),)
_IDS = ("id", "number", "index", "source", "passage", "segment", "citation", "source_id")
_NAME = re.compile(r"\W{0,2}(?:[a-z_]{1,12}[\s_.#-]{0,2})?(\d{1,4})\W{0,2}", re.IGNORECASE)
DEEPEST = 8


def rewritten(text: str, known: int) -> str:
    """The reply with every mark in brackets; what names no passage that exists stays as it is."""
    text = _PLAIN.sub(lambda match: _marked(match, known), text)
    if _BRACKETED.search(text):
        return text  # this reply's marks are brackets: the rest is what it looks like
    return _LOOSE.sub(lambda match: match[0] if _value(text, match) else _marked(match, known), text)


def undecided(text: str) -> bool:
    """Whether only the whole reply tells what its marks are."""
    return text.lstrip().startswith(("{", "[{", "```json")) or bool(_LOOSE.search(text))


def _value(text: str, match: re.Match[str]) -> bool:
    return _VALUES.search(text, max(0, match.start() - 20), match.start()) is not None


def _marked(match: re.Match[str], known: int) -> str:
    numbers = next(group for group in match.groups() if group).translate(_SUPERSCRIPTS)
    values = [int(digits) for digits in re.findall(r"\d+", numbers)]
    if not all(1 <= value <= known for value in values):
        return match[0]
    blank = " " if match[0][0] == " " else ""
    inner = re.sub(r"(?<=\d)[ ˒]+(?=\d)", ", ", numbers)
    return f"{blank}[{inner}]"


class Structured(NamedTuple):
    """What a reply in JSON says with its marks, and the names of fields with words in them that it leaves out."""

    text: str
    left_out: tuple[str, ...]


def structured(text: str) -> Structured | None:
    """What a reply in JSON says, each statement with its marks; None where it is none, or of no known shape."""
    fenced = _FENCED.match(text.strip())
    body = (fenced[1] if fenced else text).strip()
    if not body.startswith(("{", "[")):
        return None
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return None
    left: list[str] = []
    message = " ".join(_texts(data, 0, left))
    return Structured(message, tuple(dict.fromkeys(left))) if any(map(str.isalnum, message)) else None


def _texts(data: Any, depth: int, left: list[str]) -> Iterator[str]:
    if depth > DEEPEST:
        return
    if isinstance(data, list):
        for part in data:
            yield from _texts(part, depth + 1, left)
    if not isinstance(data, Mapping):
        return
    numbers = list(dict.fromkeys(number for name in _NAMED for number in _numbers(data.get(name), 0)))
    name = next((name for name in _TEXT_KEYS if isinstance(data.get(name), str) and data[name].strip()), None)
    if name is None:
        name = next((name for name in _PARTS if isinstance(data.get(name), list | Mapping)), None)
        if name is not None:
            yield from _texts(data[name], depth + 1, left)
    else:
        text = data[name].strip()
        yield f"{text} [{', '.join(map(str, numbers))}]" if numbers else text
    if name is not None:
        left += [key for key, value in data.items() if key not in (name, *_NAMED) and _worded(value)]


def _worded(value: Any) -> bool:
    """Whether a value is a text of several words, or a list of them."""
    return len(value.split()) > 2 if isinstance(value, str) else isinstance(value, list) and any(map(_worded, value))


def _numbers(value: Any, depth: int) -> Iterator[int]:
    """The passages that a field names: a number, its digits, a list, or objects with an id."""
    if isinstance(value, bool) or depth > DEEPEST:
        return
    if isinstance(value, int):
        yield value
    elif isinstance(value, str):
        if named := _NAME.fullmatch(value.strip()):
            yield int(named[1])
    elif isinstance(value, list):
        for part in value:
            yield from _numbers(part, depth + 1)
    elif isinstance(value, Mapping):
        name = next((name for name in _IDS if name in value), None)
        if name is not None:
            yield from _numbers(value[name], depth + 1)
