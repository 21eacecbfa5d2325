"""Workers as actors of a Ray cluster; files that rows name travel through its object store, no disk need be shared."""

from __future__ import annotations

import os
import socket
import time
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from citewell.errors import InputError, MissingExtraError, UnreachableError
from citewell.library.batch.job import Job, Worker
from citewell.library.batch.schedule import Ended, Task

_HELD = 256  # files whose bytes the driver keeps in the object store


@dataclass
class _Actor:
    handle: Any
    task: Task | None = None
    running: Any = None


@dataclass
class _Files:
    """The files that rows name, in the object store, each once."""

    ray: Any
    held: dict[str, Any] = field(default_factory=dict)

    def of(self, task: Task) -> dict[str, Any]:
        """A reference for each file of a task that lies on this machine."""
        references = {}
        for row in task.rows:
            named = row.data.get("documents", row.data.get("document"))
            for name in named if isinstance(named, list) else [named]:
                if isinstance(name, str) and (reference := self._put(name)) is not None:
                    references[name] = reference
        return references

    def _put(self, name: str) -> Any:
        if name not in self.held:
            try:
                data = Path(name).read_bytes()
            except (OSError, ValueError):  # an id, or what the worker will say of it
                return None
            while len(self.held) >= _HELD:
                self.held.pop(next(iter(self.held)))
            self.held[name] = self.ray.put(data)
        return self.held[name]


class Cluster:
    """So many actors. An actor that is lost, with its machine or alone, is replaced.

    Args:
        job: what is done with a row.
        address: "local" starts a cluster on this machine for as long as the batch runs; "auto", or an address, joins
            one that is there.
        count: actors.

    Raises:
        MissingExtraError: ray is not installed.
        UnreachableError: there is no cluster at the address.
    """

    def __init__(self, job: Job, address: str, count: int) -> None:
        try:
            import ray
        except ImportError as error:
            raise MissingExtraError("a cluster", "ray", "cluster") from error
        self._ray, self._job = ray, job
        self._ours = not ray.is_initialized()
        if self._ours:
            _join(ray, address, count)
        self._files = _Files(ray)
        self._actors = [_Actor(self._new()) for _ in range(count)]

    def _new(self) -> Any:
        return self._ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(_Remote).remote(self._job)

    def free(self) -> bool:
        """Whether one could begin a task now."""
        return any(actor.task is None for actor in self._actors)

    def start(self, task: Task) -> None:
        """Give a task to one that is free."""
        actor = next(actor for actor in self._actors if actor.task is None)
        actor.task, actor.running = task, actor.handle.lines.remote(task.rows, self._files.of(task))

    def wait(self) -> list[Ended]:
        """Wait until something ends; what did."""
        running = [actor.running for actor in self._actors if actor.task is not None]
        ready, _ = self._ray.wait(running, num_returns=1)
        ended = []
        for place, actor in enumerate(self._actors):
            task = actor.task
            if task is None or actor.running not in ready:
                continue
            try:
                lines, seconds, host = self._ray.get(actor.running)
                ended.append(Ended(task, lines, "", seconds, host))
                actor.task = actor.running = None
            except self._ray.exceptions.RayError as error:
                ended.append(Ended(task, None, type(error).__name__))
                self._actors[place] = _Actor(self._new())
        return ended

    def close(self) -> None:
        """End them all, and a cluster that was started for them."""
        for actor in self._actors:
            with suppress(self._ray.exceptions.RayError):
                self._ray.kill(actor.handle)
        self._files.held.clear()
        if self._ours:
            self._ray.shutdown()


def _join(ray: Any, address: str, count: int) -> None:
    quiet = {"log_to_driver": False, "logging_level": "error"}
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is sent anywhere
    try:
        if address == "local":
            ray.init(address="local", num_cpus=count, include_dashboard=False, **quiet)
        else:
            ray.init(address=address, **quiet)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise UnreachableError(f"no Ray cluster at {address}: {str(error).splitlines()[0]}") from error
    if not ray.nodes():
        raise InputError(f"the Ray cluster at {address} has no nodes")


class _Remote:
    """An actor: a worker, and the files it was given."""

    def __init__(self, job: Job) -> None:
        for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
            os.environ[name] = "1"  # sums in another order would be other bytes
        self._files: dict[str, bytes] = {}
        self._worker = Worker(job, self._files)

    def lines(self, rows: Any, references: dict[str, Any]) -> tuple[list[tuple[bytes, bool]], float, str]:
        """The lines of rows, the seconds they took, and the machine."""
        for name, reference in references.items():
            if name not in self._files:
                self._files[name] = import_module("ray").get(reference)
        started = time.perf_counter()
        lines = self._worker.lines(rows)
        return lines, round(time.perf_counter() - started, 4), socket.gethostname()
