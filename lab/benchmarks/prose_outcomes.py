"""Questions of all first-sight days and of public sets: right, wrong or withheld by the whole `ask`, and what confidence tells.

    python lab/benchmarks/prose_outcomes.py --data DATA [--most 60] [--only 2026-11-24 squad2] [--out rows.jsonl] [--jobs 2]
    python lab/benchmarks/prose_outcomes.py --compare before.jsonl after.jsonl

A day's answer is right by the accepted strings of its question, as `first_sight.py` counts. An answer to a public question is right where
one of its quotes holds a gold passage or part of one. An answer to a question without one is wrong. All of it is development
data. `--compare` counts which questions turned from what into what.
"""

from __future__ import annotations

import argparse
import json
import pickle
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import first_sight
from questions_data import SETS, Item, foreign

import citewell
from citewell import Answer, Document

SEED = 20261126
DAYS = Path(__file__).parents[1] / "first_sight"
CLASSES = ("answerable", "unanswerable", "follow-up", "two documents")


class Kept(first_sight.Documents):
    """Documents that are kept in a folder once they were read: filings take seconds each."""

    def __init__(self, data: Path, sets: Path, folder: Path | None) -> None:
        super().__init__(data, sets)
        self._folder = folder

    def _load(self, path: str, name: str) -> Document:
        place = self._folder / f"{Path(path).name}.pickle" if self._folder and path.endswith(".pdf") else None
        if place is None:
            return super()._load(path, name)
        if not place.exists():
            place.write_bytes(pickle.dumps(super()._load(path, name)))
        document: Document = pickle.loads(place.read_bytes())  # noqa: S301  (our own file)
        return document


def day(name: str, data: Path, folder: Path | None, settings: dict[str, Any]) -> list[dict[str, Any]]:
    """The outcomes of a day's questions."""
    documents = Kept(data, DAYS / name, folder)
    threads: dict[str, citewell.Conversation] = {}
    found = []
    for row in sorted(documents.rows("questions"), key=lambda row: (row["documents"], row.get("turn") or 0)):
        sources = [documents.load(path, each or "") for path, each in zip(row["documents"], row["names"], strict=True)]
        if row.get("thread"):
            talk = threads.setdefault(row["thread"], citewell.Conversation(sources, **settings))
            answer = talk.ask(row["question"])
        else:
            answer = citewell.ask(sources, row["question"], **settings)
        several = "two documents" if len(sources) > 1 else "answerable"
        group = "unanswerable" if row["unanswerable"] else "follow-up" if (row.get("turn") or 1) > 1 else several
        found.append(
            outcome(
                name,
                f"{name}/{row['id']}",
                group,
                row["kind"],
                answer,
                first_sight._says(first_sight.stated(answer), row),
            )
        )
    return found


def public(name: str, data: Path, most: int, settings: dict[str, Any]) -> list[dict[str, Any]]:
    """The outcomes of a sample of a public set, and of a quarter as many of its questions put to another document."""
    items = list(SETS[name](data))
    random.Random(SEED).shuffle(items)
    chosen = items[:most] + list(foreign(items[: most * 2], 8))
    return [_of_item(name, number, item, settings) for number, item in enumerate(chosen)]


def _of_item(name: str, number: int, item: Item, settings: dict[str, Any]) -> dict[str, Any]:
    answer = citewell.ask(item.document, item.question, **settings)
    holds = any(
        span.start < citation.end and citation.start < span.end for span in item.gold for citation in answer.citations
    )
    return outcome(name, f"{name}/{number}", "answerable" if item.gold else "unanswerable", "", answer, holds)


def outcome(name: str, key: str, group: str, kind: str, answer: Answer, holds: bool) -> dict[str, Any]:
    """What became of a question."""
    if group == "unanswerable":
        result = "right" if answer.abstained else "wrong"
    else:
        result = "withheld" if answer.abstained else "right" if holds else "wrong"
    sure = answer.confidence or 0.0
    return {
        "set": name, "id": key, "group": group, "kind": kind, "result": result, "confidence": round(sure, 3),
        "question": answer.question, "rewritten": answer.rewritten, "text": answer.text[:600],
        "value": answer.value.text if answer.value else None, "value_score": _value_score(answer),
        "message": answer.abstention.message if answer.abstention else "",
        "abstained": answer.abstained,
        "nearest": [near.citation.quote[:200] for near in answer.abstention.nearest] if answer.abstention else [],
    }  # fmt: skip


