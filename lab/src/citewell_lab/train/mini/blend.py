"""How the odds of words and those of the model are added, fitted on claims that the model did not learn from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.checkers.evidence import read
from citewell.checkers.mini import MiniChecker, log_odds
from citewell.document import Document
from citewell.errors import InputError
from citewell.facts.features import vector
from citewell.facts.model import Floats, Model, shipped
from citewell.protocols import Pair
from citewell.text.data import settings
from citewell_lab.train.checker.changed import ORIGINAL, with_originals
from citewell_lab.train.checker.fit import FLIPS
from citewell_lab.train.checker.rows import Row
from citewell_lab.train.mini.data import drawn, parts

Flags = npt.NDArray[np.bool_]
_BATCH = 64  # claims that are read at once
_LEAST = 20  # claims of either kind that a fit needs
_KEPT = 0.75  # share of the claims that were changed that keeps its label unchanged
_FREE = 1e6  # inverse strength of a regularisation that does nothing: three numbers need none
_TOLD = {"support": "supported", "against": "contradicted"}


class Odds(NamedTuple):
    """Log odds of n claims in which there is something to read.

    Attributes:
        rows: the claims.
        words: (n, 2) of support and of contradiction, by words and facts.
        model: (n, 2) the same by the model, over the stretch that supports the claim most.
    """

    rows: Sequence[Row]
    words: Floats
    model: Floats

    @property
    def sets(self) -> npt.NDArray[np.str_]:
        """The set of each claim; changed claims are a set of their own."""
        return np.array([FLIPS if row.kind else row.set for row in self.rows])

    @property
    def supported(self) -> Flags:
        """Whether people found each claim supported."""
        return np.array([row.label == "supported" for row in self.rows], dtype=bool)


def kept_back(data: Path, seed: int = 0, without: Collection[str] = ()) -> list[Row]:
    """Claims that the model did not learn from, of its own sets and those left out, and their one-fact changes.

    None is of the sets of `without`.

    Raises:
        InputError: the folder has none of the sets.
    """
    s = settings(__package__)
    _, measured = parts(data)
    names = dict.fromkeys(row.set for row in measured.rows if row.set not in without)
    rows = drawn(measured.rows, names, int(s["blend_a_set"]), seed)
    return [*rows, *with_originals(rows, int(s["blend_a_kind"]), half="held", seed=seed)]


def odds(
    rows: Sequence[Row],
    folder: Path,
    tell: Callable[[str], None] = lambda _: None,
    *,
    weights: Model | None = None,
) -> Odds:
    """What words and the model in a folder make of claims, by the path that the checker takes.

    `weights` are those of the checker over facts; those that ship where None.
    """
    checker, weights = MiniChecker(model=str(folder)), weights or shipped()
    kept: list[Row] = []
    words: list[Floats] = []
    model: list[Floats] = []
    for start in range(0, len(rows), _BATCH):
        batch = rows[start : start + _BATCH]
        pairs = [Pair(row.claim, (Document.from_passages(row.evidence),)) for row in batch]
        both = [(row, visible) for row, visible in zip(batch, read(pairs), strict=True) if visible.seen]
        if not both:
            continue
        table = np.array([vector(visible.seen) for _, visible in both if visible.seen])
        chances = np.stack([weights.support.probability(table), weights.against.probability(table)], axis=1)
        kept += [row for row, _ in both]
        words.append(log_odds(chances))
        model.append(checker.odds([row.claim for row, _ in both], [visible for _, visible in both]))
        tell(f"{min(len(rows), start + _BATCH)} of {len(rows)} claims read")
    if not kept:
        raise InputError("there is no claim to fit on in which there is something to read")
    return Odds(kept, np.concatenate(words), np.concatenate(model))


def weights(odds: Odds) -> Floats:
    """What each claim counts: sets weigh alike, changed claims as much as the half of all others."""
    sets = odds.sets
    result = np.zeros(len(sets))
    for name in np.unique(sets):
        matches = sets == name
        result[matches] = 1 / matches.sum()
    people = sets != FLIPS
    result[~people] *= result[people].sum() / 2
    counts: Floats = result / result.mean()
    return counts


def fitted(odds: Odds, here: Flags | None = None) -> dict[str, dict[str, float]]:
    """What the log odds of words and of the model count, for support and for contradiction; on the claims of `here`.

    Neither counts less than nothing: where one is of no use beside the other, it is left out.

    Raises:
        InputError: there are too few claims of either kind.
    """
    from sklearn.linear_model import LogisticRegression

    here = np.ones(len(odds.rows), dtype=bool) if here is None else here
    label, count = np.array([row.label for row in odds.rows]), weights(odds)
    tells = here & np.isin(odds.sets, np.unique(odds.sets[label == "contradicted"])) & (label != "supported")
    result = {}
    for place, (name, good, among) in enumerate(
        (("support", label == "supported", here), ("against", label == "contradicted", tells))
    ):
        if min((good & among).sum(), (~good & among).sum()) < _LEAST:
            raise InputError(f"too few claims to fit on: {_LEAST} and more that are {_TOLD[name]}, and as many others")
        both = np.stack([odds.words[:, place], odds.model[:, place]], axis=1)[among]
        used = [0, 1]
        while True:
            line = LogisticRegression(C=_FREE).fit(both[:, used], good[among], sample_weight=count[among])
            if (line.coef_[0] > 0).all() or len(used) == 1:
                break
            used = [used[int(np.argmax(line.coef_[0]))]]
        parts = {"words": 0.0, "model": 0.0, "shift": float(line.intercept_[0])}
        parts |= {("words", "model")[column]: float(value) for column, value in zip(used, line.coef_[0], strict=True)}
        result[name] = {key: round(value, 4) for key, value in parts.items()}
    return result


def labels(odds: Odds, counts: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The scores from which claims count as supported, by the sum and by the model alone.

    As for words alone, each keeps the share `_KEPT` of the claims that were changed, unchanged.
    """
    original = np.array([row.kind == ORIGINAL for row in odds.rows], dtype=bool)
    if not original.any():
        return {}
    alone = {"words": 0.0, "model": 1.0, "shift": 0.0}
    return {
        name: round(float(np.quantile(support(odds, parts)[original], 1 - _KEPT)), 3)
        for name, parts in (("supported", counts["support"]), ("alone", alone))
    }


def support(odds: Odds, counts: Mapping[str, float]) -> Floats:
    """The probability of support that the fitted sum gives each claim."""
    total = counts["words"] * odds.words[:, 0] + counts["model"] * odds.model[:, 0] + counts["shift"]
    result: Floats = 1 / (1 + np.exp(-total))
    return result
