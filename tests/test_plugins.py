"""Back ends of other packages: the example plug-in as an installed package, and packages that do something wrong."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import citewell
from citewell import cli, registry
from citewell.errors import MissingExtraError, SpecError

ROOT = Path(__file__).parent.parent
PLUGIN = ROOT / "examples" / "plugin"


def install(site, name, groups, files=()):
    """What an installer leaves behind: the modules, and a `.dist-info` folder with name and entry points."""
    info = site / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    lines = [
        line for group, rows in groups.items() for line in (f"[{group}]", *(f"{k} = {v}" for k, v in rows.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for module, code in dict(files).items():
        (site / f"{module}.py").write_text(code, encoding="utf-8")


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder of installed packages that this process sees."""
    place = tmp_path / "site"
    place.mkdir()
    monkeypatch.syspath_prepend(str(place))
    before = set(sys.modules)
    registry.rows.cache_clear()
    yield place
    registry.rows.cache_clear()
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) and str(place) in str(sys.modules[name].__file__):
            del sys.modules[name]


@pytest.fixture
def example(site, monkeypatch):
    project = tomllib.loads((PLUGIN / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    monkeypatch.syspath_prepend(str(PLUGIN / "src"))
    install(site, project["name"], project["entry-points"])


def test_the_example_is_listed_with_its_summary(example, capsys):
    assert cli.main(["backends", "checker"]) == 0
    listed = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert "questions from the claim" in listed["qa-overlap"]
    assert "lexical" in listed


def test_the_example_judges_a_claim_from_the_command_line(example, tmp_path, capsys):
    report = tmp_path / "report.txt"
    report.write_text("Ann Smith founded the firm in 1990. Revenue rose to 41 million in 2022.", encoding="utf-8")
    claims = ["Ann Smith founded the firm in 1990.", "Whales sing in the Pacific."]
    assert cli.main(["check", str(report), *claims, "--checker", "qa-overlap(threshold=0.6)", "--json"]) == 0
    out = capsys.readouterr().out
    assert '"method": "qa-overlap"' in out
    assert '"supported"' in out
    assert '"not_supported"' in out


@pytest.mark.rare
@pytest.mark.slow
def test_the_example_s_own_tests_pass():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", "tests"]
    path = f"{PLUGIN / 'src'}:{Path(citewell.__file__).parents[1]}"
    done = subprocess.run(
        command, cwd=PLUGIN, capture_output=True, text=True, check=False, env={"PYTHONPATH": path, "PATH": ""}
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "passed" in done.stdout


CODE = """
from dataclasses import dataclass
from citewell.registry import Row

@dataclass(frozen=True)
class Mine:
    \"\"\"Ranks by length. More here.\"\"\"

    size: int = 1

FAR = Row("mine:Mine", "far away", "gpu", ("no_such_package_here",))
"""


def test_a_back_end_may_be_named_without_a_row(site):
    install(site, "my-ranker", {"citewell.retriever": {"mine": "mine:Mine"}}, {"mine": CODE})
    back_end = registry.build("retriever", "mine(size=3)")
    assert back_end.size == 3
    assert registry.row("retriever", "mine").summary == "Ranks by length. More here"


def test_a_package_that_is_missing_is_asked_for_by_the_plug_in_s_name(site):
    install(site, "my-ranker", {"citewell.retriever": {"far": "mine:FAR"}}, {"mine": CODE})
    with pytest.raises(
        MissingExtraError, match=r"needs the package 'no_such_package_here': pip install 'my-ranker\[gpu\]'"
    ):
        registry.build("retriever", "far")


def test_a_taken_name_stays_ours_and_the_other_is_found_under_its_package(site):
    install(site, "my-ranker", {"citewell.retriever": {"bm25": "mine:Mine"}}, {"mine": CODE})
    assert registry.build("retriever", "bm25").name == "bm25"
    assert registry.build("retriever", "my-ranker.bm25(size=2)").size == 2


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("broken:Mine", "raise OSError('no licence')"),
        ("broken:Mine", "x = 1"),
        ("gone:Mine", ""),
        ("broken:FAR", "from citewell.registry import Row\nFAR = Row('elsewhere:X', 'far')"),
    ],
)
def test_a_broken_plug_in_breaks_only_itself(site, capsys, target, code):
    install(site, "my-ranker", {"citewell.retriever": {"mine": target}}, {"broken": code})
    assert registry.build("retriever", "bm25").name == "bm25"
    assert cli.main(["backends", "retriever", "--json"]) == 0
    assert "mine" in json.loads(capsys.readouterr().out)["retriever"]
    with pytest.raises(SpecError, match="retriever 'mine' of my-ranker cannot be loaded"):
        registry.build("retriever", "mine")
