"""What the lexical checker looks at: how a claim's words, numbers, names and negation stand in the evidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.text.coverage import Alignment, Claim, Matcher, highest
from citewell.text.index import Floats, TermIndex
from citewell.types import Span

Flags = npt.NDArray[np.bool_]

POOL = 24  # segments from which the best pair and triple are sought

NAMES = (
    "pair",  # share of the claim's weight in the best pair of segments
    "anywhere",  # share in any segment
    "plain_pair",  # share of content words in the best pair, each word counting the same
    "runs",  # share in runs of two words and more in that pair
    "number_far",  # a number of the claim is not in the best segment or near it
    "number_nowhere",  # a number of the claim is in no segment
    "names_lacking",  # share of its capitalised words that the pair lacks
    "negation",  # the claim denies and the best segment does not, or the other way round
    "paragraph",  # share in the best segment and its two neighbours on each side
    "score",  # the attributor's score of the best segment
)

_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nor|neither|nothing|nobody|without|cannot|hardly|barely|unlikely|fails?|failed|unable|lacks?)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)


class Evidence(NamedTuple):
    """The segments that cover a claim best, the M words of the claim with what those cover, and the features."""

    claim: Claim
    chosen: tuple[int, ...]
    covered: Flags
    features: Floats


def look(found: TermIndex, texts: Sequence[str]) -> list[Evidence | None]:
    """The features of claims against an index, all matched at once; None for a claim that has no words."""
    matcher = Matcher(found, "\n".join(texts))
    starts = list(accumulate((len(text) + 1 for text in texts), initial=0))
    claims = [matcher.claim(Span(start, start + len(text))) for start, text in zip(starts, texts, strict=False)]
    return [
        _evidence(matcher, text, start, claim) if len(claim.starts) else None
        for text, start, claim in zip(texts, starts, claims, strict=False)
    ]


def _evidence(matcher: Matcher, text: str, start: int, claim: Claim) -> Evidence:
    aligned = matcher.alignment(claim, highest(matcher.cover(claim).statement, POOL).tolist())
    chosen = _cover(aligned, claim.weights)
    covered = np.any(aligned.single[chosen], axis=0) if chosen else np.zeros(len(claim.starts), dtype=bool)
    own = claim._replace(starts=claim.starts - start, ends=claim.ends - start)
    features = _features(matcher, text, own, aligned, chosen)
    return Evidence(own, tuple(aligned.segments[row] for row in chosen), covered, features)


def _cover(aligned: Alignment, weights: Floats, limit: int = 3) -> list[int]:
    """Rows of the segments that together cover most: the best pair, found whole, then one more by what it adds."""
    if not len(aligned.segments):
        return []
    single = aligned.single.astype(np.float32)
    alone = single @ weights
    union = alone[:, None] + alone[None, :] - (single * weights) @ single.T
    first, second = np.unravel_index(int(np.argmax(union)), union.shape)
    if union[first, second] - alone.max() < 0.02 * weights.sum():
        return [int(np.argmax(alone))]
    chosen = sorted((int(first), int(second)), key=lambda row: (-alone[row], row))
    while len(chosen) < min(limit, len(aligned.segments)):
        rest = weights * ~np.any(aligned.single[chosen], axis=0)
        gains = single @ rest
        best = int(np.argmax(gains))
        if gains[best] < 0.02 * weights.sum():
            break
        chosen.append(best)
    return chosen


def _features(matcher: Matcher, text: str, claim: Claim, aligned: Alignment, chosen: Sequence[int]) -> Floats:
    if not chosen:
        lacks = np.zeros(len(NAMES), dtype=np.float32)
        lacks[[NAMES.index("number_nowhere"), NAMES.index("names_lacking")]] = 1
        return lacks
    segments, weights = matcher.index.segments, claim.weights
    content = claim.content
    numbers = claim.numbers
    names = _names(text, claim) & ~numbers
    there = claim.known
    pair = list(chosen[:2])
    have = np.any(aligned.single[pair], axis=0)
    centre = aligned.segments[chosen[0]]
    near = matcher.present(claim, max(0, centre - 2), min(len(segments), centre + 3))
    denied = bool(_NEGATION.search(segments[centre].text))

    def share(flags: Flags) -> float:
        return float(weights @ flags) / max(1e-9, claim.total)

    values = (
        share(have),
        share(there),
        float((content & have).sum()) / max(1, int(content.sum())),
        share(np.any(aligned.pairs[pair], axis=0)),
        float((numbers & ~near).any()),
        float((numbers & ~there).any()),
        float((names & ~have).sum()) / max(1, int(names.sum())),
        float(bool(_NEGATION.search(text)) != denied),
        share(near),
        float(aligned.score(claim).max()),
    )
    return np.array(values, dtype=np.float32)


def _names(text: str, claim: Claim) -> Flags:
    """Words with a capital that do not open the text."""
    starts = claim.starts.tolist()
    return np.array([number > 0 and text[start].isupper() for number, start in enumerate(starts)], dtype=bool)