def _value_score(answer: Answer) -> float | None:
    """How sure the short answer is: the score of its first citation."""
    cited = [answer.citations[number].score for number in answer.value.citations] if answer.value else []
    return round(min(cited), 3) if cited else None


def table(rows: Iterable[dict[str, Any]], by: str) -> Iterator[str]:
    """Right / wrong / withheld of each set or kind and class, bold wrong ones apart."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in rows:
        bold = row["result"] == "wrong" and row["confidence"] >= first_sight.HEDGED
        for key in ((row[by], row["group"]), ("all", row["group"])):
            counts[key].update((row["result"], "n", *(["bold"] if bold else [])))
    for group in CLASSES:
        yield f"\n| {group} | n | right | wrong | withheld | wrong, not hedged |\n|---|---|---|---|---|---|"
        for (name, own), count in counts.items():
            if own == group:
                yield f"| {name} | {count['n']} | {count['right']} | {count['wrong']} | {count['withheld']} | {count['bold']} |"


def risk(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Of 100 questions those answered and wrong at each least confidence; questions without an answer apart."""
    some = [row for row in rows if row["group"] in CLASSES[:2]]
    total = {group: sum(row["group"] == group for row in some) or 1 for group in CLASSES[:2]}
    yield "\n| least confidence | answerable: right | wrong | unanswerable answered |\n|---|---|---|---|"
    for least in (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        kept = [row for row in some if not row["abstained"] and row["confidence"] >= least]
        count = Counter((row["group"], row["result"]) for row in kept)
        shares = [
            count[g, r] / total[g]
            for g, r in (("answerable", "right"), ("answerable", "wrong"), ("unanswerable", "wrong"))
        ]
        yield f"| {least:.1f} | " + " | ".join(f"{100 * share:.0f}" for share in shares) + " |"


def compared(before: Path, after: Path) -> Iterator[str]:
    """How many questions turned from what into what, by class."""
    first, second = (
        {row["id"]: row for row in map(json.loads, path.read_text().splitlines())} for path in (before, after)
    )
    turns = Counter(
        (row["group"], row["result"], second[key]["result"])
        for key, row in first.items()
        if key in second and row["result"] != second[key]["result"]
    )
    for (group, was, now), count in sorted(turns.items()):
        yield f"{group}: {was} -> {now}: {count}"


def _one(name: str, data: Path, folder: Path | None, most: int, settings: dict[str, Any]) -> list[dict[str, Any]]:
    return public(name, data, most, settings) if name in SETS else day(name, data, folder, settings)


def main() -> None:
    """Ask, print the tables, and keep the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--only", nargs="*", help="days and sets; all by default")
    parser.add_argument("--most", type=int, default=60, help="questions of a public set")
    parser.add_argument("--generator", help="another generator, as `ask --generator`")
    parser.add_argument("--folder", type=Path, help="where filings are kept once they were read")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--compare", type=Path, nargs=2)
    options = parser.parse_args()
    if options.compare:
        sys.stdout.writelines(f"{line}\n" for line in compared(*options.compare))
        return
    if options.data is None:
        parser.error("--data is needed to ask")
    names = options.only or [*sorted(path.parent.name for path in DAYS.glob("*/questions.jsonl")), *SETS]
    settings = {"generator": options.generator} if options.generator else {}
    ask = partial(_one, data=options.data, folder=options.folder, most=options.most, settings=settings)
    with ProcessPoolExecutor(options.jobs) as pool:
        rows = [row for part in pool.map(ask, names) for row in part]
    if options.out:
        options.out.write_text("".join(json.dumps(row) + "\n" for row in rows))
    days = [row for row in rows if row["set"] not in SETS]
    sets = [row for row in rows if row["set"] in SETS]
    for part in (days, sets):
        sys.stdout.writelines(f"{line}\n" for line in (*table(part, "set"), *risk(part)))
    sys.stdout.writelines(f"{line}\n" for line in table(days, "kind"))


if __name__ == "__main__":
    main()
