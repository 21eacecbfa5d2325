"""Who works on which rows: shards to whoever is free, lost work again, each row once in the order of the input.

A worker that ends in the middle of a shard may have been ended by one of its rows: they are given again one by one,
and a row that ends a second worker becomes a row without a result.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from citewell.library.batch.job import failure
from citewell.library.batch.rows import Row, Shard

Lines = list[tuple[bytes, bool]]


class Task(NamedTuple):
    """Rows of a shard that one worker gets, from their place in the shard on, and how often they were given before."""

    shard: int
    first: int
    rows: tuple[Row, ...]
    tried: int = 0


class Ended(NamedTuple):
    """What became of a task: its lines, or why the worker is gone; how long it took, and where."""

    task: Task
    lines: Lines | None
    why: str = ""
    seconds: float = 0.0
    host: str = ""


class Workers(Protocol):
    """Those who work on tasks: processes of this machine, or of a cluster."""

    def free(self) -> bool:
        """Whether one could begin a task now."""
        ...

    def start(self, task: Task) -> None:
        """Give a task to one that is free."""
        ...

    def wait(self) -> list[Ended]:
        """Wait until something ends; what did. A worker that is gone has been replaced."""
        ...

    def close(self) -> None:
        """End them all."""
        ...


@dataclass
class Finished:
    """A shard with all its lines.

    Attributes:
        number: of the shard.
        lines: one a row, in order.
        failed: rows without a result.
        seconds: of work.
        hosts: where it was done.
    """

    number: int
    lines: list[bytes]
    failed: int
    seconds: float = 0.0
    hosts: set[str] = field(default_factory=set)


@dataclass
class _Open:
    shard: Shard
    lines: dict[int, tuple[bytes, bool]] = field(default_factory=dict)
    seconds: float = 0.0
    hosts: set[str] = field(default_factory=set)

    def finished(self) -> Finished | None:
        if len(self.lines) < len(self.shard.rows):
            return None
        lines = [self.lines[place] for place in range(len(self.shard.rows))]
        failed = sum(not good for _, good in lines)
        return Finished(self.shard.number, [line for line, _ in lines], failed, self.seconds, self.hosts)


def run(workers: Workers, shards: Iterable[Shard]) -> Iterator[Finished]:
    """Work on shards; each comes when it is finished. No more are held than there are workers for."""
    waiting: deque[Task] = deque()
    open_shards: dict[int, _Open] = {}
    coming, more, running = iter(shards), True, 0
    while more or waiting or running:
        while workers.free():
            if not waiting:
                shard = next(coming, None) if more else None
                if shard is None:
                    more = False
                    break
                open_shards[shard.number] = _Open(shard)
                waiting.append(Task(shard.number, 0, shard.rows))
            workers.start(waiting.popleft())
            running += 1
        if not running:
            continue
        for ended in workers.wait():
            running -= 1
            task, being = ended.task, open_shards[ended.task.shard]
            being.seconds += ended.seconds
            being.hosts.add(ended.host)
            if ended.lines is not None:
                being.lines.update(enumerate(ended.lines, start=task.first))
            elif len(task.rows) > 1 or not task.tried:
                again = [Task(task.shard, task.first + at, (row,), task.tried + 1) for at, row in enumerate(task.rows)]
                waiting.extendleft(reversed(again))
            else:
                lost = f"the worker ended {task.tried + 1} times on this row ({ended.why})"
                being.lines[task.first] = failure(task.rows[0], "WorkerLost", lost), False
            finished = being.finished()
            if finished:
                del open_shards[finished.number]
                yield finished
