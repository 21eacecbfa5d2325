"""Worker processes for requests: a bounded queue, a deadline for each job, and replacement of lost processes.

Each process has a pipe of its own and is the leader of a group, so that what it started ends with it. A job that takes
too long, or goes on when its request is gone, is ended by ending its process.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from multiprocessing import connection
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

from opentelemetry import trace

from citewell.errors import BackendError
from citewell.serve import forking
from citewell.serve.faults import Fault, busy, inside
from citewell.serve.metrics import Busy
from citewell.serve.owners import Caller

_JOBS = 500  # after which a process makes room for a new one: what libraries leave in memory goes with it
_HEAVY = frozenset(
    {"ask", "attribute", "check", "audit", "verify", "overview", "told", "file", "text", "retry"}
)  # others show what is there
_PATIENCE = 3.0  # seconds between two tries to start the first process, at which they are given up
_MOMENT = 1.0  # seconds that a job may go on whose request is gone
_TRACER = trace.get_tracer("citewell")
Tell = Callable[[Any], None]


class Job(NamedTuple):
    """A job for a worker. Long jobs leave one worker free for others.

    `library` is the name of the one that it is about, the first one where None; `by` says who asks.
    """

    verb: str
    labels: tuple[str, ...]
    payload: Any
    long: bool = False
    library: str | None = None
    by: Caller = Caller()


@dataclass(eq=False)
class _Process:
    process: BaseProcess
    pipe: connection.Connection[Any, Any]
    jobs: int = 0

    def kill(self) -> None:
        """End the process and its children.

        Its pipe is closed when the last thread lets go of it: another may still read there, and the number of a
        closed pipe soon belongs to something else.
        """
        if self.process.pid is not None and hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.join()


class Pool:
    """Worker processes that run `target(*arguments, pipe)`.

    Args:
        target: what a process runs; it says `("ready", None)` when it can begin.
        payload: of the request.
        workers: processes.
        waiting: jobs that may wait.
        seconds: that a job may take.
        spare: processes more, that questions and reading leave free for pictures, lists and texts.
    """

    def __init__(
        self,
        target: Callable[..., None],
        arguments: tuple[Any, ...],
        workers: int,
        waiting: int,
        seconds: float,
        spare: int = 0,
    ) -> None:
        self._target, self._arguments, self._waiting, self._seconds = target, arguments, waiting, seconds
        self._count = workers + spare
        self._context = forking.context()
        self._threads = ThreadPoolExecutor(2 * self._count, "worker")
        self._heavy = asyncio.Semaphore(workers)
        self._idle: asyncio.Queue[_Process] = asyncio.Queue()
        self._long = asyncio.Semaphore(max(1, workers - 1))
        self._all: set[_Process] = set()
        self._starting: set[asyncio.Task[bool]] = set()
        self._leaving: set[asyncio.Task[None]] = set()
        self._jobs = {True: 0, False: 0}  # under way or waiting, by whether they are heavy
        self._lost = 0
        self._nothing = asyncio.Event()
        self._nothing.set()
        self._begun = self._stopping = False

    @property
    def full(self) -> bool:
        """Whether another heavy job would be rejected."""
        return self._jobs[True] >= self._count + self._waiting

    @property
    def ready(self) -> bool:
        """Whether a process can work."""
        return bool(self._all) and not self._stopping

    @property
    def busy(self) -> Busy:
        """The load of the processes."""
        return Busy(len(self._all), sum(self._jobs.values()), self._lost)

    async def start(self) -> None:
        """Start the processes; the first one is ready when this returns.

        Raises BackendError: they all end before they begin.
        """
        for starting in asyncio.as_completed([self._start() for _ in range(self._count)]):
            if await starting:
                return
        raise BackendError("the processes that answer end before they begin")

    async def run(self, job: Job, tell: Tell | None = None) -> Any:
        """The result of a job; `tell` receives its intermediate messages.

        Raises Fault: there is no room, it took too long, its process was lost, or it is the result.
        """
        if self._stopping:
            raise Fault(503, "StoppingError", "the service is stopping", after=1)
        heavy = job.verb in _HEAVY
        if self._jobs[heavy] >= self._count + self._waiting:
            raise busy()
        self._jobs[heavy] += 1
        self._nothing.clear()
        try:
            with _TRACER.start_as_current_span("citewell.job", attributes={"citewell.verb": job.verb}) as span:
                async with self._long if job.long else nullcontext(), self._heavy if heavy else nullcontext():
                    process = await self._idle.get()
                    while not process.process.is_alive():  # it was lost while it waited
                        self._replace(process)
                        process = await self._idle.get()
                    span.add_event("begun")
                    return await self._worked(process, job, tell)
        finally:
            self._jobs[heavy] -= 1
            if not any(self._jobs.values()):
                self._nothing.set()

    async def _worked(self, process: _Process, job: Job, tell: Tell | None) -> Any:
        loop = asyncio.get_running_loop()

        def hear(message: Any) -> None:
            if tell:
                loop.call_soon_threadsafe(tell, message)

        talk = loop.run_in_executor(self._threads, _talk, process.pipe, job, hear)
        talk.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        whole = gone = False
        try:
            async with asyncio.timeout(self._seconds):
                kind, value = await asyncio.shield(talk)
            whole = True
        except asyncio.CancelledError:
            gone = True
            raise
        except TimeoutError as error:
            raise Fault(504, "TimedOutError", f"this took more than {self._seconds:g} seconds and was ended") from error
        except (EOFError, OSError) as error:
            raise inside() from error
        finally:
            process.jobs += 1
            if whole and process.jobs < _JOBS:
                self._idle.put_nowait(process)
            elif gone:
                leaving = asyncio.create_task(self._left(process, talk))
                self._leaving.add(leaving)
                leaving.add_done_callback(self._leaving.discard)
            else:
                self._replace(process)
        if kind == "fault":
            raise value
        return value

    async def _left(self, process: _Process, talk: asyncio.Future[tuple[str, Any]]) -> None:
        """Let an abandoned job end by itself if it does so soon; starting a new process takes longer."""
        try:
            async with asyncio.timeout(_MOMENT):
                await asyncio.shield(talk)
            self._idle.put_nowait(process)
        except (TimeoutError, EOFError, OSError):
            self._replace(process)

    def _start(self) -> asyncio.Task[bool]:
        task = asyncio.get_running_loop().create_task(self._started())
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)
        return task

    async def _started(self) -> bool:
        """Start a process, retrying until it is ready; False if none ever started or the pool stops."""
        wait = 0.1
        while not self._stopping and (self._begun or wait < _PATIENCE):
            process = await asyncio.get_running_loop().run_in_executor(self._threads, self._new)
            if process is not None and not self._stopping:
                self._begun = True
                self._idle.put_nowait(process)
                return True
            await asyncio.sleep(wait)  # what cannot start now may later: memory is short, or the library away
            wait = min(30.0, 2 * wait)
        return False

    def _new(self) -> _Process | None:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=self._target, args=(*self._arguments, theirs), daemon=True)
        try:
            process.start()
        except OSError:  # no memory for it, or nothing to fork it from
            return None
        finally:
            theirs.close()
        new = _Process(process, ours)
        self._all.add(new)
        try:
            ours.recv()
        except (EOFError, OSError):
            self._all.discard(new)
        else:
            if not self._stopping:
                return new
        new.kill()
        return None

    def _replace(self, process: _Process) -> None:
        self._all.discard(process)
        self._lost += process.jobs < _JOBS
        self._threads.submit(process.kill)
        if not self._stopping:
            self._start()

    async def stop(self, seconds: float) -> None:
        """Accept no more jobs, wait for running ones, and end the processes."""
        self._stopping = True
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._nothing.wait()
        for process in list(self._all):
            process.kill()
        self._all.clear()
        for task in list(self._starting):
            task.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)


def _talk(pipe: connection.Connection[Any, Any], job: Job, hear: Tell) -> tuple[str, Any]:
    """Send a job to a process and wait for its result."""
    pipe.send(job)
    while True:
        kind, value = pipe.recv()
        if kind != "told":
            return kind, value
        hear(value)
