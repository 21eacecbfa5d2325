"""A PostgreSQL server of the tests' own, from Debian's package, where it is installed."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest


def _programs():
    ordered = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    initdb = ordered[-1] if ordered else shutil.which("initdb")
    return Path(initdb).parent if initdb else None


class Server:
    """Started and stopped with the folder of its data; it listens on a socket alone."""

    def __init__(self, programs, folder):
        self.programs, self.folder, self.count = programs, folder, 0
        # The server refuses to run as root.
        self.user = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}

    def run(self, *command):
        done = subprocess.run(
            [str(part) for part in command], check=False, capture_output=True, text=True, cwd=self.folder, **self.user
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self):
        options = f"-c listen_addresses='' -c unix_socket_directories={self.folder} -c fsync=off"
        log = self.folder / "log"
        self.run(self.programs / "pg_ctl", "-w", "-D", self.folder / "data", "-o", options, "-l", log, "start")

    def stop(self):
        self.run(self.programs / "pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop")

    def database(self):
        """The address of a new, empty database."""
        self.count += 1
        self.run(self.programs / "createdb", "-h", self.folder, "-U", "tester", f"library{self.count}")
        return f"postgresql://tester@/library{self.count}?host={self.folder}"


@pytest.fixture(scope="session")
def postgres():
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed")
    pytest.importorskip("psycopg")
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody", "nogroup")
    server = Server(programs, folder)
    server.run(programs / "initdb", "-D", folder / "data", "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync")
    server.start()
    yield server
    server.stop()
    shutil.rmtree(folder, ignore_errors=True)
