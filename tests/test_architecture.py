"""The rules that keep the code readable: one direction of imports, small modules, a light import, an exact surface."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import citewell

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "citewell"
MODULES = sorted(SOURCE.rglob("*.py"))
LAB = ROOT / "lab" / "src" / "citewell_lab"
LAB_MODULES = sorted(LAB.rglob("*.py"))

# A module may import from its own layer's folder and from layers further up this list.
LAYERS = [
    ("errors",),
    ("types",),
    ("text",),
    ("registry",),
    ("facts",),
    ("document",),
    ("protocols",),
    (
        "readers",
        "retrievers",
        "generators",
        "attributors",
        "checkers",
        "decomposers",
        "abstain",
        "export",
        "models",
        "llm",
    ),
    ("pipeline",),
    ("audit", "testing"),
    ("library",),
    ("serve",),
    ("adapters", "cli"),
    ("__main__",),
]
# The laboratory above all: it imports the product, and its own rooms one way.
LAB_LAYERS = [("report",), ("bench",), ("papers", "train", "datasets", "annotation"), ("cli",)]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
# Arrows that still run up; the list only gets shorter.
STILL_TO_TURN: set[tuple[str, str]] = set()
# Loading and batching of models, prompts and requests of language models: used by the stages that run them.
SHARED_BY_STAGES = {"models", "llm"}
# Where the public names are at home, for the rooms that take them from the package itself.
HOMES = {name: home.partition(".")[0] for home, names in citewell._HOMES.items() for name in names.split()}


def room(path):
    return path.relative_to(SOURCE).with_suffix("").parts[0]


def imports(path):
    """The rooms that a module imports from, anywhere in it; a public name counts for the room that it is at home in."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import | ast.ImportFrom):
            package = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            for alias in node.names:
                parts = f"{package}{alias.name}".split(".")
                if parts[0] == "citewell" and len(parts) > 1:
                    yield parts[1] if parts[1] in RANK else HOMES.get(parts[1], parts[1])


def test_every_room_has_a_layer():
    assert {room(path) for path in MODULES} - {"__init__"} <= set(RANK)


def test_imports_go_one_way():
    upwards = {
        f"{path.relative_to(SOURCE)} imports {other}"
        for path in MODULES
        if (mine := room(path)) != "__init__"  # the public surface, lazy
        for other in imports(path)
        if other not in {mine, "__version__"}
        if not (RANK[other] < RANK[mine] or (other in SHARED_BY_STAGES and RANK[other] == RANK[mine]))
        if (mine, other) not in STILL_TO_TURN
    }
    assert upwards == set()


def test_the_product_never_imports_the_laboratory():
    assert [str(path.relative_to(SOURCE)) for path in MODULES if "citewell_lab" in path.read_text("utf-8")] == []


def test_the_laboratory_imports_one_way():
    rank = {name: rank for rank, names in enumerate(LAB_LAYERS) for name in names}
    rooms = {path: path.relative_to(LAB).with_suffix("").parts[0] for path in LAB_MODULES}
    assert set(rooms.values()) - {"__init__"} <= set(rank)
    upwards = {
        f"{path.relative_to(LAB)} imports {other}"
        for path, room in rooms.items()
        for other in re.findall(r"^ *(?:from|import) citewell_lab\.(\w+)", path.read_text("utf-8"), re.MULTILINE)
        if other != room and rank[other] >= rank[room]
    }
    assert upwards == set()


def test_modules_are_small_and_say_their_purpose():
    texts = {path.relative_to(ROOT): path.read_text(encoding="utf-8") for path in [*MODULES, *LAB_MODULES]}
    assert [str(path) for path, text in texts.items() if text.count("\n") > 400] == []
    assert [str(path) for path, text in texts.items() if not re.match(r'r?"""\S', text)] == []


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


HEAVY = {
    "torch",
    "transformers",
    "pandas",
    "pypdfium2",
    "httpx",
    "requests",
    "fastapi",
    "starlette",
    "lxml",
    "numpy",
    "click",
}


def test_importing_the_package_pulls_in_nothing_heavy():
    assert HEAVY.isdisjoint(run("import sys, citewell; print(*sys.modules)"))


@pytest.mark.long
def test_help_needs_neither_numpy_nor_a_reader():
    code = (
        "import sys; from citewell.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass\nprint(*sys.modules)"
    )
    assert (HEAVY - {"click"}).isdisjoint(run(code))


@pytest.mark.long
def test_the_surface_is_exact():
    homes = {name for names in citewell._HOMES.values() for name in names.split()}
    assert sorted(citewell.__all__) == sorted(homes | {"__version__"})
    assert sorted(citewell.__all__) == citewell.__all__
    for name in citewell.__all__:
        assert getattr(citewell, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = citewell.nothing


@pytest.mark.slow  # reads all imports in a process of its own
def test_the_drawing_is_current():
    command = [sys.executable, str(ROOT / "docs" / "draw_structure.py"), "--check"]
    assert subprocess.run(command, check=False).returncode == 0, "run python docs/draw_structure.py"


def test_the_extra_all_holds_every_extra():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    (adapters,) = extras["adapters"]  # other frameworks, each with a tree of its own, are asked for by name
    apart = {"all", "adapters", *re.findall(r"[\w-]+", adapters.removeprefix("citewell"))} - {"pandas"}
    assert extras["all"] == [f"citewell[{','.join(name for name in extras if name not in apart)}]"]


def test_the_changelog_has_the_version():
    assert f"## [{citewell.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
