"""Whole names, figures and times of a claim that do not occur in its evidence, for the reasons."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from citewell.facts.align import Finding
from citewell.facts.features import ClaimAlignment
from citewell.facts.kinship import look_up
from citewell.facts.tokens import Tokens, rarity
from citewell.facts.types import Period, Quantity
from citewell.facts.whole import acts, may_act, span_of
from citewell.facts.wordnet import ADJECTIVE, wordnet
from citewell.text.spans import overlap
from citewell.types import Span

_IN_NAMES = frozenset(("", "-", "&", "'s", "’s", ".", "'", "’"))  # between the words of one name
_POSSESSIVE = re.compile(r"(?:['’]s)?$")
_OWNS = re.compile(r"['’]s|.?.?\s?['’](?!\w)")  # "Augustus ' wife"
_QUOTATION = re.compile(r"“[^”]*”|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)|‘[^’]*’(?!\w)")
_ROMAN = frozenset(("I", "II", "III", "IV", "V"))  # "World War I"
_COMMON = 0.7  # how rare a word is at most that may be a term of a contract
_STEM = 3  # letters of a name that stand within a longer word by no chance
_KIN = 3  # letters that a name shares with what is called after it or spelled otherwise: "Canadian", "Colón"
_INITIALS = 3  # letters that stand for a name
_LONG = 5  # letters of a name that is no other name in one letter
_BEFORE, _BEHIND = frozenset(" \"“‘'"), frozenset(" \"”’'.,;:?")  # marks that cut no name
_MORE = re.compile(r"\s+[A-Z(]|,\s+\d|\.\w")  # what goes on with a name or date
_DAYS = re.compile(r"\d(?:\s+(?:and|or|to))?\s*$")  # what a date is the other half of: "3 and 8 October"
_ANY_YEAR = re.compile(r"(?<!\d)(?:1\d|20)\d\d(?!\d)")
_WRITTEN_YEAR = re.compile(r"(?:19|20)\d\d")
_TOLD = frozenset(("percent", "points", "ratio", "money", "measure"))
_TITLE = 8  # words of a quotation that is a title at most
_PREPOSITIONS = frozenset("in on since by until till from to during before after between and or around of".split())
_COUNTRIES = (  # names of one country that share no beginning
    frozenset("america american americans states us usa u.s u.s.a".split()),
    frozenset("britain british england english kingdom uk u.k".split()),
    frozenset("russia russian russians soviet soviets ussr u.s.s.r".split()),
    frozenset("netherlands holland dutch".split()),
    frozenset("iran iranian persia persian".split()),
    frozenset("myanmar burma burmese".split()),
)
_BUT = frozenset("outside except without unlike beyond than".split())
_PRONOUNS = frozenset("he him his she her hers it its they them their".split())


class Texts(NamedTuple):
    """What a word that is called missing must not stand in, case folded: what is cited, and the documents."""

    cited: Sequence[str]
    documents: Sequence[str]


def content_keys(reason: Finding, alignment: ClaimAlignment) -> set[str]:
    """The stems of the words of content that a reason is about."""
    tokens = alignment.claim.tokens
    return {tokens.keys[n] for n in words_of(reason, alignment) if tokens.content[n]}


def words_of(reason: Finding, alignment: ClaimAlignment) -> range:
    """The places of the words of the claim that a reason is about."""
    return alignment.claim.tokens.between(*reason.claim_span)


def quote(text: str, span: Span) -> str:
    """A piece of a text as it is quoted: in one line, with other marks for the quotations inside."""
    return " ".join(text[slice(*span)].replace("“", "‘").replace("”", "’").split())


def not_there(finding: Finding, alignment: ClaimAlignment, texts: Texts) -> Iterator[Finding]:
    """The names, figures and times of which the evidence has no word; whatever else it lacks is not told."""
    claim, words = alignment.claim.tokens, words_of(finding, alignment)
    first = min(
        (cue.start for cue in alignment.claim.negations), default=len(claim.text)
    )  # what is denied lacks nothing
    places = (n for n in words if claim.content[n] and claim.starts[n] < first)
    spans = (_figure(n, alignment) or _name(n, alignment) for n in places)
    for span in dict.fromkeys(span for span in spans if span and not _stands_there(span, alignment, texts)):
        message = f"“{quote(claim.text, span)}” is not in the evidence"
        yield replace(finding, claim_span=span, message=message, sentence=-1, evidence_span=None)


def _stands_there(span: Span, alignment: ClaimAlignment, texts: Texts) -> bool:
    """Whether any of these words stands in the evidence, in another form or within a longer word too."""
    claim = alignment.claim.tokens
    words = [n for n in claim.between(*span) if claim.content[n]]
    sides = [premise.tokens for premise in alignment.premises]
    names = {word for side in sides for word, named in zip(side.lower, side.names, strict=True) if named}
    keys = {key for side in sides for key in side.key_set}
    everywhere = (*texts.cited, *texts.documents)  # a table of the document may state what was not read
    if any(_has_year_within(time, text) for time in _long_times(span, alignment) for text in everywhere):
        return True
    initials = "".join(claim.lower[n][0] for n in words if claim.names[n])
    if len(initials) >= _INITIALS and any(has_words(text, initials) for text in everywhere):
        return True
    for n in words:
        word, named = claim.lower[n], claim.names[n]
        stem = word.removesuffix("s")
        forms = (word, f"'{word[2:]}", f"’{word[2:]}") if _WRITTEN_YEAR.fullmatch(word) else (word,)  # "'94"
        read = alignment.covered[n] or claim.keys[n] in keys
        if read or any(has_words(text, form) for text in everywhere for form in forms):
            return True
        if named and (any(other.startswith(stem[:_KIN]) for other in names) or _is_of_country(word, texts.cited)):
            return True
        if named and any(has_words(text, form) for text in everywhere for form in _of_one_root(claim, n)):
            return True
        if named and any(_is_slip(word, other) for side in sides for other in side.lower):
            return True
        if named and _is_place(claim, n, "country") and any(_names_a_city(side) for side in sides):
            return True  # it may lie there
        if named and len(stem) >= _STEM and any(stem in text for text in texts.documents):
            return True
    return False


def _long_times(span: Span, alignment: ClaimAlignment) -> Iterator[Period]:
    """The decades and centuries of these words."""
    periods = alignment.claim.periods
    return (time for time in periods if time.granularity in ("decade", "century") and overlap(time.span, span))


def _has_year_within(time: Period, text: str) -> bool:
    """Whether a text has a year of a longer time: "1860" of "the 1800's"."""
    days = (date(int(year), 7, 1).toordinal() for year in _ANY_YEAR.findall(text))
    return time.begin is not None and time.until is not None and any(time.begin <= day < time.until for day in days)


def _of_one_root(tokens: Tokens, place: int) -> Iterator[str]:
    """The words of the same root: "Danish" for "Denmark"."""
    return (wordnet().lemmas[entry] for entry in tokens.known[place].derived)


def _is_slip(word: str, other: str) -> bool:
    """Whether two long words differ in one letter: "Abeville" and "Abbeville" are one name."""
    if min(len(word), len(other)) < _LONG or abs(len(word) - len(other)) > 1:
        return False
    same = (n for n in range(len(word) + 1) if word[:n] == other[:n])
    return any(word[n + more :] == other[n + less :] for n in same for more, less in ((1, 1), (1, 0), (0, 1)))


def _is_of_country(word: str, texts: Sequence[str]) -> bool:
    """Whether a text has another name of a country: "British" for "England"."""
    others = (other for country in _COUNTRIES if word in country for other in country)
    return any(has_words(text, other) for other in others for text in texts)


def has_words(text: str, words: str) -> bool:
    """Whether a text has these words, and not only within longer ones."""
    at = text.find(words)
    while at >= 0:
        if not (text[at - 1 : at].isalnum() or text[at + len(words) : at + len(words) + 1].isalnum()):
            return True
        at = text.find(words, at + 1)
    return False


def _figure(word: int, alignment: ClaimAlignment) -> Span | None:
    """The amount or time of which a word is a part, where it stands alone; no count: what it counts may be listed."""
    claim, tokens = alignment.claim, alignment.claim.tokens
    amounts = (fact for fact in claim.quantities if fact.kind in _TOLD and fact.family != "time")  # years give it
    facts: list[Period | Quantity] = [*claim.periods, *amounts]
    for fact in facts:
        if fact.start <= tokens.starts[word] and tokens.ends[word] <= fact.end:
            whole = _stands_alone(tokens, fact.span) and not (fact.modifier or _is_torn(tokens, fact.span))
            if not whole or (isinstance(fact, Period) and not _is_told(fact, alignment)):
                return None
            first = tokens.between(*fact.span)[0]
            between = first > 0 and tokens.lower[first - 1] == "between"
            return Span(tokens.starts[first - 1] if between else fact.start, fact.end)
    return None


def _is_torn(tokens: Tokens, span: Span) -> bool:
    """Whether a figure or time only says of which kind the word behind it is: "a one year term", "1500 meters"."""
    behind = tokens.between(*span)[-1] + 1
    noun = behind < len(tokens) and tokens.content[behind] and tokens.gap(behind) == " " and not tokens.names[behind]
    return noun and not may_act(tokens, behind)


def _is_told(time: Period, alignment: ClaimAlignment) -> bool:
    """Whether a time is a day, or a year behind a preposition, and no other of the evidence may be the same."""
    tokens = alignment.claim.tokens
    first = tokens.between(*time.span)[0]
    bare = tokens.numbers[first] and time.granularity == "year"
    placed = not bare or (first > 0 and tokens.lower[first - 1] in _PREPOSITIONS)
    others = [other for premise in alignment.premises for other in premise.periods]
    same = any(other.kind == "relative" or _overlap(time, other) for other in others)
    return placed and not same and (time.year is not None or time.day is not None)


def _overlap(time: Period, other: Period) -> bool:
    if time.begin is None or time.until is None or other.begin is None or other.until is None:
        return False
    return time.begin < other.until and other.begin < time.until


def _stands_alone(tokens: Tokens, span: Span) -> bool:
    """Whether a piece of a text is no part of a longer word, name or date, and no brackets say more of it."""
    before, behind = tokens.text[: span.start], tokens.text[span.end :]
    marks = (before[-1:] or " ") in _BEFORE and (behind[:1] or " ") in _BEHIND
    dated = _DAYS.search(before) or _MORE.match(behind)
    return marks and before.count("(") <= before.count(")") and not dated


def _name(word: int, alignment: ClaimAlignment) -> Span | None:
    """The name of which a word is a part, whole; nothing where its end, or that it is one, is not sure."""
    tokens = alignment.claim.tokens
    name = _name_around(tokens, range(word, word + 1))
    if not tokens.names[name[0]] or not _is_whole(tokens, name) or _is_opening(tokens, name):
        return None
    span = _title(tokens, name)
    span = Span(span.start, span.end - len(_POSSESSIVE.findall(tokens.text[slice(*span)])[0]))
    whole = tokens.between(*span)
    if not whole or _is_one_of(tokens, whole) or _says_where(tokens, whole):
        return None
    titled = tokens.text[span.start - 1 : span.start] in ("“", '"', "'", "‘")
    told = titled or (_names_alone(tokens, whole) and not _goes_on(tokens, whole))
    return span if told and _stands_alone(tokens, span) and not _may_be_meant(whole, alignment) else None


def _is_whole(tokens: Tokens, name: range) -> bool:
    """Whether a name is of words, none a letter, and a lone one has no signs or figures and is not short for more."""
    spelled = [tokens.text[tokens.starts[n] : tokens.ends[n]] for n in name]
    word = len(name) > 1 or (spelled[0].isalpha() and 2 * sum(map(str.isupper, spelled[0])) <= len(spelled[0]))
    return word and all(len(part) > 1 or part.isdigit() for part in spelled)


def _goes_on(tokens: Tokens, name: range) -> bool:
    """Whether a name may only be the beginning of one: "Bacillus subtilis", "Pioneer factor", "Alice in Chains"."""
    behind = name[-1] + 1
    joined, named = tokens.lower[behind : behind + 1], any(tokens.names[behind + 1 : behind + 2])
    if "in" in joined and named:
        return not _is_place(tokens, behind + 1)
    if "and" in joined and named and not {"of", "for"}.isdisjoint(tokens.lower[name[0] : behind]):
        return True  # "College of Arts and Sciences"
    before = tokens.lower[max(0, name[0] - 2) : name[0]]
    if ("the" in joined and named) or (before[1:] == ("the",) and (tokens.names[name[0] - 2] or before[0] == "and")):
        return True  # "Drax the Destroyer", "The Frog and the Nightingale"
    follows = behind < len(tokens) and tokens.content[behind] and tokens.gap(behind) == " "
    return follows and not may_act(tokens, behind)


def _is_opening(tokens: Tokens, name: range) -> bool:
    """Whether a name begins with a word that opens a sentence, whose capital may be the sentence's."""
    before = tokens.text[: tokens.starts[name[0]]].rstrip(" \"“‘'")
    return (len(name) == 1 or bool(tokens.known[name[0]].entries)) and (not before or before[-1] in ".!?:")


