"""What the small model adds on sets from which neither it nor the checker over facts beside it has learnt anything.

    python lab/benchmarks/checking/mini_left_out.py --data DIR --model RUN/model --work FOLDER [--out RUN/model/figures.json]

The weights that ship were fitted on parts of these sets, which would flatter them. So the checker over facts is fitted
anew without them, and how both count on claims of other sets, in a copy of the model's folder. Both lie in FOLDER and
are taken from there the next time.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

import numpy as np
from figures import auc, resamples
from measure import append, checker, table

from citewell.facts.model import own
from citewell_lab.train.checker.changed import with_originals
from citewell_lab.train.checker.fit import FLIPS
from citewell_lab.train.checker.rows import load
from citewell_lab.train.checker.weights import train, write
from citewell_lab.train.mini.blend import fitted, kept_back, labels, odds
from citewell_lab.train.mini.data import LEFT_OUT
from citewell_lab.train.mini.publish import amend

DRAWS = 1000
WORDS, SUM, ALONE = "lexical", "mini", "mini(alone=true)"


def prepared(data: Path, model: Path, work: Path) -> tuple[Path, Path]:
    """The weights of words and the model's folder that know nothing of the sets."""
    weights, folder = work / "words.npz", work / "model"
    if not weights.exists():
        work.mkdir(parents=True, exist_ok=True)
        write(train(data, without=LEFT_OUT, tell=print), weights)
    if not folder.exists():
        partial = work / "partial"
        shutil.rmtree(partial, ignore_errors=True)
        shutil.copytree(model, partial)
        read = odds(kept_back(data, without=LEFT_OUT), partial, print, weights=own(str(weights)))
        counts = fitted(read)
        amend(partial, {"claim": {**counts, **labels(read, counts)}})
        print(json.dumps({**counts, **labels(read, counts)}))
        partial.rename(folder)
    return weights, folder


def show_differences(rows, scored):
    """The difference in AUC to words alone by set, with its 95% interval over groups, and the mean of the sets."""
    names = np.array([FLIPS if row.kind else row.set for row in rows])
    good = np.array([row.label == "supported" for row in rows])
    for system in (SUM, ALONE):
        drawn = []
        for name in (*LEFT_OUT, FLIPS):
            here = names == name
            groups = [row.group for row, mine in zip(rows, here, strict=True) if mine]
            counts = resamples(np.array(groups), DRAWS)
            whole, all_drawn = (
                auc(scored[system][0][here], good[here], weights) - auc(scored[WORDS][0][here], good[here], weights)
                for weights in (None, counts)
            )
            low, high = np.nanquantile(all_drawn, (0.025, 0.975))
            print(f"{system}, {name}: {100 * whole[0]:+.1f} ({100 * low:+.1f} to {100 * high:+.1f})")
            if name != FLIPS:
                drawn.append(all_drawn)
        mean = np.mean(drawn, axis=0)
        low, high = np.nanquantile(mean, (0.025, 0.975))
        print(f"{system}, mean of the sets: {100 * np.nanmean(mean):+.1f} ({100 * low:+.1f} to {100 * high:+.1f})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--sample", type=int, default=700)
    parser.add_argument("--flips", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="figures.json of the model's card")
    args = parser.parse_args()
    weights, folder = prepared(args.data, args.model, args.work)
    rows = load(args.data, LEFT_OUT, sample=args.sample, seed=args.seed)
    rows += with_originals(rows, args.flips, half="held", seed=args.seed)
    specs = {
        WORDS: f"lexical(weights={weights})",
        SUM: f"mini(model={folder}, weights={weights})",
        ALONE: f"mini(model={folder}, weights={weights}, alone=true)",
    }
    scored = {}
    for name, spec in specs.items():
        scores, labels = checker(spec)(rows)
        scored[name] = (np.array(scores), labels)
    figures = table(rows, scored)
    show_differences(rows, scored)
    if args.out:
        keep = {
            name: {part: row for part, row in figure.items() if part != "contrasts, mean"}
            for name, figure in figures.items()
        }
        append(args.out, "mini_left_out.py --data DATA --model RUN/model --work WORK", keep)


if __name__ == "__main__":
    main()
