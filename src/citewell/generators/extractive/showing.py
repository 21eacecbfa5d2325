"""The confidence from which sentences are shown, and the conditions for showing an answer as certain.

A figure, a date or a name is right or wrong, so it is withheld below the fitted threshold, and a question for a figure
is not answered by a sentence without one. A reason, a list or a meaning is read in its sentence: it is shown below
that threshold too, with a hedge.
"""

from __future__ import annotations

import re
from dataclasses import replace

from citewell.generators.extractive.kinds import FIGURES
from citewell.generators.extractive.patterns import MONEY, NAMES, PERCENT, YEAR, any_of
from citewell.generators.extractive.phrases.sorts import COUNTED, counts, has_place, of_kind
from citewell.generators.extractive.questions import Question, analyse
from citewell.generators.extractive.scoring import fitted
from citewell.generators.extractive.settings import settings
from citewell.types import LOW_CONFIDENCE, Draft

_READ_IN_SENTENCES = ("reason", "manner", "definition", "list", "yes_no")
_THINGS = ("thing", "open")
_FIGURE = re.compile(r"\d")
_AMOUNT = re.compile(
    r"\bhow (?:many|much (?!of\b|(?:may|can|could|must|should)\b))|\bper ?cent(?:age)?\b|\b(?:salary|price|fee|cost)\b",
    re.IGNORECASE,
)
_LONGEST = 12  # words of an amount: "at least one hundred and twenty days of paid leave a year"
_HAPPENED = re.compile(r"\bwhen (?:was|were|did|had)\b", re.IGNORECASE)
_HAPPENS = re.compile(r"\bwhen (?:is|are|does|do|will)\b", re.IGNORECASE)
_CONDITION = re.compile(
    r"\b(?:if|whenever|unless|any ?time|(?:as|so) (?:soon|long) as|provided|events?|cases?)\b", re.IGNORECASE
)
_DATE = re.compile(r"\b(?:which|what) (?:year|month|day|date)\b", re.IGNORECASE)
_WHAT_TIME = re.compile(r"\bwhat time (?!of\b|(?:period|frame|span)\b)", re.IGNORECASE)
_CLOCK = re.compile(
    r"\d[:.]\d\d(?!\d)|\d ?[ap]\.?m\b|\bo['’]clock\b|\b(?:noon|midnight|midday)\b|\d ?(?:h|hrs|hours)\b", re.IGNORECASE
)
_HOW_LONG = re.compile(r"\bhow long\b", re.IGNORECASE)
_SHARE = re.compile(r"\d[\d.,]*\)?\s?(?:%|per ?cent\b)")
_AGE = re.compile(r"\bhow old\b|\b(?:what|which) (?:[\w-]+ ){0,4}age\b", re.IGNORECASE)
_BORN = re.compile(r"\b(?:born|built|founded|opened|established|created)\b", re.IGNORECASE)
_AGED = re.compile(r"\b(?:ages?|aged|old|years?|months?|birthday)\b", re.IGNORECASE)
_SIZE = re.compile(
    r"\bhow (?:old|big|large|high|low|tall|deep|wide|heavy|small)\b(?! an?\b)|"
    r"\b(?:what|which) (?:[\w-]+ ){0,4}(?:size|length|height|weight|width|age|dos(?:e|age)|distance|population)\b",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"\b(?:what|which) (?:(?:is|was|are|were) (?:the |their |its )?)?(?:(?:postal|street|e-?mail|web) )?address",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\bwhat (?:is|are|was|were) (?:the |its |their )?(?:full )?names? of\b", re.IGNORECASE)
_IN_MONEY = re.compile(r"\bin (?:US )?(?:dollars|euros|pounds|cents)\b", re.IGNORECASE)


def least_bare(question: Question, draft: Draft) -> float:
    """The least confidence of sentences that lack the amount that is asked for; 0 for others."""
    bare = draft.value is None and question.kind in FIGURES and _AMOUNT.search(question.text)
    return settings()["shown_bare"] if bare else 0.0


def least_confidence(question: str) -> float:
    """The least confidence with which sentences are shown for a question of this kind."""
    kind, s = analyse(question).kind, settings()
    return (
        s["shown_sentence"]
        if kind in _READ_IN_SENTENCES
        else s["shown_thing"]
        if kind in _THINGS
        else fitted().threshold
    )


def shown(draft: Draft, least: float) -> Draft:
    """The draft with a warning where it is below the fitted threshold, an abstention where it is below the least."""
    sure = draft.confidence or 0.0
    if sure < least:
        return draft.unsure(least)
    return replace(draft, warnings=(*draft.warnings, LOW_CONFIDENCE)) if sure < fitted().threshold else draft


def fitting(question: Question, draft: Draft) -> Draft:
    """Sentences with their short answer, withheld where an amount is asked for and they hold none of its kind.

    Where the short answer is of another kind than asked for ("when" without a time), they are hedged, without it.
    """
    value, kind = draft.value, question.kind
    numbered = value is not None and bool(_FIGURE.search(value.text) or any_of("number_words").search(value.text))
    if kind in FIGURES and _AMOUNT.search(question.text):
        unit, text = {"money": MONEY, "percent": PERCENT}.get(kind, _FIGURE), value.text if value else draft.text
        if not (value and value.unit) and not (
            unit.search(text) or (unit is _FIGURE and any_of("number_words").search(text))
        ):
            return replace(draft, confidence=0.0)
        if unit is _FIGURE and value is not None and not _counts(question.text, value.text):
            return replace(draft, confidence=0.0)
        if unit is _FIGURE and not has_amount(value.text if value else draft.text):
            return replace(draft, confidence=0.0)
        if not counts(question.text, draft.text):
            return replace(draft, confidence=0.0)
    if _HOW_LONG.search(question.text) and not _has_length(draft):
        return replace(draft, confidence=0.0)
    if value is None or value.kind == "yes_no":
        return draft
    if of_kind(question, value.text) and (kind not in FIGURES or (numbered and has_amount(value.text))):
        return draft
    return replace(without_value(draft), confidence=min(draft.confidence or 0.0, settings()["hedged"]))


def is_clause(question: Question, draft: Draft) -> bool:
    """Whether the short answer to a question for a figure is a clause that has one, too long to stand above it."""
    return draft.value is not None and question.kind in FIGURES and len(draft.value.text.split()) > _LONGEST


def without_value(draft: Draft) -> Draft:
    """A draft without its short answer and the words that it cites."""
    cited = draft.value.citations if draft.value else ()
    return replace(draft, sources=tuple(s for place, s in enumerate(draft.sources) if place not in cited), value=None)


def may_tell(question: Question, text: str, best: str) -> bool:
    """Whether an answer, and its best sentence, have what is asked for.

    A date needs a time, money more than a share, a size or rate an amount, an age one of years, a town or country a
    place, an address a number or a mark of one, "what is the name of" a name.
    """
    if _IN_MONEY.search(question.text) and not MONEY.search(text):
        return False
    if _NAMED.search(question.text):
        return has_name(question, best)
    if _ADDRESS.search(question.text):
        return re.search(r"[\d@/]", text) is not None
    if question.kind == "percent":
        return has_amount(text)
    if question.kind == "money":
        sums = _SHARE.sub(" ", YEAR.sub(" ", best))
        return MONEY.search(best) is not None or (re.search(r"\d", sums) is not None and has_amount(sums))
    if question.kind == "measure" and _SIZE.search(question.text):
        old = _AGE.search(question.text)
        since = old and _BORN.search(text) and YEAR.search(text)
        return bool(since) or (has_amount(text) and not (old and not _AGED.search(text)))
    if question.kind == "place":
        return has_place(question, text)
    return question.kind != "date" or has_time(question, text)


def has_name(question: Question, text: str) -> bool:
    """Whether a text has a name that is more than words of the question: an office is none of its holder."""
    asked_for = {word.lower() for word in re.findall(r"\w+", question.text)}
    names = (match[0].lower() for match in NAMES.finditer(text))
    return any(not set(re.findall(r"\w+", name)) <= asked_for for name in names)


def has_time(question: Question, text: str) -> bool:
    """Whether a text has a time, or none is needed: "when it rains" has a condition, "when it rained" a time."""
    if _WHAT_TIME.search(question.text):
        return _CLOCK.search(text) is not None
    happens = _HAPPENS.search(question.text)
    if (happens and _CONDITION.search(text)) or not (
        happens or _HAPPENED.search(question.text) or _DATE.search(question.text)
    ):
        return True
    from citewell.facts.extract import extract  # only where a time is asked for

    if extract(text).periods:
        return True
    times = [match[0] for match in any_of("times").finditer(text)]
    # "By what date": "when" and "after" are no date, "Monday" and "May" are.
    return (
        any(time[:1].isupper() or time[:1].isdigit() for time in times) if _DATE.search(question.text) else bool(times)
    )


def has_amount(text: str) -> bool:
    """Whether a text has a number that counts or measures, and not only those of codes and ranks.

    "BOD 16-01", "section 1.1.2" and "2nd level" have none.
    """
    from citewell.facts.extract import extract  # only where a number is asked for

    if any_of("number_words").search(text):
        return True
    numbers = extract(text).quantities
    codes = {each.start - 1 for each in numbers if each.kind == "identifier"}  # the second half of "16-01"
    return any(each.kind not in ("identifier", "ordinal") and each.end not in codes for each in numbers)


def _counts(question: str, text: str) -> bool:
    """Whether a short answer counts what "how many" asks for: no sum, share or length of time where things are counted.

    "How many flight hours" asks for a length of time, and days are one too.
    """
    asked_for = COUNTED.search(question)
    if asked_for is None:
        return True
    from citewell.facts.extract import extract  # only where a number is asked for

    units = (
        quantity for words in (asked_for[1], *asked_for[1].split()) for quantity in extract(f"2 {words}").quantities
    )
    families = {"", "occasions", *(quantity.family for quantity in units)}
    return all(quantity.family in families for quantity in extract(text).quantities)


def _has_length(draft: Draft) -> bool:
    """Whether a sentence of a draft has a length or a length of time, or the two times between which it lies."""
    from citewell.facts.extract import extract  # only where a length is asked for

    facts = [extract(source.quote) for source in draft.sources]
    return any(
        len(each.periods) > 1
        or any(quantity.family in ("time", "length") for quantity in each.quantities)
        or any(period.kind == "relative" or period.granularity == "years" for period in each.periods)
        for each in facts
    )
