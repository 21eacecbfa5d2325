"""Makes the vocabulary of reports' items: how companies word what they report, by tag, from SEC statement data.

python lab/benchmarks/tables/vocabulary.py DATA/sec_labels/labels_2010q2.csv

Writes src/citewell/generators/extractive/cells/vocabulary.json: for each wording, reduced to its terms, the tags that
filings put it under with how many did, and for each tag the statement that it stands in.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

from citewell.generators.extractive.cells.wordings import item_terms

OUT = Path("src/citewell/generators/extractive/cells/vocabulary.json")
KINDS = {"IS": "income", "BS": "balance", "CF": "cash", "EQ": "equity", "CI": "comprehensive"}
LEAST = 2  # filings in which a wording stands under a tag
MOST = 12  # terms of a wording


def main() -> None:
    """Read the labels, count, write."""
    wordings: dict[str, Counter[str]] = defaultdict(Counter)
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    with Path(sys.argv[1]).open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            terms, filings = item_terms(row["label"]), int(row["filings"])
            if 0 < len(terms) <= MOST and row["statement"] in KINDS:
                wordings[" ".join(terms)][row["tag"]] += filings
                kinds[row["tag"]][KINDS[row["statement"]]] += filings
    kept = {
        wording: {tag: count for tag, count in tags.most_common(6) if count >= LEAST}
        for wording, tags in sorted(wordings.items())
    }
    kept = {wording: tags for wording, tags in kept.items() if tags}
    names = sorted({tag for tags in kept.values() for tag in tags})
    number = {tag: place for place, tag in enumerate(names)}
    data = {
        "about": "How companies word the items of their statements, for citewell.generators.extractive.cells.",
        "provenance": "Printed labels of public filings, one quarter of 2010, with their tags; wordings are reduced to stems, their counts are filings. Made by lab/benchmarks/tables/vocabulary.py.",
        "licence": "Facts of public filings; CC0-1.0",
        "tags": [[tag, kinds[tag].most_common(1)[0][0]] for tag in names],
        "wordings": {
            wording: [v for tag, count in tags.items() for v in (number[tag], count)] for wording, tags in kept.items()
        },
    }
    OUT.write_text(json.dumps(data, separators=(",", ":")).replace('],"', '],\n"') + "\n", encoding="utf-8")
    print(f"{len(kept)} wordings, {len(names)} tags, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
