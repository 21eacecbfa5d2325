"""Produces the records of items in chunks, here or in parallel workers, in the same order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from citewell.errors import BackendError
from citewell.library.batch.rows import Row, Shard, failure, raised
from citewell.library.batch.schedule import Lines
from citewell.library.batch.workers import Crew
from citewell_lab.bench import records
from citewell_lab.bench.choice import Choice
from citewell_lab.bench.items import Broken, Item
from citewell_lab.bench.kinds.base import EVERY_ITEM, Backends, Task
from citewell_lab.bench.records import Record
from citewell_lab.bench.tasks import task as find_task

Attempt = Record | Exception
"""The record of an item, or what it raised."""


class Chunk(NamedTuple):
    """Items that a checker gets at once, and how many came before them."""

    number: int
    first: int
    items: Sequence[Item]


def attempts(task: Task[Any], items: Sequence[Item], backends: Backends) -> Iterator[Attempt]:
    """What becomes of each item, in order, as it comes; what is left of a batch that broke goes one by one."""
    good = [item for item in items if not isinstance(item, Broken)]
    batch: Iterator[Record] | None = task.predict(good, backends)
    for item in items:
        if isinstance(item, Broken):
            yield {"id": item.id, "group": item.group, "failed": item.reason}
            continue
        if batch is not None:
            try:
                record = _checked(next(batch, None), item)
            except Exception:  # noqa: BLE001  (whatever one item raises must not end the run; it is told below)
                batch = None
            else:
                yield record
                continue
        try:
            yield _checked(next(task.predict([item], backends), None), item)
        except Exception as error:  # noqa: BLE001  (the same)
            yield error


def _checked(record: Record | None, item: Item) -> Record:
    if record is None or record["id"] != item.id:
        raise BackendError("the task gave no record for an item")
    json.dumps(record, allow_nan=False)  # a score that is no number is a failure, not a figure
    return record


@dataclass(frozen=True)
class Predicting:
    """The prediction of items as work for others.

    Attributes:
        task: its name.
        choice: the back ends, which each worker builds for itself.
        replies: the file of a language model's replies, where it is kept.
    """

    task: str
    choice: Choice
    replies: Path | None = None

    def worker(self, files: Mapping[str, bytes] | None = None) -> _Predictor:  # noqa: ARG002  (items hold their documents)
        """One who does it."""
        return _Predictor(self)


class _Predictor:
    def __init__(self, work: Predicting) -> None:
        self._task = find_task(work.task)
        self._backends = work.choice.build(self._task, work.replies).backends

    def lines(self, rows: Sequence[Row]) -> Lines:
        """For each item the line of its record, or what it raised; nothing is tried after what fails for all."""
        coming = attempts(self._task, [row.data["item"] for row in rows], self._backends)
        lines: Lines = []
        stopped: Exception | None = None
        for row in rows:
            attempt = stopped or next(coming)
            if not isinstance(attempt, Exception):
                lines.append((records.line(attempt), True))
                continue
            stopped = attempt if isinstance(attempt, EVERY_ITEM) else None
            lines.append((failure(row, type(attempt).__name__, str(attempt)), False))
        return lines


def side_by_side(work: Predicting, chunks: Iterable[Chunk], crew: Crew) -> Iterator[tuple[Chunk, list[Attempt]]]:
    """What a crew makes of chunks that follow one another, in their order."""
    chunks_by_number: dict[int, Chunk] = {}

    def shards() -> Iterator[Shard]:
        for chunk in chunks:
            chunks_by_number[chunk.number] = chunk
            rows = (Row(place, {"id": item.id, "item": item}) for place, item in enumerate(chunk.items, chunk.first))
            yield Shard(chunk.number, tuple(rows))

    coming = shards()
    first = next(coming, None)
    if first is None:
        return
    with closing(crew.in_order(work, chain([first], coming), first.number)) as finished:
        for shard in finished:
            yield (
                chunks_by_number.pop(shard.number),
                [json.loads(line) if good else raised(line) for line, good in shard.lines],
            )
