"""Workers as processes of this machine, each with a pipe of its own: one that is lost takes no other with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import time
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import connection
from multiprocessing.process import BaseProcess
from typing import Any

from citewell.library.batch.job import Job, Worker
from citewell.library.batch.schedule import Ended, Task


@dataclass
class _Process:
    process: BaseProcess
    pipe: connection.Connection[Any, Any]
    task: Task | None = None


class Processes:
    """So many processes. They are new ones, not copies of this one, whose threads and files would be theirs too."""

    def __init__(self, job: Job, count: int) -> None:
        self._job = job
        self._context = multiprocessing.get_context("spawn")
        self._workers = [self._new() for _ in range(count)]

    def _new(self) -> _Process:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_work, args=(self._job, theirs), daemon=True)
        process.start()
        theirs.close()
        return _Process(process, ours)

    def free(self) -> bool:
        """Whether one could begin a task now."""
        return any(worker.task is None for worker in self._workers)

    def start(self, task: Task) -> None:
        """Give a task to one that is free."""
        worker = next(worker for worker in self._workers if worker.task is None)
        worker.task = task
        with suppress(OSError):  # it ended while it was idle: `wait` sees that
            worker.pipe.send(task.rows)

    def wait(self) -> list[Ended]:
        """Wait until something ends; what did."""
        busy = {worker.pipe: place for place, worker in enumerate(self._workers) if worker.task is not None}
        ended = []
        for pipe in connection.wait(list(busy)):
            place = busy[pipe]  # type: ignore[index]  # what was waited for
            worker = self._workers[place]
            task = worker.task
            if task is None:
                continue
            try:
                lines, seconds = worker.pipe.recv()
                ended.append(Ended(task, lines, "", seconds, socket.gethostname()))
                worker.task = None
            except (EOFError, OSError):
                worker.process.join()
                ended.append(Ended(task, None, _why(worker.process.exitcode), 0.0, socket.gethostname()))
                worker.pipe.close()
                self._workers[place] = self._new()
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


def _work(job: Job, pipe: connection.Connection[Any, Any]) -> None:
    """Work until the other end of the pipe is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who started the batch is told, and ends us
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")  # sums in another order would be other bytes
    worker = Worker(job)
    while True:
        try:
            rows = pipe.recv()
        except (EOFError, OSError):
            return
        started = time.perf_counter()
        lines = worker.lines(rows)
        try:
            pipe.send((lines, round(time.perf_counter() - started, 4)))
        except OSError:
            return
