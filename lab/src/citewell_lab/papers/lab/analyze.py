"""All analyses of some runs in one go: what `citewell bench analyze` prints and the report page shows."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from citewell_lab.bench.folders import folders
from citewell_lab.papers.lab import length, overlap, position, risk, rows, selective, systems
from citewell_lab.papers.lab.rows import Analysed

QUALITY = (("response", "gold"), ("evidence", "gold"), ("evidence", "predicted"))


def analyze(read: Sequence[Analysed], seed: int = 0) -> dict[str, Any]:
    """Every analysis of every run; what a run has no figures for is None, and `notes` says why where it is known."""
    return {
        "runs": [_run(one, seed) for one in read],
        "systems": systems.correlations(systems.points(read)),
        "systems_citing": systems.correlations(systems.points(read, citing=True)),
        "systems_paper": systems.of_the_paper(),
        "overlap": _overlaps(read),
    }


def _run(one: Analysed, seed: int) -> dict[str, Any]:
    found = one.rows
    return {
        "run": str(one.folder),
        "task": one.result.task,
        "split": one.result.split,
        "method": one.result.method,
        "system": one.system,
        "n": one.result.n,
        "abstained": one.result.scores.abstained,
        "failed": one.result.failed,
        "notes": list(one.notes),
        "distribution": position.distribution(found),
        "position": {f"{of}_by_{by}": position.quality(found, of, by) for of, by in QUALITY},
        "length": {of: length.length(found, of) for of in ("response", "evidence")},
        "selective": selective.selective(found, one.result.task, seed),
        "risk": risk.risk(found, seed),
    }


def _overlaps(read: Sequence[Analysed]) -> list[dict[str, Any]]:
    found = []
    for first, second in itertools.combinations(read, 2):
        if first.result.task != second.result.task or first.checksums != second.checksums:
            continue
        made = overlap.overlap(first, second)
        if made is not None:
            found.append({"task": first.result.task, "first": str(first.folder), "second": str(second.folder), **made})
    return found


def read_all(paths: Sequence[str | Path], data: Path | None = None, checker: Any = "lexical") -> list[Analysed]:
    """The runs with their rows (see `rows.read`)."""
    return [rows.read(path, data, checker) for path in folders(paths)]
