"""The store of measured figures, and the pages that show them.

A figure is one row of a JSON file in `lab/figures`, written by the command that measured it. A page names a figure
between two comments, `<!-- figure FILE:NAME -->59<!-- end -->` (`NAME/n`: what it was counted over), and `insert` writes its value there, so that a page
cannot say anything else than what was measured last.
"""

from __future__ import annotations

import argparse
import datetime as dt
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

ROOT = Path(__file__).parents[2]
STORE = ROOT / "lab" / "figures"
PAGES = ("README.md", "docs/**/*.md", "lab/README.md", "packages/*/README.md")
Split = Literal["fitted on", "chosen on", "first sight"]
_MARK = re.compile(r"(<!-- figure (?P<id>[\w.:/-]+) -->)(?P<text>[^<]*)(<!-- end -->)")


@dataclass(frozen=True)
class Figure:
    """One measured figure.

    Attributes:
        value: as a page shows it: a whole number, a number with the decimals that mean something, or a text.
        n: what it was counted over.
        data: the set, as a path of the repository or a folder of the data.
        sha256: of the data.
        split: whether weights were fitted on it, choices made on it, or nobody had opened it before.
        command: what measures it again.
        commit: of the code that was measured.
        date: of the day, as YYYY-MM-DD.
    """

    value: float | str
    n: int
    data: str
    sha256: str
    split: Split
    command: str
    commit: str
    date: str


def load(folder: Path = STORE) -> dict[str, Figure]:
    """All figures by their ids, `FILE:NAME`.

    Raises:
        ValueError: a row is no figure.
    """
    figures: dict[str, Figure] = {}
    for path in sorted(folder.glob("*.json")):
        for name, row in json.loads(path.read_text(encoding="utf-8")).items():
            try:
                figures[f"{path.stem}:{name}"] = Figure(**row)
            except TypeError as error:
                raise ValueError(f"{path}: {name} is no figure: {error}") from error
    return figures


def record(topic: str, values: Mapping[str, tuple[float | str, int]], data: Path, split: Split, command: str) -> Path:
    """Write figures of one data set into the file of a topic, in place of those of the same names; the file.

    Args:
        topic: the name of the file.
        values: a value and what it was counted over, by name.
        data: the file or folder that was measured on.
        split: see `Figure`.
        command: what measured them.
    """
    path = STORE / f"{topic}.json"
    rows: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    place = data.relative_to(ROOT).as_posix() if data.is_relative_to(ROOT) else data.name
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    today = dt.datetime.now(dt.UTC).date().isoformat()
    for name, (value, n) in values.items():
        rows[name] = asdict(Figure(value, n, place, _digest(data), split, command, commit, today))
    STORE.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rows, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return path


def _digest(data: Path) -> str:
    hashed = hashlib.sha256()
    for path in sorted(data.rglob("*")) if data.is_dir() else [data]:
        if path.is_file():
            hashed.update(path.read_bytes())
    return hashed.hexdigest()


def insert(text: str, figures: Mapping[str, Figure]) -> str:
    """A page with the values of the store.

    Raises:
        ValueError: it names a figure that the store has not.
    """

    def value(match: re.Match[str]) -> str:
        name, _, count = match["id"].partition("/")
        if name not in figures:
            raise ValueError(f"there is no figure {name}")
        figure = figures[name]
        return f"{match[1]}{figure.n if count == 'n' else figure.value}{match[4]}"

    return _MARK.sub(value, text)


def pages(root: Path = ROOT) -> list[Path]:
    """The pages that may show figures."""
    return sorted({path for pattern in PAGES for path in root.glob(pattern)})


def main() -> int:
    """Write the values into all pages; with --check only say which differ."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 where a page differs")
    arguments = parser.parse_args()
    figures, differing = load(), []
    for path in pages():
        before = path.read_text(encoding="utf-8")
        after = insert(before, figures)
        if after != before:
            differing.append(path)
            if not arguments.check:
                path.write_text(after, encoding="utf-8")
    for path in differing:
        sys.stdout.write(f"{path.relative_to(ROOT)}: {'differs from the store' if arguments.check else 'written'}\n")
    return int(arguments.check and bool(differing))


if __name__ == "__main__":
    sys.exit(main())
