"""Runs jobs one after another, each in its own process with its workers; a restarted service resumes them."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path

from citewell.errors import CitewellError, InUseError
from citewell.library.batch import run
from citewell.library.batch.processes import end_with_parent
from citewell.library.batch.workers import Crew
from citewell.serve import faults, log
from citewell.serve.jobs.folders import FAILED, OUT, ROWS, Folders, JobFolder
from citewell.serve.jobs.row import Rows
from citewell.serve.offered import Offered
from citewell.text import files, safe

_TRIES = 3  # of a job whose process is lost
_AGAIN = 1.0  # seconds after which a job is looked at again that somebody else works on
_IN_USE = 75


class Runner:
    """Works on the jobs that are not finished."""

    def __init__(
        self,
        folders: Folders,
        places: Mapping[str, str],
        llm: str | None,
        seconds: float,
        count: int,
        offered: Offered,
    ) -> None:
        self._folders, self._stages, self._count = folders, (dict(places), llm, seconds, offered), count
        self._new = asyncio.Event()
        self._process: BaseProcess | None = None
        self._task: asyncio.Task[None] | None = None
        self._lost: dict[str, int] = {}
        self.running: str | None = None

    async def start(self) -> None:
        """Start, beginning with unfinished jobs."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    def wake(self) -> None:
        """Announce a new job."""
        self._new.set()

    async def stop(self) -> None:
        """Stop at once; finished rows are kept, the rest is done after the next start."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def remove(self, job: JobFolder) -> None:
        """Stop and remove a job."""
        running = self.running == job.id
        await asyncio.to_thread(self._folders.remove, job)
        if running and self._process is not None:
            _end(self._process)

    async def _run(self) -> None:
        while True:
            self._new.clear()
            waiting = [job for job in await asyncio.to_thread(self._folders.all)
                       if self._folders.state(job, None) == "queued"]  # fmt: skip
            if not waiting:
                await self._new.wait()
                continue
            await self._work(waiting[0])

    async def _work(self, job: JobFolder) -> None:
        rows = Rows(job.kind, job.caller, job.libraries, *self._stages)
        context = multiprocessing.get_context("spawn")
        arguments = (rows, str(self._folders.folder(job)), self._count)
        process = context.Process(target=_worked, args=arguments)
        self.running, self._process = job.id, process
        try:
            await asyncio.to_thread(process.start)
            await asyncio.to_thread(process.join)
        finally:
            _end(process)
            self.running = self._process = None
        if process.exitcode == _IN_USE:
            await asyncio.sleep(_AGAIN)
        elif process.exitcode:
            self._lost[job.id] = self._lost.get(job.id, 0) + 1
            if self._lost[job.id] >= _TRIES:
                _fail(self._folders.folder(job), faults.inside())


def _end(process: BaseProcess) -> None:
    """End a process and its children."""
    if process.pid is None:
        return
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join()


def _fail(folder: Path, fault: faults.Fault) -> None:
    with suppress(CitewellError):  # it was removed
        files.write(folder / FAILED, safe.dumps(fault.to_dict()["error"]))


def _worked(rows: Rows, folder: str, count: int) -> None:
    """Run a job in its own process, which ends with the service."""
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.SIG_IGN)
    with suppress(OSError, AttributeError):
        os.setpgid(0, 0)
    threading.Thread(target=end_with_parent, daemon=True).start()
    place = Path(folder)
    try:
        run.run(rows, place / ROWS, place / OUT, partial(Crew(count).workers, rows))
    except InUseError:  # by the one of a service that was killed, which ends in a moment
        sys.exit(_IN_USE)
    except CitewellError as error:
        log.line("error", error, job=place.name)
        _fail(place, faults.of(error, [folder]))
