"""Visits to the first-sight documents without a browser: the overview, its questions, one's own, a follow-up, an absent one.

    python lab/benchmarks/visits.py --data DATA [--half read|counted] [--only 2026-11-22 ...] [--folder DIR] [--screens FILE]

The documents are parted by a seed: developers read the screens of one half, of the other only the counts. A question of one's
own is bad where it is answered wrongly or not at all, and one that the document does not answer where it is answered. Whether
a suggested question is odd, and a quote puzzling, nobody but a reader can say: of these the counts are how many there are.
"""

from __future__ import annotations

import argparse
import random
import sys
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import first_sight
from prose_outcomes import DAYS, Kept

import citewell
from citewell import Answer, Document
from citewell.export.view import cell_sentence
from citewell.types.overview import Overview

SEED = 20261127
HALVES = ("read", "counted")
OWN = 4  # plain questions of a visit
SURE, SURE_PHRASE = (
    0.6,
    0.45,
)  # of an answer and its phrase: below them the page shows no phrase of a sentence as the short answer
Row = Mapping[str, Any]


class Visit(NamedTuple):
    """A document of a day and the rows of its questions, follow-ups in their order."""

    day: str
    name: str
    path: str
    rows: tuple[Row, ...]


def visits(days: list[str], half: str | None) -> Iterator[Visit]:
    """The visits of some days, all or those of one half of the documents."""
    every = defaultdict[tuple[str, str, str], list[Row]](list)
    for day in days:
        for row in Kept(Path(), DAYS / day, None).rows("questions"):
            if len(row["documents"]) == 1:
                every[day, row["documents"][0], row["names"][0] or ""].append(row)
    keys = sorted(every)
    random.Random(SEED).shuffle(keys)
    chosen = {key: HALVES[number % 2] for number, key in enumerate(keys)}
    for (day, path, name), rows in sorted(every.items()):
        if half in (None, chosen[day, path, name]):
            yield Visit(day, name, path, tuple(_asked(rows)))


def _asked(rows: list[Row]) -> Iterator[Row]:
    """The first plain questions, the first thread and the first absent one."""
    alone = [row for row in rows if not row.get("thread")]
    threads = [row["thread"] for row in rows if row.get("thread")]
    yield from [row for row in alone if not row["unanswerable"]][:OWN]
    yield from sorted((row for row in rows if row.get("thread") in threads[:1]), key=lambda row: row["turn"])
    yield from [row for row in alone if row["unanswerable"]][:1]


def result(row: Row, answer: Answer) -> str:
    """Whether the answer to a question of one's own is right, wrong or withheld."""
    if row["unanswerable"]:
        return "right" if answer.abstained else "wrong"
    if answer.abstained:
        return "withheld"
    return "right" if first_sight._says(first_sight.stated(answer), row) else "wrong"


def screen(answer: Answer) -> Iterator[str]:
    """What the page shows of an answer."""
    if answer.rewritten:
        yield f"understood as: {answer.rewritten}"
    if answer.abstention:
        yield f"NO ANSWER: {answer.abstention.message}"
        for near in answer.abstention.nearest:
            yield f"near: “{cell_sentence(near.citation) or near.citation.quote}” [{near.lacks}]"
        return
    value = answer.value
    phrase = value and value.citations and answer.citations[value.citations[0]].granularity == "window"
    sure = phrase and answer.citations[value.citations[0]].score >= SURE_PHRASE and (answer.confidence or 0.0) >= SURE
    if value and (sure or not phrase):
        yield f"SHORT ANSWER: {value.text}"
    yield f"({answer.confidence or 0.0:.2f}) {answer.text}"
    yield from (f"remark: {warning}" for warning in answer.warnings)


def described(seen: Overview) -> Iterator[str]:
    """What the page shows of an overview."""
    details = {"title": seen.title, "by": seen.author, "date": seen.date, "period": seen.period}
    yield f"{seen.kind} | " + " | ".join(f"{name}: {detail.text}" for name, detail in details.items() if detail)
    yield from (f"says: “{each.quote}”" for each in seen.statements)
    yield from (f"figure {each.name}: {each.text} {each.period or ''} {each.change or ''}" for each in seen.figures)


def visit(each: Visit, document: Document) -> tuple[list[str], Counter[str]]:
    """The screens of a visit, and the counts of what came of it."""
    seen = citewell.overview(document)
    lines, counts = [f"##### {each.day} {each.name or each.path}", *described(seen)], Counter[str]()
    for offer in seen.questions:
        lines += [f"\nSUGGESTED {offer.question}", *screen(offer.answer)]
    counts.update({"visits": 1, "suggested": len(seen.questions), "statements": len(seen.statements)})
    talk = citewell.Conversation([document])
    bad = 0
    for row in each.rows:
        answer = talk.ask(row["question"]) if row.get("thread") else citewell.ask([document], row["question"])
        outcome = result(row, answer)
        kind = "absent" if row["unanswerable"] else "follow-up" if (row.get("turn") or 1) > 1 else "own"
        lines += [f"\n{kind.upper()} [{outcome}] {row['question']} {row['answers']}", *screen(answer)]
        counts.update((f"{kind} {outcome}", "screens"))
        bad += outcome != "right"
    counts.update({"bad": bad, "clean visits": not bad})
    return lines, counts


def main() -> None:
    """Visit, print the counts, and write the screens where a file is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--half", choices=HALVES)
    parser.add_argument("--only", nargs="*", help="days; all by default")
    parser.add_argument("--folder", type=Path, help="where filings are kept once they were read")
    parser.add_argument("--screens", type=Path)
    options = parser.parse_args()
    days = options.only or sorted(path.parent.name for path in DAYS.glob("*/questions.jsonl"))
    if options.screens and options.half == HALVES[1]:
        parser.error("of the counted half nobody reads the screens")
    counts, pages = Counter[str](), list[str]()
    loads = {day: Kept(options.data, DAYS / day, options.folder) for day in days}
    for each in visits(days, options.half):
        lines, these = visit(each, loads[each.day].load(each.path, each.name))
        counts.update(these)
        pages += [textwrap.shorten(line, 900) if line.strip() else line for line in lines] + [""]
        if options.screens:
            options.screens.write_text("\n".join(pages), encoding="utf-8")
    sys.stdout.writelines(f"{name}: {count}\n" for name, count in sorted(counts.items()))


if __name__ == "__main__":
    main()
