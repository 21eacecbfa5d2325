"""The frame of a question: its head, its focus, and the times, places and names in it.

frame("What was revenue in 2022?")    # Frame(head="What was ", focus="revenue", rest=" in 2022")
"""

from __future__ import annotations

import re
from typing import NamedTuple

BE = r"(?:is|are|was|were)"
AUXILIARY = rf"(?:{BE}|did|does|do|has|have|had|can|could|will|would|shall|should|may|might|must)"
_ENDS = r"(?: (?:in|for|at|during|on|under|since|as of|by|between|from|among|within|per|across)\b.*)?"
_NOUNS = r"(?:(?:the|its|their|our|a|an) )?(?:[A-Z][\w&.’'-]*(?: [A-Z][\w&.’'-]*)*|[\w’'-]+(?: [\w’'-]+){0,3}?)"
_VERB = (
    r"(?:rise|rose|fall|fell|grow|grew|grown|change|changed|increase|increased|decrease|decreased|decline|"
    r"declined|drop|"
    r"dropped|improve|improved|go|went|make|made|have|has|had|get|got|pay|paid|sell|sold|buy|bought|use|used|do|need|"
    r"become|became|start|started|begin|began|end|ended|happen|happened|apply|applies|mean|say|include|"
    r"included|cover|"
    r"cost|employ|employed|own|owned|report|reported|receive|received|build|built|founded|based|made|"
    r"collected|trained|"
    r"evaluated|paid|sold|located|published|signed|written|caused|work|live|die|died|born|lose|lost|win|won|"
    r"\w+ed|\w+ing)"
)
_DEGREE = r"(?:long|old|large|big|high|tall|low|wide|deep|heavy|fast|common|expensive|likely|reliable|accurate)"
_FORMS = (
    # "Where was the season filmed": what was done to the focus stays behind it.
    (
        rf"(?P<head>(?:where|when|why|how) {BE} )"
        rf"(?P<focus>(?:the|its|their|our|your)(?: (?!\w+(?:ed|ing)\b)[\w’'-]+){{1,3}})"
        r"(?P<rest> (?:not )?(?:\w{2,20}ed|made|built|held|sold|found|written|paid|shot|given|chosen|done)\b.*)"
    ),
    (
        rf"(?P<head>(?:what|who|where|when|which|how(?: {_DEGREE})?) {BE} (?:(?:the|its|their|our|your|a|an|total) "
        rf")*)(?P<focus>.+?)(?P<rest>{_ENDS})"
    ),
    (
        rf"(?P<head>how (?:much|many|long|high|large|big|often|far|old|low) )(?P<focus>(?!{AUXILIARY}\b).+?)"
        rf"(?P<rest> {AUXILIARY}\b.*)"
    ),
    (
        rf"(?P<head>(?:(?:why|how|when|where|by how much|how much|to what extent|what|who) )?{AUXILIARY} "
        rf")(?P<focus>{_NOUNS})(?P<rest> (?:not |also )?{_VERB}\b.*)"
    ),
    rf"(?P<head>(?:which|what) )(?P<focus>.+?)(?P<rest> {AUXILIARY}\b.*)",
    # "Under what conditions may the tenant sublet": any verb behind a subject with an article.
    (
        rf"(?P<head>(?:(?:under|in|on|at|by|for|to|with|from|until) )?(?:what|which|when|how|why|where)"
        rf"(?: [\w-]+){{0,4}}? {AUXILIARY} )"
        r"(?P<focus>(?:the|its|their|a|an) (?:(?-i:[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)*)|[\w’'-]+))"
        r"(?P<rest> (?:not )?[a-z]\w.*)"
    ),
    (
        rf"(?P<head>(?:describe|summari[sz]e|define|list|explain|give|show|name|tell me about) (?:me "
        rf")?(?:(?:the|its|a|an) )?)(?P<focus>.+?)(?P<rest>{_ENDS})"
    ),
)
_FRAMES = [re.compile(form, re.IGNORECASE) for form in _FORMS]
YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?:[/–-]\d\d(?:\d\d)?)?(?![\d]|[.,]\d)")
PERIOD = re.compile(
    r"(?:(?:in|for|during|at the end of|as of|by|since|of) )?(?:(?:the )?(?:first|second|third|fourth|1st|"
    r"2nd|3rd|4th) quarter "
    r"(?:of )?|Q[1-4],? ?|(?:the )?(?:fiscal|financial) (?:year )?|FY ?'?|(?:the )?year )?"
    r"(?<![\d.,])(?:19|20)\d\d(?:[/–-]\d\d(?:\d\d)?)?(?![\d]|[.,]\d)",
    re.IGNORECASE,
)
NAME = re.compile(r"(?<!^)(?<![.?!] )\b[A-Z][\w&.-]*(?:[’'](?!s\b)\w+)?(?: (?:of |the |and )?[A-Z][\w&.-]*)*")


class Turn(NamedTuple):
    """A question as it was understood, and what a later one needs to know of its answer."""

    question: str  # as it was understood
    reply: str = ""  # the short answer, else the first sentence of the answer; empty where there was none
    period: str = ""  # the time of the figure that was answered
    kind: str = ""  # of the short answer
    text: str = ""  # the first statement of the answer
    place: str = ""  # where its evidence stands: the document's id and an offset, with a blank between


class Frame(NamedTuple):
    """A question in three parts, which make it when they are put together, but for the question mark."""

    head: str  # the words before what it is about: "What was ", "Why did "
    focus: str  # what it is about: "revenue", "operating costs"
    rest: str  # what stands behind it: " in 2022", " rise in 2022"


def bare(question: str) -> str:
    """A question on one line without its mark."""
    return " ".join(question.split()).rstrip("?!. ").strip()


def frame(question: str) -> Frame | None:
    """The frame of a question, None where its form is not known."""
    text = bare(question)
    for form in _FRAMES:
        if match := form.fullmatch(text):
            return Frame(match["head"], match["focus"], match["rest"])
    return None


def ask(*parts: str) -> str:
    """The question that parts make, on one line with its mark."""
    text = " ".join("".join(parts).split()).rstrip("?!. ")
    return f"{text[:1].upper()}{text[1:]}?"


def time_of(last: Turn) -> str:
    """The time of the last question in words, with a blank in front."""
    match = PERIOD.search(last.question)
    return f" {match[0]}" if match and not match[0][:1].isdigit() else f" in {match[0]}" if match else ""