def _names_alone(tokens: Tokens, words: range) -> bool:
    """Whether a name tells one thing: a place, or a word that is no common one and says not from where it is.

    Where all words are common it is a term ("Receiving Party"), where "and" follows it may be half a name.
    """
    rare = any(rarity(tokens.keys[n]) >= _COMMON and not _is_origin(tokens, n) for n in words if tokens.content[n])
    known = all(tokens.known[n].entries or not tokens.content[n] for n in words)
    beside = {*tokens.lower[max(0, words[0] - 1) : words[0]], *tokens.lower[words[-1] + 1 : words[-1] + 2]}
    half = known and not beside.isdisjoint(("and", "or"))
    # "North" is half of "North and South Carolina".
    return any(_is_place(tokens, n) and not _is_origin(tokens, n) for n in words) or (rare and not half)


def _is_place(tokens: Tokens, word: int, *kinds: str) -> bool:
    places = kinds or ("country", "city")
    return any(not look_up(kind).senses.isdisjoint(tokens.known[word].above) for kind in places)


def _names_a_city(tokens: Tokens) -> bool:
    return any(tokens.names[n] and _is_place(tokens, n, "city") for n in range(len(tokens)))


def _is_origin(tokens: Tokens, word: int) -> bool:
    """Whether a name says where somebody or something is from: "Libyan"."""
    return any(wordnet().pos[sense] == ADJECTIVE for sense in tokens.known[word].senses)


