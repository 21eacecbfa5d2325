"""The commands of docs/operations.md from a fresh machine to an answer, as they stand there; then what comes later."""

import http.client
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

pytest.importorskip("fastapi")
pytestmark = [pytest.mark.slow, pytest.mark.rare]
ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
QUESTION = json.dumps({"library": True, "question": "What was revenue in 2023?"})


def blocks(title):
    """The commands below a title."""
    section = PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    return [block.strip().splitlines() for block in re.findall(r"^```\n(.*?)^```", section, re.MULTILINE | re.DOTALL)]


class Machine:
    """Where the commands run: their places are below a folder, and nobody has to be root."""

    def __init__(self, folder, postgres):
        self.folder, programs = folder, folder / "programs"
        programs.mkdir()
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            self.port = taken.getsockname()[1]
        needed = next(path for path in sys.path if path.endswith("site-packages"))
        own = {
            "sudo": '[ "$1" = -u ] && shift 2; exec "$@"',
            "apt-get": "exit 0",
            "useradd": "exit 0",
            # What the wheel needs is there already, beside these tests.
            "python3": f'"{sys.executable}" "$@" && echo "{needed}" > "$(echo "$3"/lib/python*/site-packages)/needed.pth"',
            **{
                name: f'PGUSER=tester exec {postgres.programs}/{name} "$@"'
                for name in ("createuser", "createdb", "dropdb")
            },
        }
        for name, line in own.items():
            (programs / name).write_text(f"#!/bin/sh\n{line}\n")
            (programs / name).chmod(0o755)
        build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ROOT]
        subprocess.run(build, check=True, capture_output=True)
        (wheel,) = folder.glob("citewell-*.whl")
        self.places = {
            "'citewell[serve,postgresql]'": str(wheel),
            "/opt/citewell": f"{folder}/opt",
            "/var/lib/citewell": f"{folder}/state",
            "8710": str(self.port),
            "citewell serve --": f"citewell serve --port {self.port} --",
        }
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
            "PATH": f"{programs}:{os.environ['PATH']}",
            "PGHOST": str(postgres.folder),
            "PGUSER": "citewell",
            "PIP_IGNORE_INSTALLED": "1",
            "PIP_NO_DEPS": "1",
            "PIP_NO_INDEX": "1",
            "HOME": str(folder),
        }
        (folder / "state").mkdir()
        shutil.copy(ROOT / "examples" / "annual-report.pdf", folder / "report.pdf")

    def command(self, lines):
        """Commands with the places of this machine."""
        text = "\n".join(lines)
        for name, place in self.places.items():
            text = text.replace(name, place)
        return text

    def run(self, lines):
        """What commands print; where one fails, so does this."""
        # A file: the service that goes on behind them would keep a pipe open.
        with (self.folder / "log").open("a") as log, (self.folder / "out").open("w+") as out:
            script = ["bash", "-ec", f"{self.command(lines)}\necho; echo ${{TOKEN:-}} ${{!:-}}"]
            place = {"cwd": self.folder, "env": self.environment}
            done = subprocess.run(script, check=False, stdout=out, stderr=log, text=True, **place)
        assert done.returncode == 0, (self.folder / "log").read_text()[-3000:]
        return (self.folder / "out").read_text()

    def stop(self, process):
        os.kill(process, signal.SIGTERM)
        while Path(f"/proc/{process}").exists() and "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text():
            time.sleep(0.05)


@pytest.fixture(scope="module")
def machine(tmp_path_factory, postgres):
    made = Machine(tmp_path_factory.mktemp("machine"), postgres)
    made.begun = []
    yield made
    for process in made.begun:
        if Path(f"/proc/{process}").exists():
            made.stop(process)


def answer(line):
    """The last of the replies that stand on one line, since they end without a break."""
    return json.loads(line[line.rindex('{"schema_version"') :])


def proxy(listening, port):
    """Pass on what comes by TLS, both ways, until the socket is closed."""

    def passed(here, there):
        try:
            while data := here.recv(65536):
                there.sendall(data)
        except OSError:
            pass
        finally:
            there.close()

    try:
        while True:
            client, _ = listening.accept()
            service = socket.create_connection(("127.0.0.1", port))
            for pair in ((client, service), (service, client)):
                threading.Thread(target=passed, args=pair, daemon=True).start()
    except OSError:
        pass


def test_a_team_installs_and_asks_in_ten_commands_and_restores_what_it_backed_up(machine, tmp_path):
    (install,) = blocks("On a fresh machine with PostgreSQL")
    assert len(install) <= 10
    *_, reply, last = machine.run(install).strip().splitlines()
    token, process = last.split()
    machine.begun.append(int(process))
    assert answer(reply)["value"]["text"] == "35.1"

    backup, restore = blocks("Backup and restore")
    machine.run(backup)
    machine.stop(int(process))
    machine.run(restore)
    serve, ask = install[-3], install[-1].replace("curl -s", "curl -s --retry 60 --retry-connrefused")
    host = serve.replace(" &", " --allowed-host answers.example.org &")
    *_, reply, last = machine.run([f"TOKEN={token}", host, ask]).strip().splitlines()
    machine.begun.append(int(last.split()[1]))
    assert answer(reply)["value"]["text"] == "35.1"

    key, certificate = tmp_path / "key", tmp_path / "certificate"
    subject = ["-subj", "/CN=answers.example.org", "-addext", "subjectAltName=DNS:answers.example.org"]
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, *subject]
    subprocess.run(make, check=True, capture_output=True)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate, key)
    with server.wrap_socket(socket.create_server(("127.0.0.1", 0)), server_side=True) as listening:
        threading.Thread(target=proxy, args=(listening, machine.port), daemon=True).start()
        plain = socket.create_connection(listening.getsockname())
        client = ssl.create_default_context(cafile=certificate).wrap_socket(
            plain, server_hostname="answers.example.org"
        )
        connection = http.client.HTTPConnection("answers.example.org")
        connection.sock = client
        headers = {"Authorization": f"Bearer {token}", "Origin": "https://answers.example.org"}
        connection.request("POST", "/v1/ask", QUESTION, {**headers, "Content-Type": "application/json"})
        assert json.loads(connection.getresponse().read())["value"]["text"] == "35.1"
        connection.close()
