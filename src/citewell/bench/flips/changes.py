"""Change what a claim says in its words: a negation, a direction, a quantifier, a name, who did what to whom."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator, Sequence
from functools import cache

from citewell.bench.flips.edits import Edit
from citewell.bench.flips.figures import is_day, numerals
from citewell.bench.flips.names import Name, Pool, bound, names, type_of
from citewell.bench.flips.words import Half, finite, opposite_verbs, opposite_words, table, verbs

_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
NEGATION = re.compile(
    r"\b(?:not|never|no|none|nor|neither|nobody|nothing|without|cannot|fail(?:s|ed)? to|refus\w+|den(?:y|ies|ied)|"
    r"lack\w*|unable|rarely|hardly|unlikely|except|no longer|instead of|rather than)\b|n['’]t\b",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|has|have|had|can|could|will|would|should|must|shall|does|do|did)\b(?! not\b|n't|n’t)"
)
_SUBORDINATE = frozenset(
    "if when whether that who which whom whose although though because while since unless where after before until as "
    "what how why than".split()
)
_HEDGED = re.compile(
    r"\b(?:some|many|most|few|several|may|might|sometimes|often|usually|partially|partly|only|or|mostly|various|certain|"
    r"generally|typically|can|could|both|all|every|each|either|mainly|primarily|likely|possibly|just|solely)\b",
    re.IGNORECASE,
)
_BE = frozenset("is are was were be been being".split())
_HAVE = frozenset("has have had having".split())
_MODAL = frozenset("to can could will would may might shall should must not did does do".split())
_NO_SUBJECT = frozenset(
    "a an the of in on at by for from with to and or its his her their this that these those as than most more "
    "very".split()
)


def negation(claim: str, chance: random.Random) -> Iterator[list[Edit]]:
    """A "not" put in or taken away, with "did" where the verb needs it."""
    del chance  # there is one place for it
    found = NEGATION.search(claim)
    if found:
        yield from _affirmed(claim)
        return
    if _HEDGED.search(claim):
        return
    match = _AUXILIARY.search(claim)
    if match and match.start() and not _SUBORDINATE & _words(claim[: match.start()]):
        word, rest = match[1], claim[match.end() :]
        following = _TOKEN.search(rest)
        after = following.group().lower() if following else ""
        if word in _HAVE and not _participle(after) and after != "been":
            yield [Edit(*match.span(), {"has": "does not have", "have": "do not have", "had": "did not have"}[word])]
        elif word in ("do", "does", "did"):
            if after in verbs():
                yield [Edit(*match.span(), f"{word} not")]
        else:
            yield [Edit(*match.span(), "cannot" if word == "can" else f"{word} not")]
        return
    for token in _TOKEN.finditer(claim):
        if token.start() and token.group() in finite():
            before = claim[: token.start()].rsplit(maxsplit=1)[-1].strip('",;()').lower()
            behind = claim[token.end() :].split()[:1]
            if before in _NO_SUBJECT or _SUBORDINATE & _words(claim[: token.start()]) or match:
                return
            auxiliary, base = finite()[token.group()]
            if auxiliary == "does" and not (
                claim[: token.start()].rsplit(maxsplit=1)[-1][0].isupper() or before in ("he", "she", "it")
            ):
                return
            if behind and behind[0] in ("by", "in", "at", "on") and _has_other_verb(claim[token.end() :]):
                return
            yield [Edit(*token.span(), f"{auxiliary} not {base}")]
            return


_NEEDS_NEGATION = re.compile(
    r"\b(?:until|yet|but|at all|either|ever|anymore|any(?:one|thing|body|where))\b", re.IGNORECASE
)


def _affirmed(claim: str) -> Iterator[list[Edit]]:
    if len(NEGATION.findall(claim)) > 1 or _NEEDS_NEGATION.search(claim):
        return
    some = [Edit(*match.span(), "some") for match in re.finditer(r"\bany\b", claim)]
    for match in re.finditer(r"\b(?:is|are|was|were|has|have|had|could|will|would|should|must|shall)( not)\b", claim):
        yield [Edit(*match.span(1), ""), *some]
    for match in re.finditer(r"\bcannot\b", claim):
        yield [Edit(*match.span(), "can"), *some]
    for match in re.finditer(r"\b(is|are|was|were|has|have|had|could|would|should)(n['’]t)\b", claim):
        yield [Edit(*match.span(2), ""), *some]
    for match in re.finditer(r"\b(did|does) not (\w+)|\b(did|does)n['’]t (\w+)", claim):
        auxiliary, base = match[1] or match[3], match[2] or match[4]
        if base in verbs():
            yield [Edit(*match.span(), verbs()[base].past if auxiliary == "did" else verbs()[base].third), *some]
    for match in re.finditer(r"\b(no longer)\b", claim):
        yield [Edit(*match.span(), "still"), *some]


def _words(text: str) -> set[str]:
    return {token.lower() for token in _TOKEN.findall(text)}


@cache
def _participles() -> frozenset[str]:
    return frozenset(verb.participle for verb in verbs().values())


def _participle(word: str) -> bool:
    return word in _participles() or (word.endswith("ed") and len(word) > 4)


def _has_other_verb(text: str) -> bool:
    return any(token in finite() or token in _BE | _HAVE for token in _TOKEN.findall(text))


def direction(claim: str, evidence: str, chance: random.Random, half: Half) -> Iterator[list[Edit]]:
    """A word for its opposite, in the same form; not where the evidence has the opposite too."""
    tokens = list(_TOKEN.finditer(claim))
    lowered = evidence.lower()
    edits = []
    for place, token in enumerate(tokens):
        word = token.group()
        if not word.islower() and (
            place or not word[1:].islower() or claim[token.end() + 1 : token.end() + 2].isupper()
        ):
            continue
        before = [other.group().lower() for other in tokens[max(0, place - 3) : place]]
        after = claim[token.end() :]
        for other in _opposites(word.lower(), before, after, half):
            stem = other[:-1] if len(other) > 5 else other
            if not re.search(rf"\b{re.escape(stem)}", lowered):
                edits.append(Edit(*token.span(), other))
    chance.shuffle(edits)
    for edit in edits:
        yield [edit]


def _opposites(word: str, before: Sequence[str], after: str, half: Half) -> Iterator[str]:
    last = before[-1] if before else ""
    if word in ("left", "close", "open", "live", "found") or (
        word in ("high", "more", "less") and _phrase(word, after)
    ):
        return
    if word in ("before", "after", "above", "below") and (not before or re.match(r"\s*(?:\w+ )?\d", after)):
        return
    if word in opposite_words(half) and last not in _MODAL - {"not"}:
        yield from opposite_words(half)[word]
        return
    forms = opposite_verbs(half).get(word, ())
    participle = bool((_BE | _HAVE) & set(before))
    for name, opposite in forms:
        if (name == "base" and last not in _MODAL) or (name == "third" and (last in _NO_SUBJECT or not last)):
            continue
        both = {other for _, other in forms}
        if len(both) > 1 and name in ("past", "participle") and (name == "participle") != participle:
            continue
        if name == "past" and participle and not any(kind == "participle" for kind, _ in forms):
            continue
        yield opposite


def _phrase(word: str, after: str) -> bool:
    return bool(re.match(r" (?:than|and) (?:\w+ )?[$€£]?\d" if word != "high" else r"[ -]school", after))


_STRONG = frozenset(("all", "all of the", "always", "must", "entirely", "completely", "exclusively", "often"))
_HEDGES = re.compile(
    r"\b(?:some|many|most|several|few|may|might|can|could|certain|various|often|sometimes|usually|part(?:ly|ially)|"
    r"primarily|mainly|mostly|largely|half|occasionally|rarely|generally|typically|permitted|allowed)\b"
)
_AT_END = frozenset("in at on during for with before after per every a by from and but".split())
_AFTER_NAME = frozenset("over into during also first then later originally previously located and but".split())
_KEPT = re.compile(r"\s*(?:place|name|lady|aid|half|hand|degree|language|class|person|of all|-)", re.IGNORECASE)


def quantifier(claim: str, evidence: str, chance: random.Random) -> Iterator[list[Edit]]:
    """Another quantifier, frequency, obligation or rank, never one that the old one implies."""
    lowered = evidence.lower()
    edits: list[Edit] = []
    taken: list[tuple[int, int]] = []
    for phrase in sorted(table("quantifiers"), key=len, reverse=True):
        for match in re.finditer(rf"(?<![\w-]){phrase}(?![\w-])", claim if _cased(phrase) else claim.lower()):
            start, end = match.span()
            if any(a < end and start < b for a, b in taken) or _misread(phrase, claim, start, end):
                continue
            taken.append((start, end))
            edits += [
                Edit(start, end, "none" if other == "no" and claim[end:].startswith(" of") else other)
                for other in table("quantifiers")[phrase]
                if _differs(phrase, other, claim, start, lowered)
            ]
    chance.shuffle(edits)
    for edit in edits:
        yield [edit]


def _differs(phrase: str, other: str, claim: str, start: int, evidence: str) -> bool:
    """Whether the evidence can hold for the one and not for the other."""
    if re.search(rf"\b{re.escape(other)}\b", evidence):
        return False
    if other in _STRONG:  # what is said without limits may hold for all
        return _HEDGES.search(evidence) is not None
    if other == "cannot":
        return _HEDGES.search(claim.lower().replace(phrase, "")) is None
    return other != "second" or re.search(r"\b(?:is|are|was|were|has|been)\s*\Z", claim[:start]) is None


def _cased(phrase: str) -> bool:
    """Whether a word is another one when it is written with a capital."""
    return phrase in ("may", "might", "can", "must")


def _misread(phrase: str, claim: str, start: int, end: int) -> bool:
    """Whether a word is no quantifier where it stands: part of a name or of a fixed phrase."""
    if claim[start].isupper() and (start or claim[end + 1 : end + 2].isupper()):
        return True
    before, after = claim[:start].rstrip().lower(), claim[end:]
    last = before.split()[-1] if before.split() else ""
    following = after.split()[0].strip(",.;").lower() if after.split() else ""
    if phrase in ("first", "second", "third", "fourth", "last"):
        return bool(_KEPT.match(after)) or last in ("at", "per", "a", "one") or last[-1:].isdigit() or not following
    if phrase == "all":
        return (
            last in ("at", "after", "above", "of", "not")
            or following in "the of his its her their these those three in at".split()
        )
    if phrase in ("most", "some", "many", "several", "every"):
        plural = re.search(r"(?<![su])s\Z", following) or following == "of" or phrase == "every"
        return (
            not plural
            or last in ("how", "as", "the", "so", "too", "like", "second", "third", "fourth", "fifth", "a")
            or following[:1].isdigit()
        )
    if phrase in ("often", "frequently", "rarely"):
        return last in ("most", "more", "less", "very", "quite", "so", "as", "how", "too") or not following
    if phrase == "few":
        return last in ("a", "the", "these", "past", "last", "very", "quite")
    if phrase in ("may", "might", "can", "could", "must", "shall"):
        return following in ("not", "")
    if phrase in ("at least", "at most", "more than", "less than", "fewer than", "up to"):
        return not re.match(
            r" (?:[$€£]?\d|one|two|three|four|five|six|seven|eight|nine|ten|half|a (?:dozen|hundred|million))", after
        )
    if phrase == "once":
        return last in ("at", "the", "not", "if") or (following != "" and after[:1] == " " and following not in _AT_END)
    return last == "not" or not following


def entity(claim: str, evidence: Sequence[str], pool: Pool, chance: random.Random) -> Iterator[list[Edit]]:
    """Another name of the same type, of the evidence or of the data set."""
    whole = " ".join(evidence)
    mine = [name for name in names(claim, whole) if not bound(claim, name) and name.text in whole]
    chance.shuffle(mine)
    said = {name.text for name in mine}
    for name in mine:
        for other in pool.others(claim, name, evidence, chance):
            if other not in said and other not in claim and not _stands_near(other, name.text, evidence):
                yield [Edit(name.start, name.end, other)]
                break


def _stands_near(other: str, name: str, evidence: Sequence[str]) -> bool:
    """Whether both stand in one sentence of the evidence, where what holds for the one may hold for the other."""
    return any(other in sentence and name in sentence for sentence in evidence)


def roles(claim: str, evidence: Sequence[str], chance: random.Random) -> Iterator[list[Edit]]:
    """Two names, or two numbers of one kind, in each other's place."""
    whole = " ".join(evidence)
    pairs = [
        (first, second)
        for first, second in _neighbours([name for name in names(claim, whole) if not bound(claim, name)])
        if _ordered(claim, first, second)
    ]
    figures = [
        pair
        for years in (True, False)
        for pair in _neighbours(
            [
                Name(*one[:3])
                for one in numerals(claim)
                if one.is_year == years and not is_day(claim, one.start, one.end)
            ]
        )
        if pair[0].text != pair[1].text and _told_apart(claim, *pair)
    ]
    chance.shuffle(pairs)
    chance.shuffle(figures)
    for first, second in (*pairs, *figures):
        places = _with_article(claim, first), _with_article(claim, second)
        texts = [claim[place.start : place.end] for place in places]
        texts[0] = re.sub(r"\AThe ", "the ", texts[0])
        yield [Edit(places[0].start, places[0].end, texts[1]), Edit(places[1].start, places[1].end, texts[0])]


