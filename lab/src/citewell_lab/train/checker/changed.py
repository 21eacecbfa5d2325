"""Claims with one fact changed, and true rewrites, of the supported claims of any rows."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from citewell_lab.bench.flips import Half, Pool, flips, rewrites
from citewell_lab.train.checker.rows import Row

ORIGINAL = "original"  # the kind of a claim that others were made from
_A_CLAIM = (
    3  # times that one claim is changed, over other evidence each time: statements of contracts stand in many rows
)
_POOLED = 40  # sentences of evidence whose names are put in the place of others


def changed(rows: Iterable[Row], *, seed: int = 0, half: Half = "all", a_kind: int | None = None) -> list[Row]:
    """Claims with one fact changed (`contradicted`) and rewritten ones (`supported`), of the supported ones of `rows`.

    At most `a_kind` changes of one kind are kept of a set, drawn at random. What is trained on is made with the half
    "seen" of the word lists, what is measured on with "held".
    """
    originals = [row for row in rows if row.label == "supported" and not row.kind]
    pools = {
        name: Pool.of(text for row in originals if row.set == name for text in (row.claim, *row.evidence[:_POOLED]))
        for name in dict.fromkeys(row.set for row in originals)
    }
    times: Counter[tuple[str, str]] = Counter()
    by_kind: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in originals:
        times[row.set, row.claim] += 1
        if times[row.set, row.claim] > _A_CLAIM:
            continue
        false = flips(row.claim, row.evidence, pools[row.set], seed=seed, half=half)
        for change in (*false, *rewrites(row.claim, seed=seed, half=half)):
            by_kind[row.set, change.kind].append(
                row._replace(
                    claim=change.text,
                    label="supported" if change.holds else "contradicted",
                    kind=change.kind,
                    of=row.claim,
                )
            )
    chance = random.Random(seed)  # noqa: S311  (which rows are kept, seeded)
    kept: list[Row] = []
    for listed in by_kind.values():
        kept += listed if a_kind is None or len(listed) <= a_kind else chance.sample(listed, a_kind)
    return kept


def with_originals(rows: Sequence[Row], a_kind: int, *, half: Half = "held", seed: int = 0) -> list[Row]:
    """Changed and rewritten claims, after the claims that they were made from."""
    built = changed(rows, seed=seed, half=half, a_kind=a_kind)
    wanted = {(row.set, row.of, row.evidence) for row in built}
    originals = [row._replace(kind=ORIGINAL) for row in rows if (row.set, row.claim, row.evidence) in wanted]
    return originals + built
