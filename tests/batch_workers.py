"""Work that ends its worker, in a module that a new process can import; workers that are no processes."""

import json
import os
import signal
import time

from citewell.library.batch.job import Job
from citewell.library.batch.schedule import Ended


class Stillborn:
    """Work whose worker cannot begin."""

    def worker(self, files=None):
        os._exit(3)


def ended(pipe):
    """A process that ends before it says anything."""
    os._exit(3)


class Ends:
    """Work that gives the row's id and ends its process at one of them."""

    def __init__(self, at):
        self.at = at

    def record(self):
        return {}

    def worker(self, files=None):
        return self

    def lines(self, rows):
        if any(row.id == self.at for row in rows):
            os.kill(os.getpid(), signal.SIGKILL)
        return [(json.dumps({"id": row.id, "result": row.id}).encode() + b"\n", True) for row in rows]


class Here:
    """Workers that are no processes: so many, each task done when it is waited for, the newest first."""

    def __init__(self, work, count=2, ends=()):
        self.worker, self.count, self.tasks, self.ends, self.sent = work.worker(), count, [], list(ends), []

    def free(self):
        return len(self.tasks) < self.count

    def start(self, task):
        self.tasks.append(task)
        self.sent.append(task)

    def wait(self):
        task = self.tasks.pop()
        if any(row.data.get("id") in self.ends for row in task.rows):
            return [Ended(task, None, "signal SIGSEGV")]
        return [Ended(task, self.worker.lines(task.rows), "", 0.5, "here")]

    def close(self):
        self.tasks = None


class Slow(Job):
    """A job that takes its time, so that whoever does it can be killed in the middle."""

    def worker(self, files=None):
        worker = super().worker(files)
        really = worker.lines

        def lines(rows):
            time.sleep(0.01 * len(rows))
            return really(rows)

        worker.lines = lines
        return worker