def _with_article(claim: str, name: Name) -> Name:
    """A name with the "the" before it, which moves with it."""
    before = re.search(r"\b[Tt]he \Z", claim[: name.start])
    return Name(before.start(), name.end, claim[before.start() : name.end]) if before else name


def _neighbours(found: Sequence[Name]) -> list[tuple[Name, Name]]:
    return list(itertools.pairwise(found))


_IN_TITLE = re.compile(r"\b[Aa]n? \Z|[A-Z]\w* (?:in|on|of|to|and|for|at|with)(?: the)? \Z")
_LIES_IN = re.compile(r" (?:is|are|was|were) (?:located |situated |based )?(?:in|inside|within) (?:the )?")


def _ordered(claim: str, first: Name, second: Name) -> bool:
    """Whether the words between two names put them in an order that matters, and either may stand first."""
    between = claim[first.end : second.start]
    said = _words(between)
    if first.text in second.text or second.text in first.text or not said or said & set(table("symmetric")):
        return False
    if re.search(r"[;,()]", between) or len(said) > 8:
        return False
    if _qualifies(claim, first, acts=True) or _qualifies(claim, second, acts=False):
        return False
    if any(_IN_TITLE.search(claim[: name.start]) for name in (first, second)):
        return False
    if re.search(r"[A-Z]\w*, \Z", claim[: first.start]):  # "Prescott, Arizona" is one place
        return False
    if _LIES_IN.fullmatch(between):
        return re.match(r"\.?\Z|,", claim[second.end :]) is not None
    kinds = type_of(first.text), type_of(second.text)
    alike = kinds[0] == kinds[1] != "" or first.text.split()[-1] == second.text.split()[-1]
    if "demonym" in kinds:
        return False
    tokens = [token.lower() for token in _TOKEN.findall(between) if token.lower() not in ("the", "a", "an")]
    if alike:
        return bool(said & {"by", "than", "from", "before", "after", "over"}) or any(
            token in finite() or token in verbs() or token.endswith("ed") for token in tokens
        )
    return kinds[0] == kinds[1] and (
        tokens[-1:] in (["by"], ["than"]) or (len(tokens) < 3 and tokens[-1:] != [] and tokens[-1] in finite())
    )


