"""What the checker's weights are worth on claims that the fit has not seen.

    python lab/benchmarks/checking/left_out.py --data DIR

Two tables: cross-validated over documents (claims that share a page, premise or claim stay together), and with each
set left out whole, the sets of human contrasts all at once. `citewell train checker` makes the weights that ship; this
fits the same on parts. Changed claims are those of the training, by the half "seen" of the word lists; `measure.py`
measures with the other half.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from measure import table as show

from citewell_lab.train.checker.fit import Table, crossed, crossed_calibration, fit, probability
from citewell_lab.train.checker.sets import CONTRASTS
from citewell_lab.train.checker.weights import training_rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    table = Table(training_rows(args.data, args.seed))
    supported, everything = table.supported, np.ones(len(table.rows), dtype=bool)
    odds = crossed(table, supported, everything)
    calibration, error = crossed_calibration(table, odds, supported, table.people)
    print(f"expected calibration error on people's claims: {error:.3f}")
    show(table.rows, {"cross-validated over documents": probability(odds, calibration).tolist()})
    for left in [CONTRASTS, *((name,) for name in sorted(set(table.set)) if name not in CONTRASTS)]:
        test = np.isin(table.set, left)
        train = ~test & ~np.isin(table.group, table.group[test])
        odds[test] = fit(table, supported, train).odds(table.x[test])
    show(table.rows, {"the whole set left out": probability(odds, calibration).tolist()})


if __name__ == "__main__":
    main()
