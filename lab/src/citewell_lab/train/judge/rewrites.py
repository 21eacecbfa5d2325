"""Rewrites of a claim with the same meaning: voice, openings, filler, omitted additions, two claims in one."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Mapping
from functools import cache

from citewell.text.data import read_json
from citewell.types import Span
from citewell_lab.bench.flips.names import bound, names
from citewell_lab.bench.flips.words import verbs

_WHICH = re.compile(r", (?:which|who|where|whose) [^,;]{3,80},(?= )|, (?:which|who|where|whose) [^,;]{3,80}(?=\.\Z)")
_BRACKETS = re.compile(r" \([^()]{2,60}\)")
_LEAD = re.compile(r"\A(?:However|Moreover|Furthermore|In addition|Additionally|Also|Meanwhile|Nevertheless), ")


def voiced(claim: str) -> str | None:
    """A claim of a name, a verb in the past and a name in the passive; None where it is no such claim."""
    parts = transitive(claim)
    return f"{parts[2]} was {parts[1][1]} by {parts[0]}{parts[3]}" if parts else None


def transitive(claim: str) -> tuple[str, tuple[str, str], str, str] | None:
    """Agent, verb in the past with its participle, theme and rest of "A beat B."; None where it is no such claim."""
    listed = names(claim, claim)
    for first, second in itertools.pairwise(listed):
        between = claim[first.end : second.start].strip()
        forms = _transitives().get(between)
        if first.start == 0 and forms and not bound(claim, first) and not bound(claim, second):
            rest = claim[second.end :]
            if re.match(r"\.?\Z| (?:in|on|at|for|after|by|during|to|with|as) ", rest):
                return first.text, (between, forms), second.text, rest
    return None


@cache
def _transitives() -> Mapping[str, str]:
    """Past to participle of the verbs."""
    return {verb.past: verb.participle for verb in verbs().values()}


def joined(claim: str, other: str, chance: random.Random) -> str | None:
    """Two sentences of the evidence in one claim, in either order: what is invented must not be known by its form."""
    first, second = (claim, other) if chance.random() < 0.6 else (other, claim)
    tail = clause(second)
    if tail is None or not first.rstrip().endswith(".") or len(first) > 220:
        return None
    joint = chance.choice((", and ", ", while ", "; ", ". ", ", although "))
    return f"{first.rstrip().removesuffix('.')}{joint}{capital(tail) if joint == '. ' else tail}."


def clause(sentence: str) -> str | None:
    """A sentence as a clause of a longer one; None where it is too long, too short or quotes."""
    words = sentence.split()
    if not 4 <= len(words) <= 24 or not sentence.rstrip().endswith(".") or '"' in sentence:
        return None
    return lower(sentence.rstrip().removesuffix("."))


def lower(text: str) -> str:
    """The text with a small letter first, where its first word is no name."""
    first = text.split(maxsplit=1)[0] if text.split() else ""
    return text[:1].lower() + text[1:] if first.lower() in _OPENERS else text


def capital(text: str) -> str:
    """The text with a capital first."""
    return text[:1].upper() + text[1:]


_OPENERS = frozenset(
    "the a an it he she they this these those its his her their in on at by for from to as some many most all there "
    "we you after before during when while if both each several".split()
)


def framed(claim: str, wrong: tuple[Span, ...], chance: random.Random) -> tuple[str, tuple[Span, ...]]:
    """A claim behind an opening or before filler; the marked places move along."""
    table = read_json(__package__, "words.json")
    if chance.random() < 0.75:
        opening = chance.choice(table["openings"]) + " "
        text = opening + (lower(claim) if opening.rstrip()[-1:] in ",t" else claim)
        return text, tuple(Span(span.start + len(opening), span.end + len(opening)) for span in wrong)
    filler = chance.choice(table["fillers"])
    return f"{claim.rstrip().removesuffix('.')}{filler}.", wrong


def trimmed(claim: str) -> str | None:
    """The claim without a bracket, a clause that only adds, or a linking word; None where it has none."""
    for pattern in (_BRACKETS, _WHICH, _LEAD):
        text = pattern.sub("", claim, count=1)
        if text != claim and len(text.split()) >= 5:
            return capital(text)
    return None
