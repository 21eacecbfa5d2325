"""Questions of the kinds that are easily answered wrong, about invented reports: right, wrong, withheld by kind.

python lab/benchmarks/tables/invented.py [--half chosen] [--kind premise] [--show]

`invented/questions.tsv` has the questions: what the short answer must have, or the text where none is given, "|"
between what is right alike; empty where the report does not tell, so that it must be withheld. After "~" nothing may
be withheld too, and the whole answer counts, without a figure: a name that is only a label; after "!" without any short
answer: a premise that is false. The report of the
half "left out" was written before anything was mended, and only its counts were looked at; the report of the
hospitals ("left out later") and its 60 questions were written before any of them was asked.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from pathlib import Path

from citewell import Answer, ask, read

FOLDER = Path(__file__).with_name("invented")


def judge(answer: Answer, expected: str) -> str:
    """Right, wrong or withheld."""
    if answer.abstained:
        return "right" if expected[:1] in ("", "~", "!") else "withheld"
    accepted = [part for part in expected.lstrip("~!").split("|") if part]
    answer_text = answer.value.text if answer.value is not None else answer.text
    if expected.startswith("!"):
        return "right" if answer.value is None and any(part in answer.text for part in accepted) else "wrong"
    if expected.startswith("~"):  # a figure is no answer to a question for something else
        figure = answer.value is not None and answer.value.kind in ("number", "money", "percent", "count", "date")
        return "right" if not figure and any(part in answer.text for part in accepted) else "wrong"
    return "right" if any(part in answer_text for part in accepted) else "wrong"


def main() -> None:
    """Ask all questions at default settings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", default="", help="chosen, left out, or left out later")
    parser.add_argument("--kind", default="")
    parser.add_argument("--show", action="store_true", help="what is wrong or withheld")
    options = parser.parse_args()
    documents = {path.name: read(path) for path in FOLDER.glob("*.html")}
    counts: dict[tuple[str, str], Counter[str]] = {}
    with (FOLDER / "questions.tsv").open(encoding="utf-8") as file:
        for item in csv.DictReader(file, delimiter="\t"):
            if options.half not in ("", item["half"]) or options.kind not in ("", item["kind"]):
                continue
            answer = ask(documents[item["file"]], item["question"])
            verdict = judge(answer, item["answer"] or "")
            counts.setdefault((item["half"], item["kind"]), Counter())[verdict] += 1
            if options.show and verdict != "right":
                printed = answer.value.text if answer.value else ""
                print(
                    f"{verdict} {item['kind']}: {item['question']} -> {item['answer']} | {printed} | {answer.text[:110]!r}"
                )
    for key, count in counts.items():
        print(*key, *(f"{name} {count[name]}" for name in ("right", "wrong", "withheld")), sep="\t")


if __name__ == "__main__":
    main()
