"""A Ray cluster as workers. The driver is a separate process, because Ray ends it when the cluster goes away."""

from __future__ import annotations

import os
import pickle
import sys
import threading
from contextlib import suppress
from importlib.util import find_spec
from multiprocessing import connection
from typing import Any

from citewell.errors import CitewellError, MissingExtraError, UnreachableError
from citewell.library.batch.processes import end_with_parent, started
from citewell.library.batch.schedule import Ended, Task, Work

_CLOSING = 30.0  # seconds in which a cluster may end


class Cluster:
    """So many actors of a cluster; see `Actors`.

    Raises MissingExtraError: ray is not installed; UnreachableError: there is no cluster at the address.
    """

    def __init__(self, work: Work, address: str, count: int, gpus: float = 0.0) -> None:
        if find_spec("ray") is None:
            raise MissingExtraError("a cluster", "ray", "cluster")
        self._address = address
        self._free = 0
        self._pending: list[Task] = []
        self._process, self._pipe = started(_drive, pickle.dumps(work), address, count, gpus)
        try:
            self._receive(
                f"no Ray cluster could be started or joined at {address}: CITEWELL_DEBUG=1 shows what Ray says"
            )
        except BaseException:
            self.close()
            raise

    def free(self) -> bool:
        """Whether one could begin a task now."""
        return self._free > 0

    def start(self, task: Task) -> None:
        """Give a task to one that is free."""
        self._pending.append(task)
        self._free -= 1

    def wait(self) -> list[Ended]:
        """Wait until something changes; what ended. A worker that is gone has been replaced.

        Raises UnreachableError: the cluster has gone, or has no room; BackendError: workers end before they have begun,
        or are of another version.
        """
        with suppress(OSError):  # its end is seen below
            self._pipe.send(self._pending)
        self._pending = []
        return self._receive(f"the Ray cluster at {self._address} went away: run the same command again to go on")

    def _receive(self, gone: str) -> list[Ended]:
        try:
            payload = self._pipe.recv()
        except (EOFError, OSError) as error:
            raise UnreachableError(gone) from error
        if isinstance(payload, CitewellError):
            raise payload
        ended, self._free = payload
        return list(ended)

    def close(self) -> None:
        """End them all, and a cluster that was started for them."""
        self._pipe.close()
        self._process.join(_CLOSING)
        self._process.kill()
        self._process.join()


def _drive(work: bytes, address: str, count: int, gpus: float, pipe: connection.Connection[Any, Any]) -> None:
    """Hand on tasks and what becomes of them until the other end of the pipe is gone."""
    threading.Thread(target=end_with_parent, daemon=True).start()
    if not os.environ.get("CITEWELL_DEBUG"):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.stdout, sys.stderr):  # Ray writes of its own accord, from other languages too
            os.dup2(nowhere, stream.fileno())
    from citewell.library.batch.actors import Actors

    try:
        actors = Actors(pickle.loads(work), address, count, gpus)  # noqa: S301  (from the process that started this)
    except CitewellError as error:
        pipe.send(_plain(error))
        return
    try:
        with suppress(EOFError, OSError):
            pipe.send(([], 0))
            while True:
                for task in pipe.recv():
                    actors.start(task)
                pipe.send((actors.wait(), actors.free()))
    except CitewellError as error:
        pipe.send(_plain(error))
    finally:
        actors.close()


def _plain(error: CitewellError) -> CitewellError:
    """The error without what caused it, which may be of a kind that only Ray can load."""
    error.__cause__ = error.__context__ = None
    return error
