"""A campaign of inputs that nobody meant: seeded, resumable, each failure made small and kept.

python tests/fuzz/campaign.py --seconds 60 --state .fuzz
python tests/fuzz/campaign.py --inputs 100000 --state .fuzz
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import connection
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from click import echo

from fuzz import mutate, targets

LONGEST_SECONDS = 20.0
"""Processor time of one input, hundreds of times what any takes: beyond it something does not end."""
TRIES = 400
"""Smaller forms of a failure that are tried."""


class Endless(BaseException):
    """An input takes longer than any should; no handler of errors may swallow it."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Processor time that the block may take."""

    def stop(_signal: int, _frame: Any) -> None:
        raise Endless

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def drawn(seed: int, number: int) -> tuple[str, bytes]:
    """The target and the input with this number."""
    draw = Random(f"{seed} {number}")
    name = draw.choice(sorted(targets.targets()))
    samples = list(targets.targets()[name].samples)
    if draw.random() < 0.15:
        return name, mutate.draw_bytes(draw)
    return name, mutate.changed(draw.choice(samples), draw, samples)


def outcome(name: str, data: bytes) -> str:
    """What an input did: `used`, `refused`, or where it failed, in a form that is the same for the same fault."""
    try:
        with limited(LONGEST_SECONDS):
            return "refused" if targets.read_as(name, data) else "used"
    except Endless:
        return "endless"
    except Exception as error:  # noqa: BLE001  (whatever it is, it is what is looked for)
        at = [
            frame
            for frame in traceback.extract_tb(error.__traceback__)
            if "citewell" in frame.filename or "fuzz" in frame.filename
        ]
        return f"{type(error).__name__} at {Path(at[-1].filename).name}:{at[-1].lineno}"


def smallest(data: bytes, fails: Callable[[bytes], bool]) -> bytes:
    """A smaller input that still fails: pieces are left out, ever smaller ones, as long as tries are left."""
    tries, size = TRIES, len(data) // 2
    while size >= 1 and tries > 0:
        at = 0
        while at < len(data) and tries > 0:
            shorter = data[:at] + data[at + size :]
            tries -= 1
            if fails(shorter):
                data = shorter
            else:
                at += size
        size //= 2
    return data


class State:
    """Counts and the next number, kept in a folder so that a campaign goes on where it stopped."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / "state.json"
        folder.mkdir(parents=True, exist_ok=True)
        kept = json.loads(self.path.read_text()) if self.path.exists() else {}
        self.next: int = kept.get("next", 0)
        self.counts: dict[str, Counter[str]] = {
            name: Counter(result) for name, result in kept.get("counts", {}).items()
        }
        self.failures: dict[str, int] = kept.get("failures", {})

    def count(self, name: str, what: str) -> None:
        self.counts.setdefault(name, Counter())[what] += 1

    def keep(self) -> None:
        written = {"next": self.next, "counts": self.counts, "failures": self.failures}
        other = self.path.with_suffix(".new")
        other.write_text(json.dumps(written, indent=1))
        other.replace(self.path)

    def failed(self, name: str, what: str, data: bytes) -> None:
        fault = f"{name}: {what}"
        self.count(name, "failed")
        self.failures[fault] = self.failures.get(fault, 0) + 1
        if self.failures[fault] == 1:
            small = (
                data if what in {"endless", "crash"} else smallest(data, lambda shorter: outcome(name, shorter) == what)
            )
            (self.folder / f"{name.replace(' ', '-')}-{self.next}").write_bytes(small)
            echo(f"input {self.next}: {fault} ({len(small)} bytes)")


def end_with_parent() -> None:
    """End this process when the one that started it ends, however it does."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def work(folder: Path, seed: int, most: int, until: float) -> None:
    """Try inputs until there were so many, or until then; whoever dies at one leaves its number in `at`."""
    threading.Thread(target=end_with_parent, daemon=True).start()
    state = State(folder)
    at = folder / "at"
    while state.next < most and time.monotonic() < until:
        name, data = drawn(seed, state.next)
        at.write_text(str(state.next))
        what = outcome(name, data)
        if what in {"used", "refused"}:
            state.count(name, what)
        else:
            state.failed(name, what, data)
        state.next += 1
        if state.next % 50 == 0:
            state.keep()
    state.keep()
    at.unlink(missing_ok=True)


def campaign(folder: Path, seed: int, most: int, seconds: float) -> State:
    """Work in a process of its own, so that a crash of a library is a failure like others."""
    until = time.monotonic() + seconds
    most = most or sys.maxsize
    spawned = multiprocessing.get_context("spawn")
    while True:
        worker = spawned.Process(target=work, args=(folder, seed, most, until))
        worker.start()
        worker.join()
        if worker.exitcode == 0:
            return State(folder)
        at = folder / "at"
        if not at.exists():
            raise SystemExit(f"the worker ended with {worker.exitcode} before its first input")
        state = State(folder)
        state.next = int(at.read_text())
        name, data = drawn(seed, state.next)
        state.failed(name, "crash", data)
        state.next += 1
        state.keep()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=0, help="go on until there were so many; all without")
    parser.add_argument("--seconds", type=float, default=0, help="stop after so long")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--state", type=Path, default=Path(".fuzz"))
    args = parser.parse_args()
    seconds = args.seconds or (1e9 if args.inputs else 60)
    state = campaign(args.state, args.seed, args.inputs, seconds)
    echo(f"{'target':<18}{'used':>8}{'refused':>9}{'failed':>8}")
    for name, count in sorted(state.counts.items()):
        echo(f"{name:<18}{count['used']:>8}{count['refused']:>9}{count['failed']:>8}")
    together = sum(state.counts.values(), Counter())
    echo(f"{'together':<18}{together['used']:>8}{together['refused']:>9}{together['failed']:>8}")
    for fault, number in sorted(state.failures.items()):
        echo(f"{number} x {fault}")
    return 1 if state.failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
