"""Load on the service: clients that upload and ask, kills in the middle, and what became of every document.

    python lab/benchmarks/service/load.py                                   50 clients for five minutes, with kills
    python lab/benchmarks/service/load.py --clients 8 --seconds 60          a short one
    python lab/benchmarks/service/load.py --clients 4 --pause 2 --seconds 3600 --no-kills
                                                                        the soak: memory at its end beside its beginning

A bare FastAPI echo is asked by the same clients before, which is what the machine and the client can do at best. A reply
that says when to come back (429, 503) is counted and followed; any other error that is not from a kill is a fault.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import httpx2

REPORT = Path(__file__).parents[3] / "examples" / "annual-report.pdf"
QUESTIONS = (
    "What was revenue in 2023?",
    "How many passengers did the ferries carry in 2025?",
    "Who is the king of France?",
)
ECHO = """
import sys, uvicorn
from fastapi import FastAPI, Request
app = FastAPI()
@app.post("/echo")
async def echo(request: Request):
    return await request.json()
uvicorn.run(app, port=int(sys.argv[1]), log_level="error")
"""


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def tree(process):
    """The process and what it started."""
    known = [process]
    for known_item in known:
        known += children(known_item)
    return known


def children(process):
    """The processes that one has started."""
    known = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            known += [int(child) for child in task.read_text().split()]
    return known


def line(process):
    """What a process was started with."""
    return Path(f"/proc/{process}/cmdline").read_bytes()


def memory(process):
    """Megabytes of a process with what it started: what they share counted once, and counted for each."""
    once = each = 0
    for process_id in tree(process):
        try:
            lines = Path(f"/proc/{process_id}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        once += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
        each += sum(int(line.split()[1]) for line in lines if line.startswith("Rss:"))
    return {"shared once": once // 1024, "rss": each // 1024}


class Service:
    """The service on one port and one library, started again after it was killed."""

    def __init__(self, folder, port):
        self.log = (folder / "log").open("a")
        arguments = [
            sys.executable,
            "-m",
            "citewell",
            "serve",
            "--port",
            str(port),
            "--library",
            str(folder / "library"),
        ]
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=self.log, text=True)
        assert self.process.stdout.readline().startswith("citewell serves"), (folder / "log").read_text()[-2000:]

    def workers(self):
        forked = [child for child in children(self.process.pid) if b"forkserver" in line(child)]
        return [worker for child in forked for worker in children(child)]

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.wait(60)
        self.log.close()


class Load:
    def __init__(self, address, until, pause=0.0):
        self.client = httpx2.AsyncClient(base_url=address, timeout=120, limits=httpx2.Limits(max_connections=None))
        self.until, self.seconds, self.counts, self.pause = until, {}, Counter(), pause
        self.documents, self.faults = set(), []
        self.kills = []  # from when to when something was gone

    async def ask(self, kind, path, **body):
        """One request, followed until it is answered; how long its last try took is kept."""
        while time.monotonic() < self.until:
            began = time.monotonic()
            try:
                reply = await self.client.post(path, **body)
            except httpx2.HTTPError as error:
                self.cut(kind, type(error).__name__, began)
                await asyncio.sleep(0.2)
                continue
            if reply.status_code in (429, 503):
                self.counts[f"{reply.status_code}, told to come back"] += 1
                await asyncio.sleep(float(reply.headers["retry-after"]))
                continue
            if reply.status_code >= 400:
                self.cut(kind, f"{reply.status_code} {reply.text[:200]}", began)
                continue
            self.seconds.setdefault(kind, []).append(time.monotonic() - began)
            if self.over(began):
                self.seconds.setdefault(f"{kind} over a kill", []).append(time.monotonic() - began)
            return reply
        return None

    def cut(self, kind, what, began):
        """What was under way when something was killed may end with an error, which must be a clear one."""
        after = self.over(began)
        self.counts["cut off by a kill" if after else "faults"] += 1
        if not after:
            self.faults.append(f"{kind}: {what}")

    def over(self, began):
        """Whether something was gone while a request was under way."""
        return any(killed <= time.monotonic() and began <= again for killed, again in self.kills)

    async def user(self, number):
        draw = random.Random(number)
        turn = 0
        while time.monotonic() < self.until:
            turn += 1
            await asyncio.sleep(
                min(draw.expovariate(1 / self.pause) if self.pause else 0, self.until - time.monotonic())
            )
            if draw.random() < 0.05:
                reply = await self.ask(
                    "PDF",
                    "/v1/documents",
                    files={"file": ("report.pdf", REPORT.read_bytes() + b"\n%" + f"{number}.{turn}".encode())},
                )
            elif draw.random() < 0.25:
                text = f"Ship {number}.{turn} carried {draw.randrange(10_000)} passengers in 2023.\n\n" * 20
                reply = await self.ask("text", "/v1/documents", json={"text": text, "title": f"Ship {number}.{turn}"})
            else:
                body = {"documents": [draw.choice(sorted(self.documents))], "question": draw.choice(QUESTIONS)}
                await self.ask("question", "/v1/ask", json=body)
                continue
            if reply is not None:
                self.documents.add(reply.json()["id"])

    async def echo(self, number):
        body = {"question": QUESTIONS[0], "documents": [str(number)]}
        while time.monotonic() < self.until:
            await self.ask("echo", "/echo", json=body)


def percentiles(seconds):
    ranked = sorted(seconds)
    return {
        f"p{share}": round(1000 * ranked[min(len(ranked) - 1, len(ranked) * share // 100)], 1)
        for share in (50, 90, 95, 99)
    } | {"max": round(1000 * ranked[-1], 1)}


async def echoed(port, clients, seconds):
    process = await asyncio.to_thread(subprocess.Popen, [sys.executable, "-c", ECHO, str(port)])
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                await asyncio.sleep(0.1)
        load = Load(f"http://127.0.0.1:{port}", time.monotonic() + seconds)
        await asyncio.gather(*(load.echo(number) for number in range(clients)))
        await load.client.aclose()
        return load
    finally:
        process.terminate()
        process.wait()


async def loaded(folder, options):
    port = free_port()
    service = await asyncio.to_thread(Service, folder, port)
    load = Load(f"http://127.0.0.1:{port}", time.monotonic() + 600, options.pause)
    first = await load.ask("PDF", "/v1/documents", files={"file": ("report.pdf", REPORT.read_bytes())})
    load.documents.add(first.json()["id"])
    await load.ask("question", "/v1/ask", json={"library": True, "question": QUESTIONS[0]})
    load.seconds.clear()
    began = time.monotonic()
    load.until = began + options.seconds
    users = [asyncio.create_task(load.user(number)) for number in range(options.clients)]
    used = []

    async def watch():
        while time.monotonic() < load.until:
            await asyncio.sleep(max(1.0, options.seconds / 20))
            minutes = round((time.monotonic() - began) / 60, 1)
            documents = len(load.documents)
            sample = {
                "minutes": minutes,
                "documents": documents,
                **await asyncio.to_thread(memory, service.process.pid),
            }
            used.append(sample)
            print(json.dumps(sample), file=sys.stderr, flush=True)

    watching = asyncio.create_task(watch())
    if options.kills:
        await asyncio.sleep(options.seconds / 3)
        load.kills.append((time.monotonic(), time.monotonic() + 1))
        os.kill(random.Random(0).choice(service.workers()), signal.SIGKILL)
        await asyncio.sleep(options.seconds / 3)
        killed = time.monotonic()
        load.kills.append((killed, killed + 600))
        await asyncio.to_thread(service.stop, signal.SIGKILL)
        service = await asyncio.to_thread(Service, folder, port)
        load.kills[-1] = (killed, time.monotonic() + 1)
        load.counts["seconds until it served again"] = round(time.monotonic() - killed, 1)
    await asyncio.gather(*users)
    await watching
    lost = [name for name in load.documents if (await load.client.get(f"/v1/documents/{name}")).status_code != 200]
    await load.client.aclose()
    await asyncio.to_thread(service.stop)
    return load, used, lost


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--pause", type=float, default=0.0, help="seconds between the requests of a client, on average")
    parser.add_argument("--no-kills", dest="kills", action="store_false")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bare = asyncio.run(echoed(free_port(), options.clients, min(20.0, options.seconds / 4)))
        load, used, lost = asyncio.run(loaded(Path(folder), options))
    result = {
        "clients": options.clients,
        "seconds": options.seconds,
        "pause": options.pause,
        "cores": os.cpu_count(),
        "requests": {kind: len(seconds) for kind, seconds in load.seconds.items()},
        "milliseconds": {kind: percentiles(seconds) for kind, seconds in (bare.seconds | load.seconds).items()},
        "counts": dict(load.counts),
        "megabytes": used,
        "documents": len(load.documents),
        "lost": lost,
        "faults": load.faults[:20],
    }
    print(json.dumps(result, indent=1))
    assert not lost, "documents were lost"
    assert not load.faults, "requests failed without a kill"


if __name__ == "__main__":
    main()