def _qualifies(claim: str, name: Name, *, acts: bool) -> bool:
    """Whether a name only says more about the noun behind it, as in "Facebook group"; `acts`: a verb may follow."""
    behind = re.match(r" ([a-z]+|\d)", claim[name.end :])
    if behind is None or (acts and (behind[1].endswith("ed") or behind[1] in finite())):
        return False
    return behind[1] not in (_BE | _HAVE | _MODAL | _NO_SUBJECT | _SUBORDINATE | _AFTER_NAME)


def _told_apart(claim: str, first: Name, second: Name) -> bool:
    """Whether two numbers stand for different things, by the words between them."""
    between = claim[first.end : second.start]
    said = _words(between)
    if said & {"or", "of"} or re.fullmatch(r"\W*(?:and)?\W*", between) or "between" in _words(claim[: first.start]):
        return False
    if said & {"to", "until", "till", "through"} and len(said) <= 5:  # a range, if nothing moves along it
        return _MOVES.search(claim[: first.start]) is not None
    return len(said) >= 2


_MOVES = re.compile(
    r"\b(?:ris|rose|fall|fell|grew|grow|increas|decreas|declin|drop|improv|reduc|cut|rais|chang|w[eo]nt|gain)\w*\b.*\bfrom\b",
    re.IGNORECASE,
)
