"""Selects the workers: local processes, or actors of a Ray cluster."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from functools import partial
from typing import NamedTuple

from citewell.library.batch import schedule
from citewell.library.batch.rows import Shard
from citewell.library.batch.schedule import Finished, Work, Workers

_AHEAD = 64  # shards that are finished before their turn and held in memory, at most


class Crew(NamedTuple):
    """How many work, and where."""

    number: int = 1  # of workers
    # The address of a cluster, "local" or "auto"; None for processes of this machine. See `Cluster`.
    ray: str | None = None
    gpus: float = 0.0  # of each, on a cluster

    @property
    def alone(self) -> bool:
        """Whether the process that asks does the work itself."""
        return self.number == 1 and not self.ray

    def workers(self, work: Work) -> Workers:
        """So many of them, to do this with rows.

        Raises MissingExtraError: ray is not installed; UnreachableError: there is no cluster at the address.
        """
        if self.ray:
            from citewell.library.batch.cluster import Cluster

            return Cluster(work, self.ray, self.number, self.gpus)
        from citewell.library.batch.processes import Processes

        return Processes(work, self.number)

    def in_order(self, work: Work, shards: Iterable[Shard], first: int = 0) -> Generator[Finished, None, None]:
        """What they make of shards that are numbered from `first` on, in their order; a few are held meanwhile."""
        return schedule.in_order(schedule.worked(partial(self.workers, work), shards, _AHEAD), first)


ALONE = Crew()