def _says_where(tokens: Tokens, name: range) -> bool:
    """Whether a name only says where the one before it lies, and belongs to no list: "Topeka, Kansas"."""
    first, behind = name[0], name[-1] + 1
    joined = tokens.lower[behind : behind + 1] in (("and",), ("or",))
    follows = first > 0 and tokens.names[first - 1] and tokens.gap(first).strip() == ","
    listed = behind < len(tokens) and tokens.names[behind] and tokens.gap(behind).strip() == ","
    return follows and not (joined or listed)


def _is_one_of(tokens: Tokens, name: range) -> bool:
    """Whether a word with a capital says what something is, as no name does ("an early STD"), or what it is not."""
    before = {*tokens.lower[max(0, name[0] - 2) : name[0]]}
    return not before.isdisjoint(_BUT) or (len(name) == 1 and not before.isdisjoint(("a", "an")))


def _may_be_meant(name: range, alignment: ClaimAlignment) -> bool:
    """Whether a pronoun of the evidence may stand for a name that does something or has something."""
    tokens, behind = alignment.claim.tokens, name[-1] + 1
    owns = bool(_OWNS.match(tokens.text[tokens.ends[name[-1]] - 2 :]))
    subject = owns or name[0] == 0 or (behind < len(tokens) and acts(tokens, behind))
    return subject and any(not _PRONOUNS.isdisjoint(premise.tokens.lower) for premise in alignment.premises)


