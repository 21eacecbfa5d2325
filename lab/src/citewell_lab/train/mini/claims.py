"""Families of claims: what people judged, one-fact changes, true rewrites, changed evidence, other sentences."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from citewell.text.data import settings
from citewell.types import Span
from citewell_lab.bench.flips import KINDS, Change, Pool, flips, rewrites
from citewell_lab.train.checker.rows import Row
from citewell_lab.train.checker.sets import Label
from citewell_lab.train.mini.examples import CONTRADICTED, NEITHER, OPEN, SUPPORTED, Family, Judged

# Sets that do not tell a contradiction from silence where a claim is not supported.
UNTOLD = frozenset(("scone", "factcg", "attributionbench", "salad", "begin", "summedits"))
_CLASSES: Mapping[Label, int] = {"supported": SUPPORTED, "contradicted": CONTRADICTED, "not": NEITHER, "partial": OPEN}
# A changed name or role says something else, which need not exclude what the evidence says.
_OPEN_KINDS = frozenset(("entity", "roles", "quantifier"))
_IN_EVIDENCE = frozenset(("number", "year", "magnitude", "entity"))  # what can be changed there by the same words
_POOLED = 40  # sentences of evidence whose names are put in the place of others


def judged(row: Row) -> Judged:
    """A claim as people judged it."""
    label = OPEN if row.label == "not" and row.set in UNTOLD else _CLASSES[row.label]
    return Judged(" ".join(row.evidence), row.claim, label)


def single(rows: Iterable[Row]) -> list[Family]:
    """Each claim for itself."""
    return [Family(row.set, row.group, (judged(row),)) for row in rows]


def contrasted(rows: Sequence[Row], seed: int) -> list[Family]:
    """Supported claims with what can be made of them, and all others for themselves."""
    s = settings(__package__)
    pools = {
        name: Pool.of(text for row in rows if row.set == name for text in (row.claim, *row.evidence[:_POOLED]))
        for name in dict.fromkeys(row.set for row in rows)
    }
    counts: Counter[str] = Counter()
    times: Counter[tuple[str, str]] = Counter()
    result = []
    for row in rows:
        times[row.set, row.claim] += 1
        if row.label != "supported" or times[row.set, row.claim] > s["repeats"]:
            result.append(Family(row.set, row.group, (judged(row),)))
            continue
        false = flips(row.claim, row.evidence, pools[row.set], seed=seed, half="seen")
        chosen = sorted(false, key=lambda change: (counts[change.kind], KINDS.index(change.kind)))[: int(s["changes"])]
        counts.update(change.kind for change in chosen)
        true = rewrites(row.claim, seed=seed, half="seen")[: int(s["rewrites"])]
        result.append(Family(row.set, row.group, tuple(_members(judged(row), chosen, true))))
    return result


def _members(original: Judged, false: Sequence[Change], true: Sequence[Change]) -> Iterator[Judged]:
    yield original._replace(wrong=())
    evidence = original.evidence
    for change in false:
        label = OPEN if change.kind in _OPEN_KINDS else CONTRADICTED
        marked = tuple(span for span in change.spans if span.end > span.start)
        yield Judged(evidence, change.text, label, marked or None)
    for change in true:
        yield Judged(evidence, change.text, SUPPORTED, ())
    # Once a family: with the evidence changed alike, what was false holds, and the claim itself does not.
    for change in false:
        if mirrored := in_evidence(original, change):
            yield from mirrored
            break


def in_evidence(original: Judged, change: Change) -> tuple[Judged, Judged] | None:
    """The changed claim and the original over evidence in which the same words were changed; None where they lack."""
    if change.kind not in _IN_EVIDENCE or len(change.spans) != 1:
        return None
    (there,), (here,) = change.origins, change.spans
    before, after = original.claim[there.start : there.end], change.text[here.start : here.end]
    words = re.compile(rf"(?<!\w){re.escape(before)}(?!\w)")
    if not before.strip() or not after.strip() or not words.search(original.evidence):
        return None
    evidence = words.sub(lambda _: after, original.evidence)
    label = OPEN if change.kind in _OPEN_KINDS else CONTRADICTED
    return Judged(evidence, change.text, SUPPORTED, ()), Judged(evidence, original.claim, label, (there,))


def copied(pages: Mapping[str, Sequence[str]], name: str, count: int, seed: int) -> list[Row]:
    """Sentences of pages as claims over themselves and up to four neighbours: what nobody had to label."""
    chance = random.Random(f"{seed}:{name}")  # noqa: S311  (a draw, no secret)
    places = [(page, number) for page, listed in pages.items() for number in range(len(listed))]
    chance.shuffle(places)
    rows: list[Row] = []
    for page, number in places:
        if len(rows) == count:
            break
        listed = pages[page]
        if not _claims(listed[number]):
            continue
        start, end = max(0, number - chance.randrange(3)), number + 1 + chance.randrange(3)
        rows.append(Row(name, f"{name}:{page}", listed[number], tuple(listed[start:end]), "supported"))
    return rows


def _claims(sentence: str) -> bool:
    """Whether a sentence says something by itself: it is no fragment, and leans on none before it."""
    words = sentence.split()
    leans = words[0].lower() in ("it", "he", "she", "they", "this", "these", "those", "that") if words else True
    return 6 <= len(words) <= 40 and words[0][:1].isupper() and sentence.rstrip().endswith(".") and not leans


def silent(rows: Iterable[Row], pages: Mapping[str, Sequence[str]], count: int, seed: int) -> list[Family]:
    """Claims over other sentences of their own page, those that share words with the claim: neither said nor denied."""
    chance = random.Random(seed)  # noqa: S311  (a draw, no secret)
    result = []
    for row in rows:
        page = pages.get(row.group.partition(":")[2]) or pages.get(row.evidence[0])
        if page is None:
            continue
        known = {_letters(text) for text in row.evidence}
        words = set(_letters(row.claim).split())
        others = [text for text in page if _letters(text) not in known and len(text.split()) > 4]
        others.sort(key=lambda text: -len(words & set(_letters(text).split())))
        near = others[1:8]  # the nearest one may say it after all
        if near:
            taken = chance.sample(near, min(len(near), 1 + chance.randrange(3)))
            result.append(Family(row.set, row.group, (Judged(" ".join(taken), row.claim, NEITHER),)))
        if len(result) == count:
            break
    return result


def widened(families: Iterable[Family], pages: Mapping[str, Sequence[str]], seed: int) -> list[Family]:
    """The same over longer evidence: sentences of another page before or after it; labels stay as they are."""
    chance = random.Random(seed)  # noqa: S311  (a draw, no secret)
    names = sorted(pages)
    result = []
    for family in families:
        if not names or chance.random() >= settings(__package__)["widened"]:
            result.append(family)
            continue
        listed = pages[chance.choice(names)]
        start = chance.randrange(max(1, len(listed) - 2))
        added = " ".join(listed[start : start + 1 + chance.randrange(3)])
        first = chance.random() < 0.5
        members = (
            member._replace(evidence=f"{added} {member.evidence}" if first else f"{member.evidence} {added}")
            for member in family.members
        )
        result.append(family._replace(members=tuple(members)))
    return result


def marked(spans: Sequence[Span], start: int, end: int) -> bool:
    """Whether a piece of the claim lies in one of its wrong places."""
    return any(span.start < end and start < span.end for span in spans)


def _letters(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower()).strip()
