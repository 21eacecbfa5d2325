"""Patterns for kinds of answers in a sentence: dates, figures, money, names, places, reasons, ways."""

from __future__ import annotations

import re
from functools import cache

from citewell.generators.extractive.settings import PACKAGE
from citewell.text.data import read_json
from citewell.text.times import MONTH


@cache
def any_of(name: str) -> re.Pattern[str]:
    """Any word or phrase of a list of `words.json` as whole words; an entry is a pattern, "_" in it a space."""
    listed = read_json(PACKAGE, "words.json")["lists"][name].split()
    return re.compile(rf"\b(?:{'|'.join(entry.replace('_', ' ') for entry in listed)})\b", re.IGNORECASE)


YEAR = re.compile(r"(?<![\d.,])(?:1[5-9]|20)\d\d(?!\d|[.,]\d)")
DATE = re.compile(
    rf"\b(?:1\d|20)\d\ds?\b|\b{MONTH}\.? \d|\b\d+(?:st|nd|rd|th)? (?:of )?{MONTH}\b|\bin {MONTH}\b|"
    r"\b[Cc]entur(?:y|ies)\b|\b\d+ (?:BCE?|AD|CE)\b|"
    r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\b(?:January|February|April|June|July|August|September|October|"
    r"November|December)\b"
)
NUMBER = re.compile(r"(?<!\w)\d+(?:,\d{3})*(?:\.\d+)?")

MONEY = re.compile(r"[$€£¥₹]|\b(?:dollars?|euros?|pounds?|USD|EUR|GBP|cents?|[bm]illion)\b")
PERCENT = re.compile(r"%|\bper ?cent\b|\bpercentage\b|\bbasis points\b", re.IGNORECASE)
UNIT = re.compile(
    r"\d\s?(?:[%°]|(?:k|[kcm]?m|km/h|mph|g|[km]g|ml|hours?|minutes?|seconds?|days?|weeks?|months?|years?|met(?:er|re)s?|"
    r"feet|foot|ft|miles?|inch(?:es)?|acres?|tons?|points?|times|people|words|tokens|sentences|examples|hz|[gm]hz|"
    r"[kmgt]b)\b)",
    re.IGNORECASE,
)
NAME = re.compile(r"(?<![.?!:|]\s)(?<!^)\b[A-Z][\w’'&-]+(?:\s+(?:of |the |de |van |von )?[A-Z][\w.’'&-]*)*")
NAMES = re.compile(r"\b[A-Z][\w’'.-]+(?:\s+(?:of |the |de |van |von )?[A-Z][\w.’'-]*)*")  # at the beginning too
PLACE = re.compile(
    r"\b(?:in|at|from|near|to|of|between|through|across|into|around|north|south|east|west)(?: the)? [A-Z]\w+|"
    r"\b(?:located|situated|headquartered|based|where|area|region|city|country|coast)\b"
)

CURRENCY = re.compile(r"[$€£¥₹]|\b(?:dollars|euros|USD|EUR|GBP)\b")
# How a definition reads, before and after the expression that it explains.
OPENING = re.compile(r"\W*(?:(?:an?|the|term|word|our|each|any)\s+)*[\"“'‘]?", re.IGNORECASE)
DEFINED = re.compile(
    r"[\"”'’]?(?:\s*\([^)]*\))?,?\s*(?::|[—–-]\s|(?:\w+ly )?(?:is|are|means?|refers?|stands?|denotes?|"
    r"describes?|represents?|comprises?|consists?|includes?|covers?|if|when|that is)\b)",
    re.IGNORECASE,
)
CONDITION = re.compile(r"[\"”'’]?\s*(?:if|when|means?|refers? to|(?:is|are) defined as|stands? for)\b", re.IGNORECASE)
QUOTED = re.compile(r".?[\"“‘][\"”’].?", re.DOTALL)
DEFINING = re.compile(r"\b(?:defin\w++|call(?:s|ed)?|known as|termed|meaning of)\b[^.]*+$", re.IGNORECASE)
DEFINITION = re.compile(r"\b(?:defin(?:e[sd]?|itions?)|means)\b", re.IGNORECASE)
LIST = re.compile(r"\w: \w|\b(?:include|includes|including|such as|following|namely|consists? of|comprises?)\b")
FALL = re.compile(
    r"\b(?:decreas|declin|fell\b|falls?\b|fallen\b|lower|drop|(?:go|goes|went|gone) down\b|reduc|worsen|shr[iau]nk)",
    re.IGNORECASE,
)
RISE = re.compile(
    r"\b(?:increas|grew\b|grow|rose\b|rises?\b|risen\b|higher|(?:go|goes|went|gone) up\b|improv|gain|expan)",
    re.IGNORECASE,
)
REFERENCE = re.compile(
    r"\b(?:see|refer to|in) (?:the )?(?:note|item|part|section|table|figure|appendix|exhibit)s? [\dIVX]|"
    r"(?:\. ?){3,}\d|incorporated (?:herein )?by reference|following tables?\b",
    re.IGNORECASE,
)
