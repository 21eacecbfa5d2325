"""Try a sample of small changes of the code that decides, and name those that no quick test notices.

python tests/mutants.py [--count 40] [--seed 1] [--since REV] [--files 8] [--record]

Files are drawn by the seed from what `[tool.mutmut]` of pyproject.toml names, those first that changed since REV, or
since the last record where no REV is named. The changes and the choice of tests for each are mutmut's. A change that
may live stands in survivors.json beside this, as it is printed here, with the reason; it counts as noticed. Exits 1
where so few are noticed that the least share is out of the question (a small sample misses it by chance every second
time), 2 where mutmut cannot run. `--record` writes the counts, without such changes, into the store of figures.
"""

from __future__ import annotations

import argparse
import fnmatch
import importlib
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FIGURE = ROOT / "lab" / "figures" / "mutants.json"
EXPLAINED = Path(__file__).with_name("survivors.json")
LEAST = 0.85
SURE = 0.01  # of refusing a tree whose tests notice the least share
SURVIVED, UNREACHED = (0, 33)  # mutmut's exit codes of a mutant that all tests pass, and of one that no test reaches
LATE = (-24, 24, 36, 152, 255)  # and of one whose tests did not end in time: it may never end, or the machine is busy


def main() -> int:
    """Draw, try and report; 1 where too many live."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=40, help="mutants to try")
    parser.add_argument("--files", type=int, default=8, help="files to draw them from")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--since", help="draw from files that changed since this revision first")
    parser.add_argument("--record", action="store_true", help="write the counts into lab/figures")
    args = parser.parse_args()
    draw = random.Random(args.seed)
    files = draw_files(draw, args.files, args.since or last_record())
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        copy(tree, files)
        run(tree, ["citewell.none"])  # makes the mutants, and notes which tests reach which function
        names = sorted(exit_codes(tree))
        chosen = draw.sample(names, min(args.count, len(names)))
        run(tree, chosen)
        codes = exit_codes(tree)
        living = {name: change(tree, name) for name in chosen if codes[name] in (SURVIVED, UNREACHED)}
    reasons = json.loads(EXPLAINED.read_text("utf-8"))
    for name, text in living.items():
        print(f"{'no test reaches' if codes[name] == UNREACHED else 'no test notices'} {text}")
        print(f"    which may live: {reasons[text]}" if text in reasons else f"    mutmut's name: {name}")
    late = sum(codes[name] in LATE for name in chosen)
    open_changes = [text for text in living.values() if text not in reasons]
    share = 1 - len(open_changes) / len(chosen)
    print(f"{len(chosen) - len(living)} of {len(chosen)} mutants noticed, {late} of them by running out of time")
    print(f"{len(living) - len(open_changes)} may live")
    print(f"together {share:.0%}, at least {LEAST:.0%} are wanted; seed {args.seed}: {', '.join(files)}")
    if args.record:
        sys.path.insert(0, str(ROOT / "lab" / "benchmarks"))
        command = f"python tests/mutants.py --count {args.count} --seed {args.seed} --record"
        noticed = {"noticed": (len(chosen) - len(living), len(chosen))}
        importlib.import_module("figures").record("mutants", noticed, ROOT / "src" / "citewell", "first sight", command)
    return int(chance(len(chosen) - len(open_changes), len(chosen)) < SURE)


def chance(noticed: int, tried: int) -> float:
    """How likely at most so many are noticed of those that are tried, where the least share of all would be."""
    return sum(math.comb(tried, n) * LEAST**n * (1 - LEAST) ** (tried - n) for n in range(noticed + 1))


def last_record() -> str | None:
    """The commit at which the figure was recorded, None where this clone has no such commit."""
    commit: str = json.loads(FIGURE.read_text("utf-8"))["noticed"]["commit"]
    return commit if commit in git("rev-list", "HEAD", "--abbrev-commit", f"--abbrev={len(commit)}").split() else None


def draw_files(draw: random.Random, count: int, since: str | None) -> list[str]:
    """Tracked modules of the gate with something to change: changed ones first, the rest by their lines of code."""
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["mutmut"]["only_mutate"]
    tracked = git("ls-files", "src").splitlines()
    gate = [name for name in tracked if name.endswith(".py") and any(fnmatch.fnmatch(name, p) for p in patterns)]
    gate = [name for name in gate if Path(name).name != "__init__.py"]
    changed = set(git("diff", "--name-only", since, "--", "src").splitlines()) if since else set()
    first = [name for name in gate if name in changed]
    if len(first) >= count:
        return sorted(draw.sample(first, count))
    rest = [name for name in gate if name not in changed]
    return sorted([*first, *draw.sample(rest, min(count - len(first), len(rest)))])


def copy(tree: Path, files: Sequence[str]) -> None:
    """The tracked files in another folder, with a pyproject.toml that mutates these files alone."""
    for name in git("ls-files").splitlines():
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, tree / name)
    settings = tree / "pyproject.toml"
    text = re.sub(
        r"only_mutate = \[.*?\n\]", f"only_mutate = {json.dumps(files)}", settings.read_text("utf-8"), flags=re.DOTALL
    )
    settings.write_text(text, "utf-8")


def run(tree: Path, names: Sequence[str]) -> None:
    """Let mutmut try these mutants; how each ended stands in its files afterwards."""
    mutmut = Path(sys.executable).with_name("mutmut")
    lab = {**os.environ, "PYTHONPATH": str(tree / "lab" / "src")}  # not the wheel, which may be of another version
    with (tree / "mutmut.log").open("w") as log:
        subprocess.run([str(mutmut), "run", *names], cwd=tree, stdout=log, stderr=log, check=False, env=lab)
    if not any(tree.glob("mutants/mutmut-stats.json")):
        print(f"mutmut failed:\n{(tree / 'mutmut.log').read_text('utf-8', 'replace')[-3000:]}", file=sys.stderr)
        sys.exit(2)


def change(tree: Path, name: str) -> str:
    """A mutant as its module, and the lines that it takes out and puts in."""
    mutmut = Path(sys.executable).with_name("mutmut")
    diff = subprocess.run([str(mutmut), "show", name], cwd=tree, capture_output=True, text=True, check=True).stdout
    lines = [line for line in diff.splitlines() if line[:1] in ("-", "+") and line[:3] not in ("---", "+++")]
    return " ".join([name.rpartition(".")[0], *(f"{line[0]} {line[1:].strip()}" for line in lines)])


def exit_codes(tree: Path) -> Mapping[str, int | None]:
    """Every mutant's name and how its tests ended, None where it was not tried."""
    codes: dict[str, int | None] = {}
    for meta in tree.glob("mutants/src/**/*.meta"):
        codes |= json.loads(meta.read_text("utf-8"))["exit_code_by_key"]
    return codes


def git(*args: str) -> str:
    """What git prints."""
    return subprocess.run(["git", *args], cwd=ROOT, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    sys.exit(main())
