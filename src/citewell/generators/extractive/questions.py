"""Analyses a question: the relevant words, the expected kind of answer, the years, numbers and names in it.

asked = analyse("What was revenue in FY2022?")
asked.kind, asked.years   # ("money", ("2022",))

English question words are known; a question in another language has the kind "open" and is matched by its words.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal, NamedTuple, get_args

Kind = Literal[
    "date", "person", "place", "count", "money", "percent", "measure", "reason", "manner", "definition", "list",
    "yes_no", "thing", "open",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)

_MONEY = (
    r"(?:revenues?|sales|income|profits?|surplus|deficit|earnings|losses|loss|expenses?|costs?|price|budget|debts?|liabilit(?:y|ies)|"
    r"assets?|cash|dividends?|spend(?:ing)?|expenditures?|capex|salary|salaries|payments?|inventor(?:y|ies)|"
    r"goodwill|receivables?|payables?|equity|ebitda|fees?|fines?|taxes|deposits?|value|worth|"
    r"rents?|wages?|(?:hourly|daily) rates?|fares?|tolls?|surcharges?|charges?|premiums?|penalt(?:y|ies)|"
    r"royalt(?:y|ies)|tuition|refunds?|stipends?|bonus(?:es)?)"
)
# "revenue recognition" is a matter, no sum, and "Cash Boost" a name.
_NOT_MONEY = r"(?! (?:from|model|strateg|recogni|polic)|(?-i:(?<=[a-z]) [A-Z]))"
_FIGURE = (
    r"(?:amount|total|score|accuracy|precision|recall|f1|size|length|height|weight|width|depth|speed|distance|"
    r"duration|age|temperature|dose|dosage|population|area|volume|ratio|numbers?|performance|range|level|"
    r"incidence|prevalence|threshold|limit|period|turnover)"
)
_PERCENT = (
    r"(?:percent(?:age)?|per cent|proportion|share of|market share|fraction|(?<!hourly )(?<!daily )rate|margin|yield)"
)
_BE = r"(?:is|are|was|were)"
_GROUP = (
    r"(?:person|people|author|company|companies|organi[sz]ation|team|group|agency|institution|university|scientist|"
    r"researchers?|player|actor|actress|singer|president|king|queen|ceo|name)"
)
_PLACE = r"(?:country|countries|city|cities|place|state|region|location|continent|river|town|province|area|part of)"
_TIME = r"(?:years?|dates?|days?|months?|centur|decade|time|era)"
_DEGREE = r"(?:much|long|old|big|large|tall|high|low|deep|wide|far|fast|heavy|small|hot|cold|close|well)"
_AUXILIARY = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must)"
_WAY = r"(?:method|approach|technique|process|procedure|steps?|mechanism|way)"

# Questions about the meaning of an expression, which is what stands in the one group that takes part.
_MEANING = re.compile(
    r"\bwhat (?:does|do|did) (?:the (?:term|word|phrase) )?(.{1,60}?) (?:mean|stand for|refer to)\b|"
    r"\b(?:what|who) (?:counts|qualifies) as (.{1,60}?)[?.]*$|"
    r"\bwhat (?:is|are|was|were) meant by (.{1,60}?)[?.]*$|"
    r"\b(?:define|(?:definition|meaning) of) (?!wh)(.{1,60}?)[?.]*$",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)

# Tried in order; the first of which an alternative is found decides.
ALTERNATIVES: dict[Kind, tuple[str, ...]] = {
    "reason": (
        r"\bwhy\b",
        r"\bhow come\b",
        rf"\bwhat (?:{_BE} the )?(?:main |primary )?(?:caus|reason|motivat|drove|drives|explain)",
        r"\breasons? (?:for|why|that)",
        r"\bfor what (?:reason|purpose)",
    ),
    "date": (
        r"\bwhen\b",
        rf"\b(?:what|which|in what|on what) (?:calendar |fiscal )?{_TIME}",
        r"\bhow recent",
    ),
    "percent": (
        rf"\b(?:what|which|how)\b[^?]{{0,40}}\b{_PERCENT}\b",
        rf"\bhow (?:high|low) {_BE}\b[^?]*\b{_PERCENT}\b",
    ),
    "count": (
        r"\bhow many\b",
        rf"\bwhat {_BE} the (?:total )?number\b",
        r"\bhow (?:often\b|frequent|numerous)",
    ),
    "money": (
        rf"\bhow much\b[^?]*\b(?:money|cost|pay|paid|spen[dt]|earn|owe|worth|invest|raise|charge|{_MONEY})",
        rf"\bhow (?:high|large|big|low) {_BE}\b[^?]{{0,40}}\b{_MONEY}\b{_NOT_MONEY}",
        rf"\b(?:what|which)\b (?:(?:{_BE}|did|does|do)\b[^?]{{0,60}}\b|[^?]{{0,12}}\b){_MONEY}\b{_NOT_MONEY}",
    ),
    "measure": (
        rf"\bhow {_DEGREE}\b",
        rf"\b(?:what|which) {_BE} (?:the |their |its )?(?:[\w-]+ ){{0,3}}{_FIGURE}\b",
        r"\b(?:what|which) (?:dose|dosage|size|age|height|weight)\b",
        r"\bat what (?:age|temperature|point|speed)",
    ),
    "person": (r"\bwho(?:m|se)?\b", rf"\b(?:what|which) {_GROUP}\b"),
    "place": (r"\bwhere\b", rf"\b(?:what|which) {_PLACE}\b"),
    "manner": (
        r"\bhow\b",
        r"\bin what way",
        rf"\b(?:what|which) {_WAY}\b",
        r"\bby what means",
        r"\bwhat (?:happens|happened|(?:will|would) happen)\b",
    ),
    "list": (
        r"\bwhat are (?:the|some|its|their|all|[\w-]+['’]s?)(?!\w)",
        r"^\W*(?:please )?(?:list|name|enumerate)\b",
        r"\bwhich (?:[\w-]+ ){0,2}\w+s (?:are|were|do|did|have)\b",
        r"\bwhat (?:kinds?|types?|sorts?) of\b",
        r"\bwhat (?:[\w-]+ ){0,2}\w+[^s\W]s (?:are|were|do|did|does|have)\b",
    ),
    "definition": (
        rf"^\W*(?:what|who)(?:'s| {_BE}) (?:an? |the )?(?:(?!(?:1[5-9]|20)\d\d\b)[\w'’-]++\W*+){{1,4}}$",
        r"\bdefin(?:e|ition)\b",
        r"\bmeaning of\b",
    ),
    "yes_no": (rf"^\W*{_AUXILIARY}(?:n't|n’t)?\b",),
    "thing": (r"\b(?:what|which)\b",),
}

# What asks is the first of these words; those behind it open clauses ("how did it act when ...").
INTERROGATIVE = re.compile(r"\b(?:what|which|whom?|whose|when|where|why|how)\b", re.IGNORECASE)
_WHETHER = re.compile(rf"^\W*{_AUXILIARY}(?:n't|n’t)?\b(?! (?:you|we|i)\b)", re.IGNORECASE)

# Sentences that tell the answerer how to answer, not what is asked.
_INSTRUCTION = re.compile(
    r"^\W*(?:please\b|round\b|answer (?:in|with|the question)|give (?:a|your) (?:response|answer)|base your|"
    r"calculate \(|if [^?]*\b(?:state that|explain why)|we (?:want|need) to calculate|"
    r"use (?:only )?the (?:information|data)|basing your judg|here's the question|respond\b|be (?:brief|concise))",
    re.IGNORECASE,
)
_PREAMBLE = re.compile(r"^.*\b(?:here's|here is) the question\s*:\s*", re.IGNORECASE | re.DOTALL)
_SENTENCE = re.compile(r"[^.?!]++(?:[.?!](?=\w)[^.?!]*+)*+[.?!]*+")
_YEAR = re.compile(r"(?<![\d.,])(?:FY\s?|fiscal(?: year)?\s?)?((?:1[5-9]|20)\d\d)(?!\d|[.,]\d)", re.IGNORECASE)
_SHORT_YEAR = re.compile(r"\bFY\s?['’]?(\d\d)\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.,])\d+(?![\dA-Z])(?:,\d{3})*(?:\.\d+)?")  # "3M" is a name
_NAME = re.compile(r"(?<![.?!]\s)(?<!^)\b(?:\d?[A-Z][\w’'&-]*|[a-z]+[A-Z]\w*)(?:\s+\d?[A-Z][\w’'&-]*)*")
_NEGATION = re.compile(r"\b(?:not|no|never|without|neither|nor|none|cannot|except|lack\w*)\b|n['’]t\b", re.IGNORECASE)
_NO_NOUN = rf"(?!{_AUXILIARY}\b)"
_FOCUS = re.compile(
    rf"\b(?:what|which|how many|how much)\s+((?:{_NO_NOUN}[\w-]+\s+){{0,3}}?{_NO_NOUN}[\w-]+)", re.IGNORECASE
)


class Question(NamedTuple):
    """A question taken apart.

    Attributes:
        text: the question without instructions on how to answer, "FY2022" written "2022".
        kind: of the answer that is expected.
        years, numbers, names: as they stand in the question; a year is not among the numbers.
        focus: the noun after "what", "which", "how many": what the answer is one of; empty where there is none.
        negated: whether there is a negation in it.
        meaning: the expression whose meaning is asked for, without an article; empty where none is.
    """

    text: str
    kind: Kind
    years: tuple[str, ...]
    numbers: tuple[str, ...]
    names: tuple[str, ...]
    focus: str
    negated: bool
    meaning: str = ""


@cache
def rule(kind: Kind) -> re.Pattern[str]:
    """What shows that a question asks for this; most questions are told by the first few."""
    return re.compile("|".join(ALTERNATIVES[kind]), re.IGNORECASE)


def _kind(asking: str) -> Kind:
    """The kind of answer, by the word that asks."""
    if _WHETHER.match(asking):
        return "yes_no"
    first = INTERROGATIVE.search(asking)
    at = first.end() if first else len(asking)
    masked = asking[:at] + INTERROGATIVE.sub("…", asking[at:])
    return next((kind for kind in ALTERNATIVES if rule(kind).search(masked)), "open")


def analyse(question: str) -> Question:
    """Take a question apart. Never fails: what is not recognised has the kind "open" and no names or numbers."""
    text = _PREAMBLE.sub("", question.strip())
    parts = [part.strip() for part in _SENTENCE.findall(text)]
    kept = [part for part in parts if part and not _INSTRUCTION.match(part)]
    text = " ".join(kept) or question.strip()
    text = _SHORT_YEAR.sub(lambda match: f"20{match[1]}", text)
    years = tuple(dict.fromkeys(_YEAR.findall(text)))
    text = _YEAR.sub(lambda match: match[1], text)
    asking = next((part for part in reversed(kept) if part.endswith("?")), text)
    meant = _MEANING.search(asking)
    meaning = _ARTICLE.sub("", next(filter(None, meant.groups())).strip("\"'“”‘’ ")) if meant else ""
    kind = _kind(asking)
    kind = "definition" if meaning else kind
    focus = _FOCUS.search(asking)
    numbers = tuple(dict.fromkeys(match for match in _NUMBER.findall(text) if match not in years))
    names = tuple(dict.fromkeys(_NAME.findall(text)))
    negated = bool(_NEGATION.search(text))
    return Question(text, kind, years, numbers, names, focus[1] if focus else "", negated, meaning)
