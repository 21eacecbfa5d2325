"""Questions about filings with the figures that answer them, read by eye from the pages: right, wrong, withheld.

python lab/benchmarks/tables/filings.py DATA/financebench/pdfs [--half chosen] [--show]

`filings.tsv` beside this file has the questions: figures as printed (or computed by hand from printed ones, "|" between
those that are right alike) and the page of the file. A line without a figure asks for what the filing does not say.
The companies of the half "left out" were not looked at while features and words were chosen.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections import Counter
from pathlib import Path

from citewell import Answer, Document, ask, read

LIST = Path(__file__).with_name("filings.tsv")


def plain(figure: str) -> str:
    """A figure without signs, blanks and units."""
    return re.sub(r"[^\d.%]", "", figure).strip(".")


def judge(answer: Answer, expected: str) -> str:
    """Right, wrong or withheld: of a figure the figure itself, else whether the text that is given has it."""
    if answer.abstained:
        return "withheld"
    accepted = [plain(part) for part in expected.split("|") if part]
    if answer.value is not None:
        answer_text = plain(answer.value.text)
        return "right" if answer_text in accepted or answer_text in [part.rstrip("%") for part in accepted] else "wrong"
    words = {plain(word).rstrip("%") for word in answer.text.split()}
    return "right" if words & {part.rstrip("%") for part in accepted} else "wrong"


def main() -> None:
    """Ask all questions at default settings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", default="", help="chosen, or left out")
    parser.add_argument("--show", action="store_true", help="what is wrong or withheld")
    options = parser.parse_args()
    documents: dict[str, Document] = {}
    counts: Counter[tuple[str, str, str]] = Counter()
    with LIST.open(encoding="utf-8") as file:
        for item in csv.DictReader(file, delimiter="\t"):
            if options.half not in ("", item["half"]):
                continue
            if item["file"] not in documents:
                documents[item["file"]] = read(options.folder / f"{item['file']}.pdf")
            answer = ask(documents[item["file"]], item["question"])
            verdict = judge(answer, item["value"])
            counts[item["half"], "figure" if item["value"] else "no answer", verdict] += 1
            expected = "right" if item["value"] else "withheld"
            if options.show and verdict != expected:
                printed = answer.value.text if answer.value else answer.text[:70]
                near = (
                    [f"{n.citation.quote[:40]} ({n.lacks})" for n in answer.abstention.nearest]
                    if answer.abstention
                    else []
                )
                print(f"{item['file'][:8]} {verdict}: {item['question']} -> {item['value']} | {printed} {near}")
    for key, count in sorted(counts.items()):
        print(*key, count, sep="\t")


if __name__ == "__main__":
    main()
