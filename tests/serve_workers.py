"""A worker for tests of the pool: it sleeps, echoes, tells and dies as it is told."""

import os
import subprocess
import time
from pathlib import Path


def work(pipe):
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)
    pipe.send(("ready", None))
    while True:
        try:
            job = pipe.recv()
        except (EOFError, OSError):
            return
        if job.verb == "sleep":
            time.sleep(job.payload)
        if job.verb == "wait":
            while not Path(job.payload).exists():
                time.sleep(0.01)
        if job.verb == "child":  # something of its own that runs on
            child = subprocess.Popen(["sleep", "60"])
            pipe.send(("told", child.pid))
            child.wait()
        if job.verb == "die":
            os._exit(9)
        if job.verb == "tell":
            for number in range(job.payload):
                pipe.send(("told", number))
        pipe.send(("done", os.getpid()))


def end(pipe):
    """It cannot begin."""
    pipe.close()
