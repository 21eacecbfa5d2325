"""Distributes shards to free workers and repeats lost work; each row once, in the order of the input.

A worker that ends in the middle of a shard may have been ended by one of its rows: they are given again one by one,
and a row that ends a second worker becomes a row without a result.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple, Protocol

from citewell.library.batch.rows import LOST, Row, Shard, failure

Lines = list[tuple[bytes, bool]]
_AHEAD = 4096  # shards that may be finished before an earlier one: they take files, and their numbers memory


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


class Work(Protocol):
    """What is done with rows, as it travels to those who do it."""

    def worker(self, files: Mapping[str, bytes] | None = None) -> Works:
        """One who does it; `files` are those that rows name, where they lie on another machine."""


class Works(Protocol):
    """One who works on rows."""

    def lines(self, rows: Sequence[Row]) -> Lines:
        """For each row its bytes, and whether they are a result."""


class Workers(Protocol):
    """Those who work on tasks: processes of this machine, or of a cluster."""

    def free(self) -> bool:
        """Whether one could begin a task now."""

    def start(self, task: Task) -> None:
        """Give a task to one that is free."""

    def wait(self) -> list[Ended]:
        """Wait until something changes; what ended. A worker that is gone has been replaced."""

    def close(self) -> None:
        """End them all."""


@dataclass
class Finished:
    """A shard with all its lines."""

    number: int  # of the shard
    lines: Lines  # one a row, in order, and whether it is a result
    seconds: float = 0.0  # of work
    hosts: set[str] = field(default_factory=set)  # where it was done

    @property
    def failed(self) -> int:
        """Rows without a result."""
        return sum(not good for _, good in self.lines)


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
        return Finished(self.shard.number, lines, self.seconds, self.hosts)


def run(workers: Workers, shards: Iterable[Shard], ahead: int = _AHEAD) -> Iterator[Finished]:
    """Work on shards; each comes when it is finished.

    No more are held than there are workers for, and none is begun that comes more than `ahead` after one that is
    still worked on.
    """
    waiting: deque[Task] = deque()
    open_shards: dict[int, _Open] = {}
    coming = iter(shards)
    following = next(coming, None)
    while following or open_shards:
        while workers.free():
            if not waiting:
                if following is None or following.number > next(iter(open_shards), following.number) + ahead:
                    break
                open_shards[following.number] = _Open(following)
                waiting.append(Task(following.number, 0, following.rows))
                following = next(coming, None)
            workers.start(waiting.popleft())
        for ended in workers.wait():
            task, being = ended.task, open_shards[ended.task.shard]
            being.seconds += ended.seconds
            if ended.host:
                being.hosts.add(ended.host)
            if ended.lines is not None:
                being.lines.update(enumerate(ended.lines, start=task.first))
            elif len(task.rows) > 1 or not task.tried:
                again = [Task(task.shard, task.first + at, (row,), task.tried + 1) for at, row in enumerate(task.rows)]
                waiting.extendleft(reversed(again))
            else:
                lost = f"the worker ended {task.tried + 1} times on this row ({ended.why})"
                being.lines[task.first] = failure(task.rows[0], LOST, lost), False
            finished = being.finished()
            if finished:
                del open_shards[finished.number]
                yield finished


def worked(workers: Callable[[], Workers], shards: Iterable[Shard], ahead: int = _AHEAD) -> Iterator[Finished]:
    """Work on shards with workers that are made when there is one, and ended when all is done; see `run`."""
    coming = iter(shards)
    first = next(coming, None)
    if first is None:
        return
    working = workers()
    try:
        yield from run(working, chain([first], coming), ahead)
    finally:
        working.close()


def in_order(finished: Iterable[Finished], first: int = 0) -> Generator[Finished, None, None]:
    """Shards by their number, from `first` on; one that comes before its turn is held."""
    kept: dict[int, Finished] = {}
    for shard in finished:
        kept[shard.number] = shard
        while first in kept:
            yield kept.pop(first)
            first += 1
