"""Draw how the product hangs together: rooms on floors, and arrows for what imports what; into docs/architecture.md.

python docs/draw_structure.py            writes the drawing and the tree of modules
python docs/draw_structure.py --check    exits 1 where docs/architecture.md is not current
python docs/draw_structure.py --source DIR/src    prints the drawing of another checkout, such as an older one

A room is a module or a folder directly below the package. A room stands one floor above the highest room that it
imports; rooms that import each other in a circle stand on one floor, and each import between them that has to be
turned is an arrow that runs back up. The graph of imports is grimp's; imports for the type checker only count too.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import grimp

ROOT = Path(__file__).resolve().parents[1]
LAB = ROOT / "lab" / "src" / "citewell_lab"
PAGE = ROOT / "docs" / "architecture.md"
PACKAGE = "citewell"
WIDTH = 118
# Beside the flow: the public surface, which imports everything when it is asked for, and the command's entry.
APART = ("__init__", "__main__")


class Drawing(NamedTuple):
    """Rooms on floors, the lowest first, with the arrows between rooms and those among them that run back up.

    `named` are calls that the table `LATER` of types/showing.py names, from `types` to where the function lives.
    """

    floors: tuple[tuple[str, ...], ...]
    arrows: frozenset[tuple[str, str]]
    back: frozenset[tuple[str, str]]
    named: frozenset[tuple[str, str]] = frozenset()

    def summary(self) -> str:
        """The figures in one line."""
        rooms = sum(map(len, self.floors))
        counts = f"{rooms} components, {len(self.floors)} layers, {len(self.arrows)} arrows"
        return f"{counts}, {len(self.back)} of them upward"


def draw(source: Path) -> Drawing:
    """The drawing of the package below a source folder."""
    sys.path.insert(0, str(source))
    try:
        graph = grimp.build_graph(PACKAGE, cache_dir=None)
    finally:
        sys.path.remove(str(source))
    arrows: set[tuple[str, str]] = set()
    rooms: set[str] = set()
    for module in graph.modules:
        mine = room(module)
        if mine is None:
            continue
        rooms.add(mine)
        for imported in graph.find_modules_directly_imported_by(module):
            other = room(imported)
            if other and other != mine:
                arrows.add((mine, other))
    floors, back = stack(rooms, arrows)
    return Drawing(floors, frozenset(arrows), frozenset(back), frozenset(called_by_name(source)))


def called_by_name(source: Path) -> Iterator[tuple[str, str]]:
    """Arrows of the calls that `types` makes through its table, which no import statement shows."""
    showing = source / PACKAGE / "types" / "showing.py"
    if not showing.is_file():
        return
    for statement in ast.parse(showing.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "LATER":
            yield from (("types", target.partition(".")[0]) for target in ast.literal_eval(statement.value).values())


def room(module: str) -> str | None:
    """The room of a module, None for the package itself and what stands beside the flow."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] not in APART else None


def stack(rooms: set[str], arrows: set[tuple[str, str]]) -> tuple[tuple[tuple[str, ...], ...], set[tuple[str, str]]]:
    """Floors by the longest way down; in a circle the arrows of the room that imports least of it run back up."""
    back: set[tuple[str, str]] = set()
    while True:
        below = {name: {b for a, b in arrows - back if a == name} for name in rooms}
        floor: dict[str, int] = {}
        waiting = sorted(rooms)
        while ready := [name for name in waiting if below[name] <= floor.keys()]:
            for name in ready:
                floor[name] = 1 + max((floor[other] for other in below[name]), default=0)
            waiting = [name for name in waiting if name not in floor]
        if not waiting:
            break
        inside = {name: below[name] & set(waiting) for name in waiting}
        lowest = min(waiting, key=lambda name: (len(inside[name]), name))
        back |= {(lowest, other) for other in inside[lowest]}
    levels: dict[int, list[str]] = defaultdict(list)
    for name in sorted(rooms):
        levels[floor[name]].append(name)
    return tuple(tuple(levels[level]) for level in sorted(levels)), back


