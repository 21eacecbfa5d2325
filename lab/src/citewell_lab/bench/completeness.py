"""Checks which published splits a folder contains: complete, partial, another version, or absent."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from citewell.errors import CitewellError
from citewell.text.columns import aligned
from citewell_lab.bench.datasets.dataset import Dataset
from citewell_lab.bench.items import Broken
from citewell_lab.bench.tasks import names, task

STATES = {"published": "complete", "partial": "partial", "unknown": "there", "differs": "differs"}


class Split(NamedTuple):
    """A published split.

    Attributes:
        state: `complete`, `partial`, `differs`, `there` (the published size is not known), `unreadable` or `absent`.
        why: the reason, in words.
        files: its files, below the data folder.
        broken: rows that cannot be read.
    """

    dataset: str
    split: str
    state: str
    why: str
    files: tuple[str, ...] = ()
    broken: int = 0


def splits(data: Path, tasks: tuple[str, ...] = ()) -> Iterator[Split]:
    """The published splits of the data sets, and those that lie there beside them.

    Raises:
        InputError: `data` is not a folder.
    """
    for name in tasks or names():
        source = task(name).data
        if source.derived:
            continue
        for split in source.published.splits or ("all",):
            yield _split(name, source, split, data)


def _split(name: str, source: Dataset, split: str, data: Path) -> Split:
    if not (data / source.folder).is_dir():
        return Split(name, split, "absent", f"there is no {source.folder}/")
    try:
        paths = source.files(data, split)
        checksums = source.checksums(data, paths)
        names = tuple(str(path.relative_to(data)) for path in paths)
        known = source.standing(split, -1, checksums)
        if known.state == "published":
            return Split(name, split, "complete", known.why, names)
        size, broken = _counted(source, paths, split)
    except (CitewellError, OSError, ValueError, KeyError, TypeError) as error:
        text = " ".join(str(error).split())
        state = "absent" if "no split" in text else "unreadable"
        return Split(name, split, state, text.partition(";")[0])
    if not size:
        return Split(name, split, "absent", "its files have no items of this split", names)
    known = source.standing(split, size, checksums)
    return Split(name, split, STATES[known.state], known.why, names, broken)


def _counted(source: Dataset, paths: list[Path], split: str) -> tuple[int, int]:
    """Items in the published unit (questions have several answers each), and rows that cannot be read."""
    ids, broken = set[str](), 0
    for number, item in enumerate(source.items(paths, split)):
        broken += isinstance(item, Broken)
        ids.add(item.id.rpartition(":")[0] if source.published.by_question else f"{number}")
    return len(ids), broken


def text(splits: list[Split]) -> str:
    """For a terminal."""
    rows = [("data set", "split", "state", "")]
    for _, group in itertools.groupby(splits, lambda split: split.dataset):
        for number, split in enumerate(group):
            broken = f"; {split.broken} rows cannot be read" if split.broken else ""
            rows.append(("" if number else split.dataset, split.split, split.state, split.why + broken))
    return "\n".join(aligned(rows, (True,) * 4))
