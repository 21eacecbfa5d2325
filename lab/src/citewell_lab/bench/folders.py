"""Finds the folders of runs at given paths, and their results."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from citewell.errors import InputError
from citewell_lab.bench.run import Result, summarise


def folders(paths: Iterable[str | Path]) -> list[Path]:
    """The runs' folders at the paths; a folder that is not a run itself stands for the runs in it.

    Raises:
        InputError: there is no run at a path.
    """
    runs: list[Path] = []
    for path in map(Path, paths):
        if (path / "spec.json").is_file():
            runs.append(path)
            continue
        inside = sorted(spec.parent for spec in path.glob("*/spec.json")) if path.is_dir() else []
        if not inside:
            raise InputError(f"{path} is not a run and holds none: `citewell bench run ... --out {path}` makes one")
        runs += inside
    return list(dict.fromkeys(runs))


def results(paths: Iterable[str | Path]) -> list[Result]:
    """The results of the runs at the paths (see `folders`)."""
    return [summarise(path) for path in folders(paths)]
