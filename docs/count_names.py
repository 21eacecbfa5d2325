"""Count names that say nothing of their value, such as `told` or `given`, among all names that the code binds.

python docs/count_names.py            prints the share of every room, the worst first
python docs/count_names.py --check    exits 1 where the share of the whole is over the limit
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VAGUE = frozenset(("told", "said", "shown", "own", "given", "one", "made", "found", "seen", "asked", "held"))
LIMIT = 0.005
FOLDERS = ("src", "lab", "tests", "docs", "examples")


def bound(tree: ast.AST) -> Iterator[str]:
    """The names that a module binds: variables, attributes, parameters, functions, classes and aliases."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.alias(asname=str(name)) | ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield name


def is_vague(name: str) -> bool:
    """Whether a name is one of those words, private or public."""
    return name.strip("_").lower() in VAGUE


def count() -> tuple[Counter[str], Counter[str]]:
    """How many names each folder of modules binds, and how many of them are vague."""
    names, vague = Counter[str](), Counter[str]()
    for file in sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")):
        place = str(file.parent.relative_to(ROOT))
        for name in bound(ast.parse(file.read_text(encoding="utf-8"))):
            names[place] += 1
            vague[place] += is_vague(name)
    return names, vague


def main() -> int:
    """Print the shares; 1 where `--check` is given and the whole is over the limit."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="exit 1 where the share is over the limit")
    check = parser.parse_args().check
    names, vague = count()
    share = vague.total() / names.total()
    if not check:
        for place, number in vague.most_common():
            if number:
                print(f"{number / names[place]:7.2%}  {number:4} of {names[place]:5}  {place}")
    print(f"{share:.2%} of {names.total():,} names are vague; the limit is {LIMIT:.1%}")
    return int(check and share > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
