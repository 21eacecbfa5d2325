"""The service as it is run: a process of its own, with its workers and its log."""

import signal
import subprocess
import sys
import tempfile
from pathlib import Path


class Running:
    def __init__(self, *args):
        command = [sys.executable, "-m", "citewell", "serve", "--port", "0", *map(str, args)]
        self.log = tempfile.TemporaryFile("w+")  # noqa: SIM115  (closed with the service)
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        assert line.startswith("citewell serves http://127.0.0.1:"), self.logged()
        import httpx2

        self.client = httpx2.Client(base_url=line.split()[-1], timeout=60)

    def workers(self):
        # They are forks of a child of the service, which has loaded what they need.
        forked = [child for child in children(self.process.pid) if "forkserver" in _line(child)]
        return {worker for child in forked for worker in children(child)}

    def logged(self):
        self.log.seek(0)
        return self.log.read()

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        code = self.process.wait(30)
        self.process.stdout.close()
        return code

    def close(self):
        self.client.close()
        self.log.close()


def children(process):
    """The processes that one has started."""
    tasks = Path(f"/proc/{process}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


def _line(process):
    return Path(f"/proc/{process}/cmdline").read_text()
