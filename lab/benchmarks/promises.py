"""Promised against realised risk, on items left out and on other data sets; drift; the promises that ship; plots.

    python lab/benchmarks/promises.py DATA --out RUNS [--limit 1000] [--splits 200] [--plots DIR] [--ship FILE]

Each set is scored once (a run in RUNS, which goes on where it stopped). Within a set a threshold is chosen on a random
half of its documents or claims and looked at on the others; between sets it is chosen on one whole set and looked at on
another, where nothing is promised. The drift monitor is shown halves of one set (a false alarm where it sees any) and
halves of two. One JSON object a line. With `--ship` the loosest promises that hold in each of several sets are written.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np

from citewell.errors import CitewellError
from citewell.text import files
from citewell_lab.bench import drift, judged, promises, records
from citewell_lab.bench.judged import Judged
from citewell_lab.bench.kinds.labelled import Labelled
from citewell_lab.bench.metrics.risk import aurc
from citewell_lab.bench.run import run
from citewell_lab.bench.tasks import task as find_task
from citewell_lab.report import plots

SETS = {
    "lexical": (
        ("attributionbench", "dev"), ("salad", "test"), ("flips", "dev"), ("wice", "dev"), ("contract-nli", "dev"),
        ("fever", "val"), ("scifact", "dev"), ("evidence-inference", "validation"),
    ),
    "extractive": (("squad2", "dev"), ("clapnq", "dev"), ("qasper", "all"), ("financebench", "all")),
}  # fmt: skip
FEWER = {"evidence-inference": 200}  # claims over whole articles
KINDS = {"lexical": ("any", "contradicted", "missing"), "extractive": ("any", "unanswerable")}
RISKS = (0.05, 0.1, 0.2, 0.3, 0.5)
CONFIDENCE, LEVEL = 0.95, 0.05
# What ships: of which kind of error, and in each of which sets. The sets are those that can carry a risk of 30%.
SHIPPED = {
    "lexical": ("any", 0.3, ("salad", "attributionbench")),
    "extractive": ("unanswerable", 0.3, ("clapnq", "squad2")),
}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=1000)
    parser.add_argument("--splits", type=int, default=200)
    parser.add_argument("--plots", type=Path)
    parser.add_argument("--ship", type=Path)
    args = parser.parse_args()
    shipped, drawn = [], {}
    for method, tasks in SETS.items():
        kept = dict(scored(args.data, args.out, method, tasks, args.limit))
        splits = dict(tasks)
        if args.ship:
            error, risk, names = SHIPPED[method]
            items = judged.joined(judged.judged(find_task(name), kept[name], error, judged.TASK) for name in names)
            promise = promises.promise(
                items, risk, CONFIDENCE, method, [f"{name}/{splits[name]}" for name in names], judged.TASK
            )
            shipped.append(promise.to_dict())
            print(
                json.dumps(
                    {"ships": method, **{key: value for key, value in promise.to_dict().items() if key != "scores"}}
                )
            )
        for error in KINDS[method]:
            items = {}
            for name, rows in kept.items():
                try:
                    judged.hold(find_task(name), error)
                    items[name] = judged.judged(find_task(name), rows, error)
                except CitewellError:
                    continue
            items = {name: item for name, item in items.items() if item.wrong.any()}
            for line in figures(method, error, items, args.splits):
                print(json.dumps(line), flush=True)
                drawn.setdefault((method, error), []).append(line)
            if args.plots and error != "missing":
                draw(args.plots, method, error, items, drawn[method, error])
    if args.ship:
        about = "Promises of our own methods on public data: each holds in each of its sets, and for nothing else."
        licence = "statistics of the data sets named, no text of theirs"
        script = "lab/benchmarks/promises.py --ship"
        text = json.dumps({"about": about, "script": script, "licence": licence, "promises": shipped}, indent=1)
        args.ship.write_text(text + "\n", encoding="utf-8")


def scored(data: Path, out: Path, method: str, tasks, limit: int) -> Iterator[tuple[str, list[records.Good]]]:
    """The records of each set whose data lies there."""
    for name, split in tasks:
        stage = "approach" if method == "extractive" else "checker"
        try:
            run(name, data, split, out=out / name, sample=FEWER.get(name, limit), **{stage: method})
        except CitewellError as error:
            print(json.dumps({"task": name, "left out": str(error)}))
            continue
        yield name, records.good(records.counted(out / name)[1])


def figures(method: str, error: str, items: dict[str, Judged], splits: int) -> Iterator[dict]:
    """What is promised and realised within each set and between sets, and what the drift monitor says."""
    for name, item in items.items():
        shared = {"method": method, "error": error, "set": name}
        of_all = {"items": len(item.scores), "wrong": round(float(item.wrong.mean()), 4)}
        yield {**shared, **of_all, "aurc": round(aurc(promises.curve(item)), 4)}
        for risk in RISKS:
            trial = promises.tried(item, risk, CONFIDENCE, splits=splits)
            yield {**shared, "promised": risk, **asdict(trial)}
            for other, there in items.items():
                shift = promises.moved(item, there, risk, CONFIDENCE) if other != name else {"threshold": None}
                if shift["threshold"] is not None:
                    yield {**shared, "promised": risk, "moved to": other, **shift}
        if error == KINDS[method][-1 if method == "extractive" else 0]:
            for other, there in items.items():
                share = alarms(item, there, splits, same=other == name)
                if share is not None:
                    yield {**shared, "watched": other, "alarms": share}


def alarms(judged: Judged, there: Judged, splits: int, *, same: bool) -> float | None:
    """How often a half of one set raises an alarm against a half of the same or of another."""
    if min(len(np.unique(judged_item.sources)) for judged_item in (judged, there)) < 2 * drift.FEWEST:
        return None
    rng, count = np.random.default_rng(0), 0
    for _ in range(splits):
        ours, theirs = halves(judged, rng)
        reference = theirs if same else halves(there, rng)[0]
        count += moved(
            promises.one_each(judged.part(ours)), promises.one_each((judged if same else there).part(reference))
        )
    return count / splits


def halves(items: Judged, rng: np.random.Generator):
    """Two halves of the sources, as flags of the items."""
    names, where = np.unique(items.sources, return_inverse=True)
    mine = np.zeros(len(names), dtype=bool)
    mine[rng.permutation(len(names))[: len(names) // 2]] = True
    return mine[where], ~mine[where]


def moved(before: np.ndarray, now: np.ndarray) -> bool:
    """Whether the monitor sees a drift; its promise needs nothing but the counts of the scores."""
    counts = np.histogram(before, promises.BINS, (0, 1))[0].tolist()
    known = promises.Promise(
        "claims", 0.5, "any", 0.1, CONFIDENCE, "lexical", "", [], "", {}, len(before), 0, 0, "", counts, ""
    )
    return drift.drift(known, now, LEVEL).moved


def draw(folder: Path, method: str, error: str, items: dict[str, Judged], lines: list[dict]) -> None:
    """Risk over the share given, and realised over promised risk, of all sets."""
    two = [name for name in items if not isinstance(find_task(name), Labelled)]
    panels = {"two labels": two, "three labels": [name for name in items if name not in two]}
    if method == "extractive":
        panels = {"answers": two}
    risky, kept = [], []
    whole = plots.Series("as promised", [(0.0, 0.0, 0.0, 0.0), (50.0, 50.0, 0.0, 0.0)], dashed=True)
    for title, names in panels.items():
        if not names:
            continue
        curves = {
            name: [(100 * x, 100 * y, 0.0, 0.0) for x, y in promises.curve(items[name]) if x >= 0.05] for name in names
        }
        risky.append(plots.Panel(f"{title}, error: {error}", [plots.Series(*pair) for pair in curves.items()]))
        points = {
            name: [
                (100 * line["promised"], 100 * line["risk"], 0.0, 0.0)
                for line in lines
                if line["set"] == name and line.get("kept", 0) >= line.get("splits", 0) / 10 > 0
            ]
            for name in names
        }
        named = [(name if point else f"{name}: no threshold", point) for name, point in points.items()]
        kept.append(plots.Panel(f"{title}, error: {error}", [*(plots.Series(*pair) for pair in named), whole]))
    drawn = {
        "risk": plots.curves(
            f"promises-{method}-{error}-risk", risky, ("% given, the surest first", "% of them wrong")
        ),
        "kept": plots.curves(
            f"promises-{method}-{error}-kept", kept, ("promised risk (%)", "realised on the other half (%)")
        ),
    }
    files.write_all(folder, {f"promises-{method}-{error}-{part}.svg": svg + "\n" for part, svg in drawn.items()})


if __name__ == "__main__":
    main()
