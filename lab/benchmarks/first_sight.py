"""Ask the first-sight sets: claims, statements, figures and questions whose truth was written before anybody asked.

    python lab/benchmarks/first_sight.py --data DATA [--parts claims,figures] [--sets FOLDER] [--record]
    python lab/benchmarks/first_sight.py --sum  # the questions of all days, each as it was answered at first sight

The sets lie in `lab/first_sight`, a folder a day: `opened.json` lists the documents, drawn by a seed, that their author read. The text
of a document comes from the data folder, so a set holds no text but its own claims and questions. A document that is called
`files/NAME` is a public file: `opened.json` gives its repository, path, commit and checksum. `--record` writes the counts into
the store of figures. Once a set was read for building it is development data, and says so there.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import figures
import first_sight_texts

import citewell
from citewell import Answer, Document

SETS = Path(__file__).parents[1] / "first_sight" / "2026-11-28e"
ALL = "first-sight-all"  # the topic of the sums of all days
SCALES = {None: 1.0, "": 1.0, "one": 1.0, "thousand": 1e3, "million": 1e6, "billion": 1e9}
SURE, HEDGED = 0.8, 0.5  # of figures and of prose: below it an answer is hedged
Row = Mapping[str, Any]
Counts = dict[str, Counter[str]]


class Documents:
    """The rows of a day's sets, and their documents, read once each while they are asked about."""

    def __init__(self, data: Path, sets: Path) -> None:
        self._data, self._sets = data, sets
        self.load = lru_cache(maxsize=4)(self._load)

    def _load(self, path: str, name: str) -> Document:
        if path.startswith("files/") or path.endswith(".pdf"):
            return citewell.read(self._data / path)
        return Document.from_text(first_sight_texts.text(self._data, path, name, self._sets / "opened.json"))

    def rows(self, part: str) -> list[Row]:
        """The rows of a set."""
        return [json.loads(line) for line in (self._sets / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()]


def claims(part: str, documents: Documents) -> Counts:
    """For true claims and each kind of false ones: how many there are and which label each has."""
    counts: Counts = defaultdict(Counter)
    for row in sorted(documents.rows(part), key=lambda row: (row["document"], row.get("name") or "")):
        document = documents.load(row["document"], row.get("name") or "")
        (verdict,) = citewell.check(document, [row["claim"]])
        counts["true" if row["label"] == "supported" else row["kind"]].update(("n", verdict.label))
    return counts


def figures_of_filings(_: str, documents: Documents) -> Counts:
    """For each kind of question: right, wrong, withheld, and wrong without a hedge."""
    counts: Counts = defaultdict(Counter)
    for row in sorted(documents.rows("figures"), key=lambda row: row["pdf"]):
        answer = citewell.ask(documents.load(row["pdf"], ""), row["question"])
        if row["absent"]:
            result = "right" if answer.abstained else "wrong"
        else:
            result = "withheld" if answer.abstained else "right" if _is_figure(answer, row) else "wrong"
        counts[row["kind"]].update(("n", result, *_unhedged(answer, result, SURE)))
    return counts


def questions(_: str, documents: Documents) -> Counts:
    """Likewise for questions to prose, also by their kinds, follow-ups in threads and questions over two documents."""
    counts: Counts = defaultdict(Counter)
    threads: dict[str, citewell.Conversation] = {}
    for row in sorted(documents.rows("questions"), key=lambda row: (row["documents"], row.get("turn") or 0)):
        sources = [documents.load(path, name or "") for path, name in zip(row["documents"], row["names"], strict=True)]
        if row.get("thread"):
            thread = threads.setdefault(row["thread"], citewell.Conversation(sources))
            answer = thread.ask(row["question"])
        else:
            answer = citewell.ask(sources, row["question"])
        if row["unanswerable"]:
            kind, result = "unanswerable", "right" if answer.abstained else "wrong"
        else:
            several = "two documents" if len(sources) > 1 else "answerable"
            kind = "follow-up" if (row.get("turn") or 1) > 1 else several
            result = "withheld" if answer.abstained else "right" if _says(stated(answer), row) else "wrong"
        outcome = ("n", result, *_unhedged(answer, result, HEDGED))
        counts[kind].update(outcome)
        if kind == "answerable":
            counts[f"kind {row['kind'].replace('/', ' ')}"].update(outcome)
    return counts


def stated(answer: Answer) -> str:
    """The statements of an answer: the names of documents that stand between them answer nothing."""
    return " ".join(statement.text for statement in answer.statements)


def _unhedged(answer: Answer, result: str, bound: float) -> Iterator[str]:
    if result == "wrong" and (answer.confidence is None or answer.confidence >= bound):
        yield "wrong_unhedged"


def _is_figure(answer: Answer, row: Row) -> bool:
    """Whether the value of an answer is one of those that are right, rounded as the answer prints it."""
    for accepted in row["answers"]:
        if "text" in accepted:
            opposite = any(_has(answer.text, text) for text in row.get("opposites", ()))
            if _has(answer.text, accepted["text"]):
                return True
            if opposite:
                return False
        elif answer.value is not None and answer.value.number is not None:
            scale = answer.value.scale or 1
            target = abs(accepted["number"]) * SCALES.get(accepted.get("scale"), 1.0)
            decimals = len(str(answer.value.number).partition(".")[2])
            rounding = 0.5 * 10**-decimals * scale if scale > 1 or decimals else 0
            allowed = max(accepted.get("tolerance", 0) * SCALES.get(accepted.get("scale"), 1.0), rounding)
            if abs(abs(answer.value.number) * scale - target) <= allowed + 1e-9 * target:
                return True
    return False


def _says(text: str, row: Row) -> bool:
    if row.get("answers_all"):
        return all(any(_has(text, part) for part in entry.split("|")) for entry in row["answers_all"])
    return any(_has(text, accepted) for accepted in row["answers"])


def _has(text: str, accepted: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(_plain(accepted))}(?!\w)", _plain(text)) is not None


def _plain(text: str) -> str:
    folded = re.sub(r"\s+", " ", text.casefold().replace("’", "'").replace("“", '"').replace("”", '"'))
    return re.sub(r"(?<=\d)[,\u00a0\u202f ](?=\d{3})", "", folded).strip()


PARTS: dict[str, Callable[[str, Documents], Counts]] = {
    "claims": claims,
    "statements": claims,
    "figures": figures_of_filings,
    "questions": questions,
}


def summary(part: str, counts: Counts) -> dict[str, tuple[int, int]]:
    """The counts that pages show, each with what it was counted over."""
    if part in ("claims", "statements"):
        false = sum((own for kind, own in counts.items() if kind != "true"), Counter[str]())
        true = counts["true"]
        contradicted = true["contradicted"] + false["contradicted"]
        return {
            "kept": (true["supported"], true["n"]),
            "passed": (false["supported"], false["n"]),
            "contradicted_true": (true["contradicted"], contradicted),
            **{f"passed.{kind}": (own["supported"], own["n"]) for kind, own in counts.items() if kind != "true"},
        }
    groups = dict(counts)
    if part == "figures":
        fresh = [own for kind, own in counts.items() if kind not in ("headline", "absent")]
        groups["fresh"] = sum(fresh, Counter[str]())
    results = ("right", "wrong", "withheld", "wrong_unhedged")
    return {
        f"{kind.replace(' ', '-')}.{result}": (own[result], own["n"])
        for kind, own in groups.items()
        for result in results
    }


def total() -> None:
    """Write the sums of what the store has of each day's questions at first sight: one day has few of a kind."""
    sums: dict[str, tuple[int, int]] = {}
    for name, figure in figures.load().items():
        topic, _, name_there = name.partition(":")
        if topic.startswith("first-sight") and topic != ALL and name_there.startswith("questions."):
            value, n = sums.get(name_there, (0, 0))
            sums[name_there] = (value + int(figure.value), n + figure.n)
    figures.record(ALL, sums, SETS.parent, "first sight", "python lab/benchmarks/first_sight.py --sum")


def main() -> None:
    """Ask the sets and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--sum", action="store_true", help="sum up what was recorded of all days, and ask nothing")
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--sets", type=Path, default=SETS, help="the folder of a day's sets; the last one by default")
    parser.add_argument("--record", action="store_true", help="write the counts into the store of figures")
    parser.add_argument("--development", action="store_true", help="record sets that builders have read since, apart")
    arguments = parser.parse_args()
    if arguments.sum:
        total()
        return
    if arguments.data is None:
        parser.error("--data is needed to ask")
    documents = Documents(arguments.data, arguments.sets)
    for part in arguments.parts.split(","):
        counts = PARTS[part](part, documents)
        sys.stdout.write(json.dumps({part: {kind: dict(own) for kind, own in counts.items()}}, indent=1) + "\n")
        if arguments.record:
            command = f"python lab/benchmarks/first_sight.py --data DATA --parts {part}"
            named = {f"{part}.{name}": value for name, value in summary(part, counts).items()}
            topic, split = ("development", "chosen on") if arguments.development else ("first-sight", "first sight")
            figures.record(topic, named, arguments.sets / f"{part}.jsonl", split, command)


if __name__ == "__main__":
    main()