def _title(tokens: Tokens, name: range) -> Span:
    """A name with the words of it that are no names by themselves: "Coalition Against Hunger"; a quotation whole."""
    for found in _QUOTATION.finditer(tokens.text):
        inside = found.start() < tokens.starts[name[0]] and tokens.ends[name[-1]] < found.end()
        if inside:  # a part of a longer one is half of something
            short = len(found[0].split()) <= _TITLE
            return Span(found.start() + 1, found.end() - 1) if short else Span(0, 0)
    first, last = name[0], name[-1]
    while first > 1 and tokens.names[first - 2] and _within(tokens, first - 1):
        first = _name_around(tokens, range(first - 2, first - 1))[0]
    while last + 2 < len(tokens) and tokens.names[last + 2] and _within(tokens, last + 1):
        last = _name_around(tokens, range(last + 2, last + 3))[-1]
    return span_of(tokens, range(first, last + 1))


def _within(tokens: Tokens, place: int) -> bool:
    """Whether a word between two names belongs to one name: with a capital, "of", "for", or foreign ("ibn")."""
    joins = tokens.lower[place] in ("of", "for") or tokens.text[tokens.starts[place]].isupper()
    joins = joins or (tokens.content[place] and not tokens.known[place].entries)
    return joins and tokens.gap(place) == tokens.gap(place + 1) == " "


def _name_around(tokens: Tokens, words: range) -> range:
    """The whole name of which these words are a part, with the number behind it: "U-30", "Table 2"."""
    first, last = words[0], words[-1]
    if first and tokens.numbers[first] and _numbers_a_name(tokens, first):
        first -= 1
    if not tokens.names[first]:
        return words
    while first and tokens.names[first - 1] and _joined(tokens, first):
        first -= 1
    while last + 1 < len(tokens) and tokens.names[last + 1] and _joined(tokens, last + 1):
        last += 1
    if last + 1 < len(tokens) and _numbers_a_name(tokens, last + 1):
        last += 1
    return range(first, last + 1)


def _numbers_a_name(tokens: Tokens, place: int) -> bool:
    """Whether a number belongs to the name before it, and counts nothing behind it."""
    if not tokens.names[place - 1]:
        return False
    if tokens.text[tokens.starts[place] : tokens.ends[place]] in _ROMAN:
        return True
    if not tokens.numbers[place]:
        return False
    lone = place + 1 == len(tokens) or tokens.gap(place + 1) != " " or not tokens.content[place + 1]
    return tokens.gap(place) == "-" or (tokens.gap(place) == " " and lone)


def _joined(tokens: Tokens, place: int) -> bool:
    """Whether a word goes on with the name before it, as the letters of a state do: "Washington, D.C."."""
    gap = tokens.gap(place).strip()
    return gap in _IN_NAMES or (gap == "," and "." in tokens.text[tokens.starts[place] : tokens.ends[place]])
