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
        # They are started by several threads.
        tasks = Path(f"/proc/{self.process.pid}/task").iterdir()
        children = [child for task in tasks for child in (task / "children").read_text().split()]
        lines = {int(child): Path(f"/proc/{child}/cmdline").read_text() for child in children}
        return {child for child, line in lines.items() if "spawn_main" in line}

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
