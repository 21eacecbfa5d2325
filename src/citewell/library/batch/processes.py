"""Workers as local processes, each with its own pipe, so that losing one affects no other."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import connection
from multiprocessing.process import BaseProcess
from typing import Any

from citewell.errors import BackendError
from citewell.library.batch.schedule import Ended, Task, Work

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""Of a worker: sums in another order would be other bytes, and there are workers enough."""
STILLBORN = 3
"""So many workers, one after the other, may end before they began."""


@dataclass
class _Process:
    process: BaseProcess
    pipe: connection.Connection[Any, Any]
    task: Task | None = None
    begun: bool = False


def started(target: Callable[..., None], *arguments: Any) -> tuple[BaseProcess, connection.Connection[Any, Any]]:
    """A new process, which is no copy of this one, and our end of the pipe that its function gets as last argument.

    It computes on one thread and hears no interrupt.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=target, args=(*arguments, theirs), daemon=True)
    with _deaf(), _environment(ONE_THREAD):
        process.start()
    theirs.close()
    return process, ours


class Processes:
    """So many processes."""

    def __init__(self, work: Work, count: int) -> None:
        self._work = pickle.dumps(work)
        self._stillborn = 0
        self._workers: list[_Process] = []
        try:
            self._workers.extend(self._new() for _ in range(count))
        except BaseException:
            self.close()
            raise

    def _new(self) -> _Process:
        return _Process(*started(_work, self._work))

    def free(self) -> bool:
        """Whether one could begin a task now."""
        return any(worker.begun and worker.task is None for worker in self._workers)

    def start(self, task: Task) -> None:
        """Give a task to one that is free."""
        worker = next(worker for worker in self._workers if worker.begun and worker.task is None)
        worker.task = task
        with suppress(OSError):  # it ended while it was idle: `wait` sees that
            worker.pipe.send(task.rows)

    def wait(self) -> list[Ended]:
        """Wait until something changes; what ended. A worker that is gone has been replaced.

        Raises BackendError: workers end before they have begun.
        """
        busy = {worker.pipe: place for place, worker in enumerate(self._workers) if worker.task or not worker.begun}
        ended = []
        for pipe in connection.wait(list(busy)):
            place = busy[pipe]  # type: ignore[index]  # what was waited for
            worker = self._workers[place]
            try:
                payload = worker.pipe.recv()
            except (EOFError, OSError):
                worker.process.join()
                why = _why(worker.process.exitcode)
                if worker.task is not None:
                    ended.append(Ended(worker.task, None, why, 0.0, socket.gethostname()))
                if not worker.begun:
                    self._stillborn += 1
                    if self._stillborn > STILLBORN:
                        raise BackendError(f"processes exit before they start to work ({why})") from None
                worker.pipe.close()
                self._workers[place] = self._new()
                continue
            if worker.task is not None:
                lines, seconds = payload
                ended.append(Ended(worker.task, lines, "", seconds, socket.gethostname()))
                worker.task = None
            worker.begun, self._stillborn = True, 0
        return ended

    def close(self) -> None:
        """End them all."""
        for worker in self._workers:
            worker.pipe.close()
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()


def _why(code: int | None) -> str:
    if code is not None and code < 0:
        return f"signal {signal.Signals(-code).name}" if -code in set(signal.Signals) else f"signal {-code}"
    return f"exit code {code}"


@contextmanager
def _deaf() -> Iterator[None]:
    """A process that is started now does not hear the user's interrupt, which is meant for the one that started it."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    """What a process that is started now finds in its environment: libraries look there when they are loaded."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def end_with_parent() -> None:
    """Wait to end, in the middle of whatever is done, when the one who would take its result is gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _work(work: bytes, pipe: connection.Connection[Any, Any]) -> None:
    """Work until the other end of the pipe is gone, for which is watched before the work's modules are loaded."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()
    chosen: Work = pickle.loads(work)  # noqa: S301  (from the process that started this one)
    worker = chosen.worker()
    with suppress(EOFError, OSError):
        pipe.send(None)
        while True:
            rows = pipe.recv()
            started = time.perf_counter()
            lines = worker.lines(rows)
            pipe.send((lines, round(time.perf_counter() - started, 4)))
