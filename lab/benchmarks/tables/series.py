"""Do the years of reports agree, for the companies that builders read and for those that are only measured?

    python lab/benchmarks/tables/series.py --data DIR [--side development] [--cache DIR] [--record]

Each side of `lab/first_sight/division.json` on its own, or one of them; documents are kept in the cache. Pairs that
differ are printed of the development side alone. `--record` writes `lab/figures/series.json`.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import figures

from citewell_lab.bench.series import COLUMNS, Reading, run, summary, text

DIVISION = Path(__file__).parents[2] / "first_sight" / "division.json"
COMMAND = "python lab/benchmarks/tables/series.py --data DATA --record"


def counts(readings: list[Reading]) -> dict[str, tuple[int, int]]:
    """What is counted over all readings, each with what it is counted over."""
    row = summary(readings)["all"]
    return {name: (row[name], row["asked" if name in ("asked", "answered") else "pairs"]) for name in COLUMNS}


def main() -> None:
    """Ask all reports and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--side", choices=("development", "measured"))
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--record", action="store_true")
    args = parser.parse_args()
    folder, values = args.data / "financebench" / "pdfs", dict[str, tuple[int, int]]()
    for side, companies in json.loads(DIVISION.read_text(encoding="utf-8")).items():
        if args.side not in (None, side):
            continue
        whole = list[Reading]()
        for company, readings in run(folder, args.cache, companies=companies):
            whole += readings
            values |= {f"{side}.{company.lower()}.{name}": pair for name, pair in counts(readings).items()}
            sys.stdout.write(f"{side} {company} {counts(readings)}\n")
            sys.stdout.flush()
        values |= {f"{side}.all.{name}": pair for name, pair in counts(whole).items()}
        sys.stdout.write(f"{side} {counts(whole)}\n")
        if side == "development":
            sys.stdout.write(text(whole, shown=len(whole)) + "\n")
    if args.record:
        figures.record("series", values, folder, "chosen on", COMMAND)


if __name__ == "__main__":
    main()
