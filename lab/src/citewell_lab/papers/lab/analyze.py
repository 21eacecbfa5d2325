"""All analyses of a set of runs, for `citewell bench analyze` and the report page."""

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
        "runs": [_run(analysed, seed) for analysed in read],
        "systems": systems.correlations(systems.points(read)),
        "systems_citing": systems.correlations(systems.points(read, citing=True)),
        "systems_paper": systems.of_the_paper(),
        "overlap": _overlaps(read),
    }


def _run(analysed: Analysed, seed: int) -> dict[str, Any]:
    rows = analysed.rows
    return {
        "run": str(analysed.folder),
        "task": analysed.result.task,
        "split": analysed.result.split,
        "method": analysed.result.method,
        "system": analysed.system,
        "n": analysed.result.n,
        "abstained": analysed.result.scores.abstained,
        "failed": analysed.result.failed,
        "notes": list(analysed.notes),
        "distribution": position.distribution(rows),
        "position": {f"{of}_by_{by}": position.quality(rows, of, by) for of, by in QUALITY},
        "length": {of: length.length(rows, of) for of in ("response", "evidence")},
        "selective": selective.selective(rows, analysed.result.task, seed),
        "risk": risk.risk(rows, seed),
    }


def _overlaps(read: Sequence[Analysed]) -> list[dict[str, Any]]:
    overlaps = []
    for first, second in itertools.combinations(read, 2):
        if first.result.task != second.result.task or first.checksums != second.checksums:
            continue
        measured = overlap.overlap(first, second)
        if measured is not None:
            overlaps.append(
                {"task": first.result.task, "first": str(first.folder), "second": str(second.folder), **measured}
            )
    return overlaps


def read_all(paths: Sequence[str | Path], data: Path | None = None, checker: Any = "lexical") -> list[Analysed]:
    """The runs with their rows (see `rows.read`)."""
    return [rows.read(path, data, checker) for path in folders(paths)]
