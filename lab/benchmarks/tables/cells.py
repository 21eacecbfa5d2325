"""Are figures of filings with inline XBRL read and answered rightly? Filings that builders read, and measured ones.

    python lab/benchmarks/tables/cells.py development=DIR measured=DIR [--record]

Of each side counts alone are printed. `--record` writes them into `lab/figures/cells.json`, with `--first-sight` into
`cells-unseen.json`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import figures

from citewell_lab.bench.inline import run, total

SEED = 27
UNSEEN = "python lab/benchmarks/tables/cells.py unseen=DIR"
COMMAND = "python lab/benchmarks/tables/cells.py development=DIR measured=DIR --record"


def main() -> None:
    """Read and ask all filings and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sides", nargs="+", metavar="NAME=DIR")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--first-sight", action="store_true", help="nobody has counted these filings before")
    args = parser.parse_args()
    for side, _, folder in (one.partition("=") for one in args.sides):
        values = dict[str, tuple[int, int]]()
        for name, row in total(list(run(Path(folder), SEED))).items():
            size = row.pop("n", 0) or sum(row.values())
            for outcome in ("right", "wrong", "hedged", "withheld", "unknown"):
                values[f"{side}.{name}.{outcome}"] = (row[outcome], size)
        sys.stdout.write("".join(f"{name} {value} of {size}\n" for name, (value, size) in values.items()))
        if args.record:
            if args.first_sight:
                figures.record("cells-unseen", values, Path(folder), "first sight", f"{UNSEEN} --record --first-sight")
            else:  # counts chose among changes
                figures.record("cells", values, Path(folder), "chosen on", COMMAND)


if __name__ == "__main__":
    main()
