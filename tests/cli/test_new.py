"""`citewell new backend`: a package that is found by its name and passes its contract as it stands."""

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import citewell
from citewell import cli
from citewell.cli.new import KINDS
from citewell.testing import contracts
from test_plugins import install

pytestmark = pytest.mark.rare


def test_every_family_with_a_contract_can_be_begun():
    assert set(KINDS) == set(contracts.FAMILIES)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_package_passes_its_tests_as_it_stands(kind, tmp_path):
    place = tmp_path / "package"
    assert cli.main(["new", "backend", "first-try", "--kind", kind, "--out", str(place), "-q"]) == 0
    project = tomllib.loads((place / "pyproject.toml").read_text())["project"]
    assert project["name"] == "citewell-first-try"
    install(tmp_path / "site", project["name"], project["entry-points"])  # what pip would leave, without a network
    path = os.pathsep.join(map(str, (tmp_path / "site", Path(citewell.__file__).parents[1])))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
    done = subprocess.run(
        command, cwd=place, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path}
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert f"{len(contracts.scenarios(kind)) + 1} passed" in done.stdout


@pytest.mark.parametrize("kind", KINDS)
def test_the_files_are_whole(kind, tmp_path, capsys):
    place = tmp_path / "package"
    assert cli.main(["new", "backend", "my-2nd", "--kind", kind, "--out", str(place)]) == 0
    output = capsys.readouterr()
    assert output.out.splitlines() == [str(place / name) for name in (
        "pyproject.toml", "README.md", "src/citewell_my_2nd/__init__.py", "src/citewell_my_2nd/py.typed",
        "tests/test_contract.py")]  # fmt: skip
    assert f"next: cd {place} &&" in output.err
    for path in place.rglob("*.*"):
        if path.is_file():
            assert "$" not in path.read_text()
    tree = ast.parse((place / "src/citewell_my_2nd/__init__.py").read_text())
    assert [node.name for node in tree.body if isinstance(node, ast.ClassDef)] == ["My2nd"]


@pytest.mark.parametrize(("name", "kind", "called"), [
    ("citation", "attributor", "CitationAttributor"),  # the module imports a Citation
    ("value-error", "attributor", "ValueErrorAttributor"),
    ("value-error", "decomposer", "ValueErrorDecomposer"),
    ("none", "llm", "NoneLlm"),
    ("citation", "llm", "Citation"),
])  # fmt: skip
def test_a_class_takes_no_name_that_its_module_needs(name, kind, called, tmp_path):
    assert cli.main(["new", "backend", name, "--kind", kind, "--out", str(tmp_path / "x"), "-q"]) == 0
    module = name.replace("-", "_")
    tree = ast.parse((tmp_path / f"x/src/citewell_{module}/__init__.py").read_text())
    assert [node.name for node in tree.body if isinstance(node, ast.ClassDef)] == [called]


@pytest.mark.parametrize(("name", "kind", "message"), [
    ("My", "llm", "'My' is no name"),
    ("a--b", "llm", "is no name"),
    ("../x", "llm", "is no name"),
    ("bm25", "retriever", "there is a retriever 'bm25' already"),
    ("mine", "llm", "is there already: choose another folder"),
])  # fmt: skip
def test_what_cannot_be_begun_is_said_before_anything_is_written(name, kind, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "citewell-mine").mkdir()
    (tmp_path / "citewell-mine" / "notes.txt").write_text("x")
    assert cli.main(["new", "backend", name, "--kind", kind]) == 2
    assert message in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["citewell-mine"]
