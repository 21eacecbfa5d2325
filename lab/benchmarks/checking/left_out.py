"""What the checker is worth on sets of claims that its fit has not seen: every set left out in turn.

    python benchmarks/checking/left_out.py --data DIR --cache DIR [--sample 450] [--record]

Sets that share pages, premises or claims are left out together (`FAMILIES`), and single claims that share one with them
as well. Changed claims of what is fitted on come from one half of the word lists, those that are measured from the
other. A table by set and by kind of false claim: the area under the curve, what the labels keep and pass, what is
caught where 75 of 100 are kept, the calibration error; then the share of claims called contradicted that people found
supported. What was read of the claims is kept in the cache by the code that read it. `--record` writes the means and
the worst sets into the store of figures, from which docs/checking.md has them.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from intervals import auc

sys.path.append(str(Path(__file__).parents[1]))
import figures

import citewell
from citewell.checkers.aligned import QUOTED, Differences, Settings, differences, label
from citewell.checkers.evidence import read
from citewell.document import Document
from citewell.facts.features import names, vector
from citewell.facts.model import Floats, Line, Model, shipped
from citewell.protocols import Pair
from citewell.text.openings import without_openings
from citewell_lab.train.checker.changed import with_originals
from citewell_lab.train.checker.fit import Table, calibration_error, fit
from citewell_lab.train.checker.rows import Row, load, present
from citewell_lab.train.checker.sets import CHANGED, SETS

FAMILIES = (
    ("fever", "fever_symmetric", "fm2"),
    ("snli", "counterfactual_nli"),
    ("attributionbench", "expertqa"),
    ("wice", "wice_cited"),
)
CONTRASTS = (
    "conjnli",
    "counterfactual_nli",
    "fever_symmetric",
    "wanli_part",
    "scone",
    "fm2",
    "fever",
    "snli",
    "wiki_nli",
)
KEPT = 0.75
FLAGS = ("vetoed", "lacking", "unsettled", "quoted", "proved", "invented", "unnamed", "uncounted")
Score = Callable[[Table, np.ndarray, np.ndarray], Floats]


def rows_of(data: Path, sample: int, seed: int) -> tuple[list[Row], np.ndarray]:
    """People's claims, then changed ones of both halves; and which may be fitted on ("fit"), measured ("test"), or both."""
    people = load(
        data,
        present(data, [name for name in SETS if name not in ("fever_page", "wice_cited")]),
        sample=sample,
        seed=seed,
    )
    sources = load(data, present(data, CHANGED), sample=2 * sample, seed=seed)
    originals, unseen = (
        with_originals(sources, 25, half=half, seed=seed + n) for n, half in enumerate(("seen", "held"))
    )
    use = np.repeat(["both", "fit", "test"], [len(people), len(originals), len(unseen)])
    return [*people, *originals, *unseen], use


def looked_at(rows: Sequence[Row], cache: Path | None) -> tuple[Floats, np.ndarray]:
    """(n, F + 1) features and the share of words that is near, NaN where nothing was read; (n, 5) what differs."""
    code = hashlib.sha256(repr([row[2:4] for row in rows]).encode())
    for room in ("facts", "text", "checkers"):
        for path in sorted((Path(citewell.__file__).parent / room).glob("*.py")):
            code.update(path.read_bytes())
    kept = cache / f"left_out-{code.hexdigest()[:16]}.npz" if cache else None
    if kept and kept.exists():
        with np.load(kept) as both:
            return both["values"], both["flags"]
    values, flags = np.full((len(rows), len(names()) + 1), np.nan), np.zeros((len(rows), len(FLAGS)), dtype=bool)
    documents: dict[tuple[str, ...], tuple[Document, ...]] = {}
    for number, row in enumerate(rows):
        if row.evidence not in documents:
            if len(documents) > 300:
                documents.clear()
            documents[row.evidence] = (Document.from_passages(row.evidence),)
        pair = Pair(without_openings(row.claim), documents[row.evidence])
        (there,) = read([pair])
        if there.alignment:
            values[number] = [*vector(there.alignment), there.alignment.near]
            difference = differences(pair, there)
            flags[number] = [getattr(difference, name) for name in FLAGS]
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(kept, values=values, flags=flags)
    return values, flags


def families(sets: Sequence[str]) -> list[tuple[str, ...]]:
    """The sets, those together that must be left out together."""
    family_by_key = {name: family for family in FAMILIES for name in family}
    return list(dict.fromkeys(family_by_key.get(name, (name,)) for name in sets))


def left_out(
    table: Table, use: np.ndarray, good: np.ndarray, *, among: np.ndarray | None = None, against: bool = False
) -> Floats:
    """The probability of every claim by a line that has seen nothing of its family of sets."""
    result = np.zeros(len(good))
    for family in families(sorted(set(table.source))):
        test = np.isin(table.source, family)
        train = ~test & ~np.isin(table.group, np.unique(table.group[test])) & (use != "test")
        train &= ~np.isin(table.source, ("wiki_nli",)) & (True if among is None else among)
        result[test] = fit(table, good, train, against=against).probability(table.x[test])
    return result


def labelled(table: Table, support: Floats, flags: np.ndarray, least: float, partial: float) -> np.ndarray:
    """The labels that the checker gives with such probabilities."""
    line = Line(np.zeros(len(names())), 0.0)
    settings = Settings("lexical", Model(names(), line, line, least, partial, least), least, partial)
    result = []
    for chance, near, row in zip(support, table.near, flags.tolist(), strict=True):
        difference = Differences((), **dict(zip(FLAGS, row, strict=True)))
        result.append(
            label(max(chance, least * difference.proved, QUOTED * difference.quoted), near, difference, settings)
        )
    return np.array(result)


