"""Changes the wording of a claim: a negation, a direction, a quantifier."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache

from citewell_lab.bench.flips.edits import Edit
from citewell_lab.bench.flips.words import (
    TOKEN,
    Half,
    finite,
    listed,
    opposite_verbs,
    opposite_words,
    spoken,
    table,
    verbs,
)

NEGATION = re.compile(
    r"\b(?:not|never|no|none|nor|neither|nobody|nothing|without|cannot|fail(?:s|ed)? to|refus\w+|den(?:y|ies|ied)|"
    r"lack\w*|unable|rarely|hardly|unlikely|except|no longer|instead of|rather than)\b|n['’]t\b",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|has|have|had|can|could|will|would|should|must|shall|does|do|did)\b(?! not\b|n't|n’t)"
)
_HEDGED = re.compile(
    r"\b(?:some|many|most|few|several|may|might|sometimes|often|usually|partially|partly|only|or|mostly|various|certain|"
    r"generally|typically|can|could|both|all|every|each|either|mainly|primarily|likely|possibly|just|solely)\b",
    re.IGNORECASE,
)


def negation(claim: str, chance: random.Random) -> Iterator[list[Edit]]:
    """A "not" put in or taken away, with "did" where the verb needs it."""
    del chance  # there is one place for it
    if NEGATION.search(claim):
        yield from _affirmed(claim)
        return
    if _HEDGED.search(claim):
        return
    match = _AUXILIARY.search(claim)
    if match and match.start() and not listed("subordinate") & spoken(claim[: match.start()]):
        word, rest = match[1], claim[match.end() :]
        following = TOKEN.search(rest)
        after = following.group().lower() if following else ""
        if word in listed("have") and not _participle(after) and after not in ("been", "had"):
            yield [Edit(*match.span(), {"has": "does not have", "have": "do not have", "had": "did not have"}[word])]
        elif word in ("do", "does", "did"):
            if after in verbs():
                yield [Edit(*match.span(), f"{word} not")]
        else:
            yield [Edit(*match.span(), "cannot" if word == "can" else f"{word} not")]
        return
    for token in TOKEN.finditer(claim):
        if token.start() and token.group() in finite():
            before = claim[: token.start()].rsplit(maxsplit=1)[-1].strip('",;()').lower()
            behind = claim[token.end() :].split()[:1]
            if before in listed("no_subject") or listed("subordinate") & spoken(claim[: token.start()]) or match:
                return
            auxiliary, base = finite()[token.group()]
            if auxiliary == "does" and not (
                claim[: token.start()].rsplit(maxsplit=1)[-1][0].isupper() or before in ("he", "she", "it")
            ):
                return
            if behind and behind[0] in ("by", "in", "at", "on") and _has_other_verb(claim[token.end() :]):
                return
            if behind and (_participle(behind[0]) or behind[0] in listed("be")):  # "US forces participated"
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


@cache
def _participles() -> frozenset[str]:
    return frozenset(verb.participle for verb in verbs().values())


def _participle(word: str) -> bool:
    return word in _participles() or (word.endswith("ed") and len(word) > 4)


def _has_other_verb(text: str) -> bool:
    return any(token in finite() or token in listed("be") | listed("have") for token in TOKEN.findall(text))


def direction(claim: str, evidence: str, chance: random.Random, half: Half) -> Iterator[list[Edit]]:
    """A word for its opposite, in the same form; not where the evidence has the opposite too."""
    tokens = list(TOKEN.finditer(claim))
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
    if word in opposite_words(half) and last not in listed("modal") - {"not"}:
        yield from opposite_words(half)[word]
        return
    forms = opposite_verbs(half).get(word, ())
    participle = bool((listed("be") | listed("have")) & set(before))
    for name, opposite in forms:
        if (name == "base" and last not in listed("modal")) or (
            name == "third" and (last in listed("no_subject") or not last)
        ):
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
        return last in ("at", "after", "above", "of", "not", "we", "us", "they", "them", "you") or following in (
            "",
            *"the of his its her their these those three in at but".split(),
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
        return last in ("at", "the", "not", "if") or (
            following != "" and after[:1] == " " and following not in listed("at_end")
        )
    return last == "not" or not following
