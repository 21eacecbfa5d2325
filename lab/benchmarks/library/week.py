"""A team's week with a library, on the command line alone: each day's work is held against what it should have left.

    python lab/benchmarks/library/week.py FOLDER [--documents 200] [--questions 60] [--library postgresql://...]

Monday takes documents in and is killed, Tuesday changes, adds and removes, Wednesday asks a batch that is killed, Thursday
backs up while others add, Friday loses the library and restores it, Saturday upgrades tables of the version before, Sunday
moves on. Nothing is timed: a kill comes when so much is done. `lab/tests/test_week.py` runs it small.
"""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

PORTS = ("Norrey", "Sudd", "Ostvik", "Laholm", "Vester", "Brunn", "Kalvo")


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "citewell", *map(str, words)]


def run(*words: object, code: int = 0) -> str:
    """What a command prints, with its exit code as it should be."""
    done = subprocess.run(command(*words), check=False, capture_output=True, text=True)
    assert done.returncode == code, f"{words}: {done.returncode}: {done.stderr or done.stdout}"
    return done.stdout


def killed(reached: Callable[[], bool], *words: object) -> None:
    """Start a command and kill it when so much is done; where it was done before that, nothing was to be killed."""
    with subprocess.Popen(command(*words), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and not reached():
            time.sleep(0.005)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)


def ship(number: int, passengers: int) -> str:
    port = PORTS[number % len(PORTS)]
    return f"# Ship {number}\n\nShip {number} sailed to {port}.\n\nShip {number} carried {passengers} passengers in 2024.\n"


class Week:
    """The team's folders; `passengers` is what each document should say, by the number of its ship."""

    def __init__(self, folder: Path, documents: int, questions: int, place: str | None = None) -> None:
        self.folder, self.questions = folder, questions
        self.place = place or str(folder / "team.lib")
        self.files = folder / "reports"
        self.files.mkdir(parents=True)
        self.passengers = {number: 1000 + 7 * number for number in range(documents)}
        for number in self.passengers:
            self.write(number)

    def write(self, number: int) -> None:
        (self.files / f"ship{number:04d}.md").write_text(ship(number, self.passengers[number]), encoding="utf-8")

    def known(self, place: str | None = None) -> list[str]:
        """The names of the documents of a library."""
        listed = json.loads(run("library", "list", "--library", place or self.place, "--json"))
        assert listed["failures"] == []
        return sorted(Path(document["source"]).name for document in listed["documents"])

    def whole(self, place: str | None = None) -> None:
        """See that a library has exactly the team's documents, all of them undamaged, and answers from them."""
        place = place or self.place
        assert self.known(place) == sorted(path.name for path in self.files.iterdir())
        run("library", "verify", "--library", place)
        for number in (min(self.passengers), max(self.passengers)):
            asked = f"How many passengers did ship {number} carry in 2024?"
            answer = json.loads(run("ask", "--library", place, asked, "--json"))
            assert str(self.passengers[number]) in answer["text"], answer["text"]

    def monday(self) -> None:
        """Take documents in, killed in the middle, and again."""
        index = Path(self.place, "segments")
        killed(lambda: index.is_dir() and any(index.iterdir()), "library", "add", self.files, "--library", self.place)
        run("library", "add", self.files, "--library", self.place, "--quiet")
        self.whole()

    def tuesday(self) -> None:
        """Change, add and take out files, and let the library follow."""
        first, *_, last = sorted(self.passengers)
        self.passengers[first] += 5000
        self.write(first)
        self.passengers[last + 1] = 4711
        self.write(last + 1)
        del self.passengers[last]
        (self.files / f"ship{last:04d}.md").unlink()
        run("library", "refresh", "--library", self.place, "--quiet")
        run("library", "add", self.files, "--library", self.place, "--quiet")
        self.whole()
        gone = json.loads(
            run("ask", "--library", self.place, f"How many passengers did ship {last} carry in 2024?", "--json")
        )
        assert str(1000 + 7 * last) not in gone["text"]

    def wednesday(self) -> None:
        """Ask many questions at once, killed in the middle, and again: the bytes of a batch that nothing happened to."""
        numbers = sorted(self.passengers)
        rows = [
            {"id": at, "question": f"How many passengers did ship {numbers[at % len(numbers)]} carry in 2024?"}
            for at in range(self.questions)
        ]
        source, out = self.folder / "rows.jsonl", self.folder / "answers"
        source.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        batch = ("batch", "ask", "--in", source, "--library", self.place, "--shard", 2, "--quiet", "--out")
        done = out / "run.jsonl"
        killed(lambda: done.is_file() and done.read_bytes().count(b"\n") > 2, *batch, out)
        run(*batch, out)
        run(*batch, self.folder / "answers2")
        results = (out / "results.jsonl").read_bytes()
        assert results == (self.folder / "answers2" / "results.jsonl").read_bytes()
        answers = [json.loads(line) for line in results.splitlines()]
        right = sum(str(self.passengers[numbers[row["id"] % len(numbers)]]) in row["result"]["text"] for row in answers)
        assert right == len(rows), f"{right} of {len(rows)} right"

    def thursday(self) -> None:
        """Back up while somebody adds; the backup is a state that the library had."""
        before = self.known()
        last = max(self.passengers) + 1
        for number in range(last, last + 12):
            self.passengers[number] = 9000 + number
            self.write(number)
        add = command("library", "add", self.files, "--library", self.place, "--quiet")
        with subprocess.Popen(add, stdout=subprocess.DEVNULL) as adding:
            run("library", "backup", self.folder / "backup1", "--library", self.place)
            assert adding.wait() == 0
        saved = self.known(str(self.folder / "backup1"))
        assert set(before) <= set(saved) <= set(self.known())
        run("library", "verify", "--library", self.folder / "backup1")
        self.whole()

    def friday(self) -> None:
        """Lose the library, and bring it back from a backup."""
        run("library", "backup", self.folder / "backup2", "--library", self.place)
        if "://" in self.place:
            self.place = str(self.folder / "again.lib")
        else:
            shutil.rmtree(self.place)
        run("library", "restore", self.folder / "backup2", "--library", self.place)
        self.whole()
        run("library", "restore", self.folder / "backup2", "--library", self.place, code=2)  # never over what is there

    def saturday(self) -> None:
        """Open tables of the version before."""
        with closing(sqlite3.connect(Path(self.place, "library.db"))) as base, base:
            base.execute("DROP TABLE collection_documents")
            base.execute("DROP TABLE collections")
            base.execute("ALTER TABLE failures DROP COLUMN data")
            base.execute("UPDATE alembic_version SET version_num = '0007'")
        run("library", "migrate", "--library", self.place)
        self.whole()

    def sunday(self) -> None:
        """Take everything out."""
        names = [
            document["id"]
            for document in json.loads(run("library", "list", "--library", self.place, "--json"))["documents"]
        ]
        run("library", "remove", *names, "--library", self.place)
        assert self.known() == []


DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--library", metavar="DIR|URL")
    args = parser.parse_args()
    week = Week(args.folder, args.documents, args.questions, args.library)
    for day in DAYS:
        getattr(week, day)()
        print(f"{day}: {len(week.passengers)} documents, as they should be", flush=True)


if __name__ == "__main__":
    main()