def mermaid(drawing: Drawing) -> str:
    """The drawing as a Mermaid flow chart. Of the arrows only those are drawn that no longer way stands for."""
    lines = ["flowchart TD"]
    for number in range(len(drawing.floors), 0, -1):
        lines.append(f'    subgraph F{number}["layer {number}"]')
        lines += [f"        {name}" for name in drawing.floors[number - 1]]
        lines.append("    end")
    lines += [f"    {a} --> {b}" for a, b in sorted(reduced(drawing))]
    lines += [f"    {a} -. upward .-> {b}" for a, b in sorted(drawing.back)]
    lines += [f"    {a} -. by name .-> {b}" for a, b in sorted(drawing.named)]
    return "\n".join(lines)


def reduced(drawing: Drawing) -> set[tuple[str, str]]:
    """The arrows that are not a short cut of a longer way."""
    down: dict[str, set[str]] = defaultdict(set)
    for a, b in drawing.arrows - drawing.back:
        down[a].add(b)
    reach: dict[str, set[str]] = {}
    for floor in drawing.floors:
        for name in floor:
            reach[name] = set().union(*(reach[other] | {other} for other in down[name]))
    return {(a, b) for a in down for b in down[a] if not any(b in reach[other] for other in down[a] - {b})}


def tree(package: Path, order: Sequence[str]) -> str:
    """The tree of the package, rooms in the order given: every module with the first sentence of its docstring."""
    lines = [f"{package.name}/"]

    def add(path: Path, depth: int) -> None:
        label = "  " * depth + path.name + ("/" if path.is_dir() else "")
        text = purpose(path / "__init__.py" if path.is_dir() else path)
        line = f"{label:<34}{text}" if text else label
        lines.append(line if len(line) <= WIDTH else line[: WIDTH - 2].rsplit(" ", 1)[0] + " …")
        if path.is_dir():
            for child in sorted(item for item in path.iterdir() if shown(item)):
                add(child, depth + 1)

    for name in order:
        add(package / name if (package / name).is_dir() else package / f"{name}.py", 1)
    return "\n".join(lines)


def shown(path: Path) -> bool:
    """Modules and folders of modules; data files stand beside the module that reads them."""
    if path.is_dir():
        return any(path.glob("*.py"))
    return path.suffix == ".py" and not path.name.startswith("__")


def purpose(path: Path) -> str:
    """The first sentence of a module's docstring."""
    first = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split("\n\n")[0]
    return " ".join(first.split()).rstrip(".")


def fill(page: str, name: str, content: str) -> str:
    """The page with what stands between the marks of a name replaced."""
    begin, end = f"<!-- {name}: docs/draw_structure.py -->\n", f"<!-- end of {name} -->"
    before, _, rest = page.partition(begin)
    _, result, after = rest.partition(end)
    if not result:
        raise SystemExit(f"{PAGE} lacks the marks of {name!r}")
    return f"{before}{begin}{content}\n{end}{after}"


def main() -> int:
    """Write, check or print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--source", type=Path, help="print the drawing of the package below this folder")
    args = parser.parse_args()
    drawing = draw(args.source or ROOT / "src")
    if args.source:
        print(drawing.summary(), mermaid(drawing), sep="\n\n")  # noqa: T201  (its output)
        return 0
    order = [name for floor in drawing.floors for name in floor]
    page = PAGE.read_text(encoding="utf-8")
    new = fill(page, "now", f"{drawing.summary()}.\n\n```mermaid\n{mermaid(drawing)}\n```")
    new = fill(new, "tree", f"```text\n{tree(ROOT / 'src' / PACKAGE, order)}\n```")
    rooms = sorted(path.stem for path in LAB.iterdir() if shown(path))
    new = fill(new, "lab", f"```text\n{tree(LAB, rooms)}\n```")
    if args.check:
        return int(new != page)
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
