"""Claims with one fact changed, and true rewrites, of the supported claims of any rows.

from flipped import changed
training = changed(load(DIR, SOURCES), half="seen")   # measure with the other half: half="held"
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from rows import Row

from citewell.bench.flips import Half, Pool, flips, rewrites


def changed(
    rows: Iterable[Row],
    *,
    seed: int = 0,
    half: Half = "all",
    a_claim: int = 3,
    a_kind: int | None = None,
    rewritten: bool = True,
) -> list[Row]:
    """Claims with one fact changed (`contradicted`) and rewritten ones (`supported`), of the supported ones of `rows`.

    `kind` says what was changed, `of` is the claim that was changed. A claim that stands in many rows (the statements
    of ContractNLI) is taken `a_claim` times. At most `a_kind` changes of one kind are kept of a set, drawn at random.
    What is trained on should be made with `half="seen"`, what is measured on with "held".
    """
    rows = [row for row in rows if row.label == "supported" and not row.kind]
    pools = {
        name: Pool.of(text for row in rows if row.set == name for text in (row.claim, *row.evidence[:40]))
        for name in dict.fromkeys(row.set for row in rows)
    }
    times: Counter[tuple[str, str]] = Counter()
    found: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        times[row.set, row.claim] += 1
        if times[row.set, row.claim] > a_claim:
            continue
        made = flips(row.claim, row.evidence, pools[row.set], seed=seed, half=half)
        for change in (*made, *(rewrites(row.claim, seed=seed, half=half) if rewritten else ())):
            label = "supported" if change.holds else "contradicted"
            found[row.set, change.kind].append(
                row._replace(claim=change.text, label=label, kind=change.kind, of=row.claim)
            )
    chance = random.Random(seed)
    result: list[Row] = []
    for listed in found.values():
        result += listed if a_kind is None or len(listed) <= a_kind else chance.sample(listed, a_kind)
    return result


def with_flips(sources: Sequence[Row], a_kind: int, *, half: Half = "held", seed: int = 0) -> list[Row]:
    """Changed and rewritten claims, and beside them the claims that they were made from, of the kind `original`."""
    made = changed(sources, seed=seed, half=half, a_kind=a_kind)
    wanted = {(row.set, row.of, row.evidence) for row in made}
    originals = [row._replace(kind="original") for row in sources if (row.set, row.claim, row.evidence) in wanted]
    return originals + made