def show(table: Table, use: np.ndarray, support: Floats, labels: np.ndarray) -> dict[str, Mapping[str, float]]:
    """Print the table; the figures by set."""
    good, result = table.supported, {}
    test = use != "fit"
    kinds = {
        "contrasts": [(name, test & table.people & (table.source == name)) for name in CONTRASTS],
        "natural": [
            (name, test & table.people & (table.source == name))
            for name in sorted(set(table.source) - {*CONTRASTS, "wice_cited"})
        ],
        "changes": [
            (f"{name}, changed", test & ~table.people & (table.source == name))
            for name in sorted(set(table.source[~table.people]))
        ],
    }
    columns = ("n", "auc", "kept", "passed", "caught", "ece", "called", "wrongly")
    print(f"{'':28}" + "".join(f"{name:>9}" for name in columns))
    for kind, sets in kinds.items():
        rows = []
        for name, here in sets:
            if not here.any() or good[here].all() or not good[here].any():
                continue
            against = here & (labels == "contradicted")
            cut = np.quantile(support[here & good], 1 - KEPT)
            row = {
                "n": int(here.sum()),
                "auc": float(np.ravel(auc(support[here], good[here]))[0]),
                "kept": float((labels[here & good] == "supported").mean()),
                "passed": float((labels[here & ~good] == "supported").mean()),
                "caught": float((support[here & ~good] < cut).mean()),
                "ece": calibration_error(support[here], good[here], np.ones(int(here.sum()))),
                "called": int(against.sum()),
                "wrongly": float(good[against].mean()) if against.any() else float("nan"),
            }
            rows.append(row)
            result[name] = row
            _line(name, row)
        whole = np.zeros(len(good), dtype=bool)
        for _, here in sets:
            whole |= here
        against = whole & (labels == "contradicted")
        mean = {key: float(np.nanmean([row[key] for row in rows])) for key in columns[1:6]}
        worst = {"auc": min, "kept": min, "passed": max, "caught": min, "ece": max}
        last = {
            "n": len(rows),
            "called": int(against.sum()),
            "wrongly": float(good[against].mean()) if against.any() else float("nan"),
        }
        _line(f"{kind}: mean", {**last, **mean})
        result[f"{kind}.mean"] = {**last, **mean}
        result[f"{kind}.worst"] = {
            "n": len(rows),
            "called": 0,
            "wrongly": max((r["wrongly"] for r in rows if r["called"] >= 10), default=float("nan")),
            **{key: pick(row[key] for row in rows) for key, pick in worst.items()},
        }
        _line(f"{kind}: worst", result[f"{kind}.worst"])
    here = test & table.people
    weight = table.weights(here)
    pooled = calibration_error(support[here], good[here], weight[here])
    result["pooled"] = {"n": int(here.sum()), "ece": pooled}
    print(f"pooled calibration error, kinds and sets alike: {100 * pooled:.1f}")
    changed = test & ~table.people
    original = changed & table.changed_from & good
    cut = np.quantile(support[original], 1 - KEPT)
    for kind in sorted(set(table.kind[changed & ~good])):
        here = changed & ~good & (table.kind == kind)
        caught, passed = (support[here] < cut).mean(), (labels[here] == "supported").mean()
        result[f"changed.{kind}"] = {"n": int(here.sum()), "caught": float(caught), "passed": float(passed)}
        print(f"  changed: {kind:20}{here.sum():6} caught {100 * caught:5.1f}, passed {100 * passed:5.1f}")
    return result


def _line(name: str, row: Mapping[str, float]) -> None:
    shares = "".join(f"{100 * row[key]:9.1f}" for key in ("auc", "kept", "passed", "caught", "ece"))
    print(f"{name:28}{row['n']:9}{shares}{row['called']:9}{100 * row['wrongly']:9.1f}")


def store(result: Mapping[str, Mapping[str, float]], sample: int) -> None:
    """Write the means, the worst sets and the kinds of changes into the store of figures, in percent."""
    command = f"python lab/benchmarks/checking/left_out.py --data DATA --sample {sample} --record"
    named = {
        f"{group}.{key}": (
            round(100 * value, 1 if key == "auc" else None),
            int(row["called"] if key == "wrongly" else row["n"]),
        )
        for group, row in result.items()
        if group == "pooled" or group.endswith((".mean", ".worst")) or group.startswith("changed.")
        for key, value in row.items()
        if key not in ("n", "called") and not np.isnan(value)
    }
    sets = figures.ROOT / "lab" / "src" / "citewell_lab" / "train" / "checker" / "sets.py"
    figures.record("left-out", named, sets, "chosen on", command)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--sample", type=int, default=450, help="about how many claims a set, whole groups")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--record", action="store_true", help="write the means into the store of figures")
    args = parser.parse_args()
    rows, use = rows_of(args.data, args.sample, args.seed)
    values, flags = looked_at(rows, args.cache)
    there = ~np.isnan(values[:, 0])
    table = Table(rows, values)
    use, flags = use[there], flags[there]
    bad = (table.kind == "original") & ~table.supported  # the same claim, doubted elsewhere
    use[bad] = "none"
    support = left_out(table, use, table.supported)
    result = show(table, use, support, labelled(table, support, flags, shipped().supported, shipped().partial))
    if args.record:
        store(result, args.sample)


if __name__ == "__main__":
    main()
