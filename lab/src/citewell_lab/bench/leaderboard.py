"""A leaderboard: one JSON file to which runs are added, each checked against its own record.

An entry holds the figures of a run and what made them: checksums of the data, package versions, git revision, seed,
hashes of prompts, all parameters, and the checksum of its items. A run is taken only if its summary follows from its
items, it is whole, and its data is the data of the entries of its task and split that are there.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from citewell.errors import InputError, UsageError
from citewell.text.files import locked, write
from citewell_lab.bench import spec as specs
from citewell_lab.bench.datasets.files import sha256
from citewell_lab.bench.metrics.declared import Metric
from citewell_lab.bench.run import summarise
from citewell_lab.bench.tasks import task as find_task
from citewell_lab.report.table import Table

FORMAT = 1
_CLOSE = 1e-9  # figures that are computed again on another machine


def load(path: Path) -> dict[str, Any]:
    """A leaderboard; an empty one where there is no file.

    Raises:
        InputError: the file is no leaderboard.
    """
    if not path.exists():
        return {"format": FORMAT, "entries": []}
    try:
        payload = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is not a leaderboard: {error}") from error
    if not isinstance(payload, dict) or payload.get("format") != FORMAT or not isinstance(payload.get("entries"), list):
        raise InputError(f"{path} is not a leaderboard of format {FORMAT}")
    return payload


def entry(folder: Path, name: str | None = None) -> dict[str, Any]:
    """A run's entry.

    Raises:
        InputError: the folder is not a run, or is damaged.
        UsageError: the run is not whole, or its summary does not follow from its items.
    """
    spec = specs.read(folder)
    try:
        summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{folder} has no summary: let `citewell bench run` finish it first ({error})") from error
    current = summarise(folder).to_dict()
    for key in ("task", "split", "method", "n", "abstained", "failed"):
        if current[key] != summary.get(key):
            raise UsageError(f"{folder}: its summary says {key} {summary.get(key)!r}, its items {current[key]!r}")
    metrics: Mapping[str, float] = summary.get("metrics") or {}
    apart = {name: abs(metrics.get(name, math.inf) - current["metrics"].get(name, -math.inf))
             for name in {*current["metrics"], *metrics}}  # fmt: skip
    wrong = [name for name, distance in apart.items() if distance > _CLOSE]
    if wrong:
        raise UsageError(f"{folder}: its summary does not follow from its items: {', '.join(sorted(wrong))} differ")
    if spec.limit is not None:
        raise UsageError(f"{folder} is limited to {spec.limit} items: a leaderboard takes whole runs")
    return {
        "name": name or current["method"],
        **{key: current[key] for key in ("task", "split", "method", "n", "abstained", "failed", "metrics")},
        "standing": summary.get("standing"),
        "seed": spec.seed,
        "checksums": spec.checksums,
        "versions": spec.versions,
        "git": spec.git,
        "resolved": spec.resolved,
        "parameters": spec.parameters,
        "prompts": prompts(spec.parameters),
        "items_sha256": sha256(folder / "items.jsonl"),
    }


def prompts(parameters: Mapping[str, Any]) -> dict[str, str]:
    """Hashes of the prompts that a run used, by their names."""
    prompts_by_family = {}
    for family, parameter in parameters.items():
        if isinstance(parameter, Mapping) and parameter.get("sha256"):
            prompts_by_family[str(parameter.get("prompt", family))] = str(parameter["sha256"])
    return prompts_by_family


def add(folder: Path, path: Path, name: str | None = None) -> dict[str, Any]:
    """Add a run to a leaderboard file; an entry of the same task, split and parameters is replaced. Returns the entry.

    Raises:
        InputError: the folder is not a run, or the file is not a leaderboard or cannot be written.
        UsageError: the run does not pass its check, or read other data than the task's other entries.
    """
    row = entry(folder, name)
    with locked(path.parent):  # what another process adds meanwhile would be lost
        _enter(path, folder, row)
    return row


def _enter(path: Path, folder: Path, row: Mapping[str, Any]) -> None:
    board = load(path)
    kept = []
    for other in board["entries"]:
        same = all(other[key] == row[key] for key in ("task", "split"))
        if same and other["checksums"] != row["checksums"]:
            raise UsageError(f"{folder} read other data than the entry {other['name']!r}: their checksums differ")
        if not (same and all(other[key] == row[key] for key in ("resolved", "parameters", "seed"))):
            kept.append(other)
    board["entries"] = sorted([*kept, row], key=lambda entry: (entry["task"], entry["split"], entry["name"]))
    write(path, json.dumps(board, ensure_ascii=False, indent=1, sort_keys=True) + "\n")


def check(path: Path, folders: Sequence[Path]) -> list[str]:
    """What is wrong with entries, against runs that are at hand; a run without an entry is wrong too."""
    board = load(path)
    faults = []
    for folder in folders:
        row = entry(folder)
        mine = [submitted for submitted in board["entries"] if submitted["items_sha256"] == row["items_sha256"]]
        if not mine:
            faults.append(f"{folder}: no entry has its items")
        for submitted in mine:
            differs = [key for key in row if key != "name" and submitted.get(key) != row[key]]
            if differs:
                faults.append(f"{folder}: the entry {submitted['name']!r} differs in {', '.join(differs)}")
    return faults


def text(board: Mapping[str, Any]) -> str:
    """For a terminal: a table for each task and split, sorted by its first metric."""
    parts = []
    for task, split in dict.fromkeys((entry["task"], entry["split"]) for entry in board["entries"]):
        rows = [entry for entry in board["entries"] if (entry["task"], entry["split"]) == (task, split)]
        names = list(dict.fromkeys(name for entry in rows for name in entry["metrics"]))
        rows.sort(key=lambda entry: _order(find_task(task).metric(names[0]), entry["metrics"]) if names else 0.0)
        counts = ("n", "abstained", "failed")
        cells = [(entry["name"], *map(entry.get, counts), *map(entry["metrics"].get, names)) for entry in rows]
        parts.append(Table(task, f"{task}, {split}", ("", "n", "abst.", "failed", *names), tuple(cells)).text())
    return "\n\n".join(parts) or "no entries"


def _order(metric: Metric, metrics: Mapping[str, float]) -> float:
    """What puts the best entry first."""
    value = metrics.get(str(metric), math.inf if metric.lower_is_better else 0.0)
    return value if metric.lower_is_better else -value
