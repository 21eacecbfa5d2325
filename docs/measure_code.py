"""Measure the code: lines and syntax nodes of both distributions, and names that say nothing of their value.

python docs/measure_code.py             prints them, and the share of such names in every folder, the worst first
python docs/measure_code.py --check     exits 1 where the share of the whole is over the limit
python docs/measure_code.py --record    writes the counts into the store of figures, from where pages take them
"""

from __future__ import annotations

import argparse
import ast
import importlib
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VAGUE = frozenset(("told", "said", "shown", "own", "given", "one", "made", "found", "seen", "asked", "held"))
LIMIT = 0.005
FOLDERS = ("src", "lab", "tests", "docs", "examples")
PRODUCT, LAB = ("src/citewell",), ("lab/src/citewell_lab", "lab/benchmarks")


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


def size(folders: tuple[str, ...]) -> tuple[int, int]:
    """Lines and syntax nodes of the modules below some folders."""
    texts = [path.read_text(encoding="utf-8") for folder in folders for path in (ROOT / folder).rglob("*.py")]
    return sum(len(text.splitlines()) for text in texts), sum(1 for text in texts for _ in ast.walk(ast.parse(text)))


def main() -> int:
    """Print or record the counts; 1 where `--check` is given and the share of names is over the limit."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="exit 1 where the share is over the limit")
    parser.add_argument("--record", action="store_true", help="write the counts into the store of figures")
    arguments = parser.parse_args()
    names, vague = count()
    share = vague.total() / names.total()
    sizes = {"product": size(PRODUCT), "lab": size(LAB)}
    if not arguments.check:
        for place, number in vague.most_common():
            if number:
                print(f"{number / names[place]:7.2%}  {number:4} of {names[place]:5}  {place}")
        for name, (lines, nodes) in sizes.items():
            print(f"{name}: {lines:,} lines, {nodes:,} syntax nodes")
    print(f"{share:.2%} of {names.total():,} names are vague; the limit is {LIMIT:.1%}")
    if arguments.record:
        sys.path.insert(0, str(ROOT / "lab" / "benchmarks"))
        values = {"vague": (f"{share:.2%}", names.total())}
        for name, (lines, nodes) in sizes.items():
            values |= {f"{name}.lines": (f"{lines:,}", lines), f"{name}.nodes": (f"{nodes:,}", nodes)}
        command = "python docs/measure_code.py --record"
        importlib.import_module("figures").record("code", values, ROOT / "src" / "citewell", "chosen on", command)
    return int(arguments.check and share > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
