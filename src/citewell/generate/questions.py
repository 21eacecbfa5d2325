"""What a question asks for: the words that matter, the kind of answer expected, the years, numbers and names in it.

asked = analyse("What was revenue in FY2022?")
asked.kind, asked.years   # ("money", ("2022",))

English question words are known; a question in another language has the kind "open" and is matched by its words.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Kind = Literal[
    "date", "person", "place", "count", "money", "percent", "measure", "reason", "manner", "definition", "list",
    "yes_no", "thing", "open",
]  # fmt: skip
KINDS: tuple[Kind, ...] = (
    "date", "person", "place", "count", "money", "percent", "measure", "reason", "manner", "definition", "list",
    "yes_no", "thing", "open",
)  # fmt: skip

_MONEY = (
    r"(?:revenues?|sales|income|profits?|earnings|losses|loss|expenses?|costs?|price|budget|debts?|liabilit(?:y|ies)|"
    r"assets?|cash|dividends?|spend(?:ing)?|expenditures?|capex|salary|salaries|payments?|inventor(?:y|ies)|"
    r"goodwill|receivables?|payables?|equity|ebitda|fees?|fines?|taxes|deposits?|value|worth)"
)
_FIGURE = (
    r"(?:amount|total|score|accuracy|precision|recall|f1|size|length|height|weight|width|depth|speed|distance|"
    r"duration|age|temperature|dose|dosage|population|area|volume|ratio|numbers?|performance|range|level|"
    r"incidence|prevalence|threshold|limit|period|turnover)"
)
_PERCENT = r"(?:percent(?:age)?|per cent|proportion|share of|market share|fraction|rate|margin|yield)"

# Tried in order; the first that is found decides.
_RULES: tuple[tuple[Kind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        ("reason", r"\bwhy\b|\bhow come\b|\bwhat (?:(?:was|is|were|are) the )?(?:main |primary )?(?:caus|reason|motivat|drove|drives|explain)|\breasons? (?:for|why|that)|\bfor what (?:reason|purpose)"),
        ("date", r"\bwhen\b|\b(?:what|which|in what|on what) (?:calendar |fiscal )?(?:years?|dates?|days?|months?|centur|decade|time|era)|\bsince when\b|\bhow recent"),
        ("percent", r"\b(?:what|which|how)\b[^?]{0,40}\b" + _PERCENT + r"\b|\bhow (?:high|low) (?:is|was|are|were)\b[^?]*\b" + _PERCENT + r"\b"),
        ("count", r"\bhow many\b|\bwhat (?:is|was|are|were) the (?:total )?number\b|\bhow often\b|\bhow (?:frequent|numerous)"),
        ("money", r"\bhow much\b[^?]*\b(?:money|cost|pay|paid|spen[dt]|earn|owe|worth|invest|raise|charge|" + _MONEY + r")|\b(?:what|which)\b (?:(?:is|was|were|are|did|does|do)\b[^?]{0,60}\b|[^?]{0,12}\b)" + _MONEY + r"\b(?! (?:from|model|strateg|recogni|polic))"),
        ("measure", r"\bhow (?:much|long|old|big|large|tall|high|low|deep|wide|far|fast|heavy|small|hot|cold|close|well)\b|\b(?:what|which) (?:is|was|are|were) (?:the |their |its )?(?:[\w-]+ ){0,3}" + _FIGURE + r"\b|\bat what (?:age|temperature|point|speed)"),
        ("person", r"\bwho(?:m|se)?\b|\b(?:what|which) (?:person|people|author|company|companies|organi[sz]ation|team|group|agency|institution|university|scientist|researchers?|player|actor|actress|singer|president|king|queen|ceo|name)\b|\bby whom\b"),
        ("place", r"\bwhere\b|\b(?:what|which) (?:country|countries|city|cities|place|state|region|location|continent|river|town|province|area|part of)\b"),
        ("manner", r"\bhow\b|\bin what way|\b(?:what|which) (?:method|approach|technique|process|procedure|steps?|mechanism|way)\b|\bby what means"),
        ("list", r"\bwhat are (?:the|some|its|their|all|[\w-]+['’]s?)(?!\w)|\b(?:list|name|enumerate)\b|\bwhich (?:[\w-]+ ){0,2}\w+s (?:are|were|do|did|have)\b|\bwhat (?:kinds?|types?|sorts?) of\b|\bwhat (?:[\w-]+ ){0,2}\w+[^s\W]s (?:are|were|do|did|does|have)\b"),
        ("definition", r"^\W*(?:what|who)(?:'s| is| are| was| were) (?:an? |the )?(?:[\w'’-]+\W*){1,4}\?*$|\bdefin(?:e|ition)\b|\bwhat (?:does|do|did) .{1,60}\b(?:mean|stand for|refer to)\b|\bmeaning of\b"),
        ("yes_no", r"^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must)(?:n't|n’t)?\b"),
        ("thing", r"\b(?:what|which)\b"),
    )
)  # fmt: skip

# Sentences that tell the answerer how to answer, not what is asked.
_INSTRUCTION = re.compile(
    r"^\W*(?:please\b|round\b|answer (?:in|with|the question)|give (?:a|your) (?:response|answer)|base your|calculate \(|"
    r"if [^?]*\b(?:state that|explain why)|we (?:want|need) to calculate|use (?:only )?the (?:information|data)|"
    r"basing your judg|here's the question|respond\b|be (?:brief|concise))",
    re.IGNORECASE,
)
_PREAMBLE = re.compile(r"^.*\b(?:here's|here is) the question\s*:\s*", re.IGNORECASE | re.DOTALL)
_SENTENCE = re.compile(r"[^.?!]+(?:[.?!](?=\w)[^.?!]*)*[.?!]*")
_YEAR = re.compile(r"(?<![\d.,])(?:FY\s?|fiscal(?: year)?\s?)?((?:1[5-9]|20)\d\d)(?!\d|[.,]\d)", re.IGNORECASE)
_SHORT_YEAR = re.compile(r"\bFY\s?['’]?(\d\d)\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?")
_NAME = re.compile(r"(?<![.?!]\s)(?<!^)\b(?:[A-Z][\w’'&-]*|[a-z]+[A-Z]\w*)(?:\s+[A-Z][\w’'&-]*)*")
_NEGATION = re.compile(r"\b(?:not|no|never|without|neither|nor|none|cannot|except|lack\w*)\b|n['’]t\b", re.IGNORECASE)
_FOCUS = re.compile(
    r"\b(?:what|which|how many|how much)\s+((?:(?!is\b|are\b|was\b|were\b|do\b|does\b|did\b|has\b|have\b|can\b)[\w-]+\s+){0,3}?"
    r"(?!is\b|are\b|was\b|were\b|do\b|does\b|did\b|has\b|have\b|can\b|will\b)[\w-]+)",
    re.IGNORECASE,
)


class Question(NamedTuple):
    """A question taken apart.

    Attributes:
        text: the question without instructions on how to answer, "FY2022" written "2022".
        kind: of the answer that is expected.
        years, numbers, names: as they stand in the question; a year is not among the numbers.
        focus: the noun after "what", "which", "how many": what the answer is one of; empty where there is none.
        negated: whether there is a negation in it.
    """

    text: str
    kind: Kind
    years: tuple[str, ...]
    numbers: tuple[str, ...]
    names: tuple[str, ...]
    focus: str
    negated: bool


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
    kind: Kind = next((kind for kind, pattern in _RULES if pattern.search(asking)), "open")
    focus = _FOCUS.search(asking)
    numbers = tuple(dict.fromkeys(found for found in _NUMBER.findall(text) if found not in years))
    names = tuple(dict.fromkeys(_NAME.findall(text)))
    return Question(text, kind, years, numbers, names, focus[1] if focus else "", bool(_NEGATION.search(text)))
