"""Workers as actors of a Ray cluster; files that rows name travel through the object store, without a shared disk."""

from __future__ import annotations

import os
import shlex
import socket
import sys
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

from citewell import readers
from citewell.errors import BackendError, UnreachableError
from citewell.library.batch.processes import ONE_THREAD, STILLBORN
from citewell.library.batch.schedule import Ended, Lines, Task, Work

_FILES_KEPT = 256  # files that the driver keeps in the object store, at most, and
_HELD_BYTES = 1 << 30  # bytes of them
_PATIENCE = 120.0  # seconds without a single worker that has begun


@dataclass
class _Actor:
    handle: Any
    running: Any  # what it does now: it begins, or works on a task
    task: Task | None = None
    begun: bool = False


class _Files:
    """The files that rows name, in the object store, each once; those that were not named for longest are let go."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._references: OrderedDict[str, tuple[int, Any]] = OrderedDict()

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
        if name not in self._references:
            try:
                data = Path(name).read_bytes()
            except (OSError, ValueError):  # an id, or what the worker will say of it
                return None
            self._references[name] = len(data), self._ray.put(data)
        self._references.move_to_end(name)
        while len(self._references) > _FILES_KEPT or (len(self._references) > 1 and self._bytes() > _HELD_BYTES):
            self._references.popitem(last=False)
        return self._references[name][1]

    def _bytes(self) -> int:
        return sum(size for size, _ in self._references.values())


class Actors:
    """So many actors. An actor that is lost, with its machine or alone, is replaced.

    Args:
        work: what is done with rows.
        address: "local" starts a cluster on this machine for as long as the batch runs; "auto", or an address, joins
            one that is there.
        count: actors.
        gpus: of each actor; a part of one is shared by several.

    Raises:
        UnreachableError: there is no cluster at the address.
    """

    def __init__(self, work: Work, address: str, count: int, gpus: float = 0.0) -> None:
        import ray

        self._ray, self._work, self._address, self._gpus = ray, work, address, gpus
        self._stillborn = 0
        self._ours = not ray.is_initialized()
        self._actors: list[_Actor] = []
        if self._ours:
            _join(ray, address, count)
        with self._there():
            self._files = _Files(ray)
            self._actors = [self._new() for _ in range(count)]

    def _new(self) -> _Actor:
        options: dict[str, Any] = {"num_cpus": 1, "max_restarts": 0, "max_task_retries": 0}
        if self._gpus:
            options["num_gpus"] = self._gpus
        environment: dict[str, Any] = {"env_vars": ONE_THREAD}
        if self._address == "local":  # Ray hands the interpreter to a shell and does not quote its path
            environment["py_executable"] = shlex.quote(sys.executable)
        handle = self._ray.remote(**options, runtime_env=environment)(_Remote).remote(self._work)
        return _Actor(handle, handle.versions.remote())

    @contextmanager
    def _there(self) -> Iterator[None]:
        """Faults of the cluster as a whole as an error of the batch, which goes on from there when it is run again."""
        try:
            yield
        except (self._ray.exceptions.RayError, ConnectionError, RuntimeError, OSError) as error:
            line = (str(error) or type(error).__name__).splitlines()[0]
            raise UnreachableError(f"the Ray cluster at {self._address} is gone, or has no room: {line}") from error

    def free(self) -> int:
        """How many could begin a task now."""
        return sum(actor.begun and actor.task is None for actor in self._actors)

    def start(self, task: Task) -> None:
        """Give a task to one that is free.

        Raises UnreachableError: the cluster has gone, or has no room for the files.
        """
        actor = next(actor for actor in self._actors if actor.begun and actor.task is None)
        with self._there():
            actor.task, actor.running = task, actor.handle.lines.remote(task.rows, self._files.of(task))

    def wait(self) -> list[Ended]:
        """Wait until something changes; what ended. A worker that is gone has been replaced.

        Raises UnreachableError: the cluster has gone, or has no room for a single worker; BackendError: workers end
        before they have begun, or are of another version.
        """
        busy = [actor.running for actor in self._actors if actor.task is not None or not actor.begun]
        with self._there():
            ready, _ = self._ray.wait(busy, num_returns=1, timeout=_PATIENCE)
            if not ready and not any(actor.begun for actor in self._actors):
                fields = {
                    name: value for name, value in self._ray.cluster_resources().items() if name in ("CPU", "GPU")
                }
                raise UnreachableError(
                    f"no worker began in {_PATIENCE:.0f} s: the Ray cluster at {self._address} has {fields or 'no CPU'}"
                )
        return [
            done for place, actor in enumerate(self._actors) if actor.running in ready for done in self._took(place)
        ]

    def _took(self, place: int) -> list[Ended]:
        """What an actor that is ready gave."""
        actor = self._actors[place]
        try:
            response = self._ray.get(actor.running)
        except self._ray.exceptions.RaySystemError as error:
            raise UnreachableError(f"the Ray cluster at {self._address} went away: {error}") from error
        except self._ray.exceptions.RayError as error:
            if not actor.begun:
                self._stillborn += 1
                if self._stillborn > STILLBORN:
                    response = " ".join(str(error).split())[-300:]
                    raise BackendError(f"workers of the cluster exit before they start to work: {response}") from error
            with self._there():
                self._ray.kill(actor.handle)  # where it is only out of reach
                self._actors[place] = self._new()
            return [] if actor.task is None else [Ended(actor.task, None, type(error).__name__)]
        self._stillborn = 0
        if actor.task is not None:
            lines, seconds, host = response
            ended = [Ended(actor.task, lines, "", seconds, host)]
            actor.task = None
            return ended
        if response != (ours := _versions()):
            raise BackendError(
                f"a worker of the cluster has {response}, not {ours}: install the same version everywhere"
            )
        actor.begun = True
        return []

    def close(self) -> None:
        """End them all, and a cluster that was started for them."""
        for actor in self._actors:
            with suppress(Exception):  # the cluster may be gone
                self._ray.kill(actor.handle)
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
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        raise UnreachableError(f"no Ray cluster at {address}: {str(error).splitlines()[0]}") from error


def _versions() -> str:
    return f"citewell {metadata.version('citewell')}, readers {readers.VERSION}"


class _TaskFiles(Mapping[str, bytes]):
    """The files of a task, fetched when they are wanted: most documents are held from a task before."""

    def __init__(self) -> None:
        self.references: dict[str, Any] = {}

    def __getitem__(self, name: str) -> bytes:
        data: bytes = import_module("ray").get(self.references[name])
        return data

    def __contains__(self, name: object) -> bool:
        return name in self.references

    def __iter__(self) -> Iterator[str]:
        return iter(self.references)

    def __len__(self) -> int:
        return len(self.references)


class _Remote:
    """An actor: a worker, and the files of its task."""

    def __init__(self, work: Work) -> None:
        self._files = _TaskFiles()
        self._worker = work.worker(self._files)

    def versions(self) -> str:
        """What does the work, when it has begun."""
        return _versions()

    def lines(self, rows: Any, references: dict[str, Any]) -> tuple[Lines, float, str]:
        """The lines of rows, the seconds they took, and the machine."""
        self._files.references = references
        started = time.perf_counter()
        lines = self._worker.lines(rows)
        return lines, round(time.perf_counter() - started, 4), socket.gethostname()
