"""The plan in docs/architecture.md against an independent reading of the imports, and no circle of files anywhere."""

from __future__ import annotations

import ast
import graphlib
import re
import runpy
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
grimp = pytest.importorskip("grimp")

ROOT = Path(__file__).parent.parent
SOURCES = {"citewell": ROOT / "src", "citewell_lab": ROOT / "lab" / "src"}
# The tables of targets that are imported when they are asked for: back ends, commands, the public surface, and what
# results call further up. No other module of ours holds such a string.
TABLES = {"registry/families.py", "registry/__init__.py", "cli/__init__.py", "__init__.py", "types/showing.py"}


@pytest.fixture(scope="module")
def graphs():
    sys.path[:0] = map(str, SOURCES.values())
    try:
        return {name: grimp.build_graph(name, cache_dir=None) for name in SOURCES}
    finally:
        del sys.path[: len(SOURCES)]


@pytest.mark.parametrize("package", SOURCES)
def test_no_files_import_each_other_in_a_circle(graphs, package):
    graph = graphs[package]
    files = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    graphlib.TopologicalSorter(files).prepare()  # names the circle where there is one


def imported(tree):
    """What a module imports, read from its syntax, of which the drawing knows nothing: it asks grimp."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_the_drawing_and_the_syntax_agree_on_rooms_floors_and_arrows():
    source = SOURCES["citewell"] / "citewell"
    files = {path: path.relative_to(source).with_suffix("").parts[0] for path in source.rglob("*.py")}
    rooms = set(files.values()) - {"__main__", "__init__"}
    below = {room: set() for room in rooms}
    for path, room in files.items():
        for name in imported(ast.parse(path.read_text(encoding="utf-8"))):
            package, _, rest = name.partition(".")
            other = rest.partition(".")[0]
            if package == "citewell" and other in rooms and room in rooms and other != room:
                below[room].add(other)
    floors = dict.fromkeys(rooms, 1)
    for room in graphlib.TopologicalSorter(below).static_order():
        floors[room] = 1 + max((floors[other] for other in below[room]), default=0)
    drawn = runpy.run_path(str(ROOT / "docs" / "draw_structure.py"))["draw"](ROOT / "src")
    assert {name: number for number, names in enumerate(drawn.floors, 1) for name in names} == floors
    assert set(drawn.arrows) == {(room, other) for room in rooms for other in below[room]}
    assert drawn.summary() in (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_no_import_hides_in_a_string():
    home = re.compile(r"""import_module\(f?["'](?:citewell|\{__package__|\{__name__)""")
    hidden = re.compile(r"""["'](?:citewell\.)?[a-z_]+(?:\.[a-z_]+)+:[A-Za-z_]+["']""")
    source = SOURCES["citewell"] / "citewell"
    holders = {
        str(path.relative_to(source))
        for path in source.rglob("*.py")
        if hidden.search(text := path.read_text(encoding="utf-8")) or home.search(text)
    }
    # The contracts of a family by its name, and where alembic finds the migrations.
    assert holders - TABLES <= {"testing/contracts/__init__.py", "library/store/database.py"}


def test_every_entry_of_the_table_of_later_calls_exists():
    from citewell.types import showing

    assert all(callable(showing.later(name)) for name in showing.LATER)
    code = "".join(
        (SOURCES["citewell"] / "citewell" / name).read_text("utf-8") for name in ("types/showing.py", "document.py")
    )
    assert set(re.findall(r'later\("(\w+)"\)', code)) == set(showing.LATER)


def test_the_walks_go_down_through_modules_that_exist():
    from test_architecture import LAB_LAYERS

    floors = runpy.run_path(str(ROOT / "docs" / "draw_structure.py"))["draw"](ROOT / "src").floors
    height = {name: number for number, names in enumerate(floors) for name in names}
    height |= {f"lab {name}": len(floors) + number for number, names in enumerate(LAB_LAYERS) for name in names}
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    walks = [
        re.findall(r"`([\w/]+)`", line.rpartition("|")[0].rpartition("|")[2])
        for line in page.splitlines()
        if " → " in line
    ]
    assert len(walks) == 3
    for walk in walks:
        heights = []
        for module in walk:
            holders = [name for name, source in SOURCES.items() if list((source / name).glob(f"{module}*"))]
            assert holders, module
            prefix = "lab " if holders == ["citewell_lab"] else ""
            heights.append(height[prefix + module.partition("/")[0]])
        assert heights == sorted(heights, reverse=True), walk
