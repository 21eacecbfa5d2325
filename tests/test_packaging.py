"""What an index shows of a release: links that lead somewhere, one version, a changelog in its form."""

import importlib.util
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from citewell.cli import LABORATORY

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.fixture
def hook(monkeypatch):
    """The module that gives a package its readme, as hatchling imports it, which is not here when tests run."""
    stub = ModuleType("hatchling.metadata.plugin.interface")
    stub.MetadataHookInterface = object
    monkeypatch.setitem(sys.modules, stub.__name__, stub)
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_links_of_the_readme_become_absolute_and_others_stay(hook):
    text = "[a](docs/a.md) ![p](docs/p.png) [b](https://x.y/z) [c](#c) [d](docs/d.md#part) [e](mailto:x@y)"
    assert hook.absolute(text, "https://host/repo", "v1") == (
        "[a](https://host/repo/blob/v1/docs/a.md) ![p](https://host/repo/raw/v1/docs/p.png) [b](https://x.y/z) [c](#c) "
        "[d](https://host/repo/blob/v1/docs/d.md#part) [e](mailto:x@y)"
    )


def test_a_package_gets_the_readme_with_no_relative_link(hook):
    result = hook.Readme()
    result.root = ROOT
    metadata = {"version": "9.9", "urls": PROJECT["project"]["urls"]}
    result.update(metadata)
    readme = metadata["readme"]["text"]
    links = re.findall(r"\]\(([^)\s]+)\)", readme)
    assert len(links) > 10
    assert all(link.startswith(("https://", "#")) for link in links)
    assert "/blob/v9.9/docs/" in readme
    assert metadata["readme"]["content-type"] == "text/markdown"


def test_the_changelog_has_the_form_that_it_names():
    versions = re.findall(r"^## \[([^\]]+)\](?: - (\d{4}-\d\d-\d\d))?$", CHANGELOG, re.MULTILINE)
    assert versions[0] == ("Unreleased", "")
    assert versions[1][0] == PROJECT["project"]["version"]
    assert versions[1][1]
    kinds = set(re.findall(r"^### (.+)$", CHANGELOG, re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert {name for name, _ in versions} == set(re.findall(r"^\[([^\]]+)\]: https://", CHANGELOG, re.MULTILINE))


def test_the_version_has_one_home():
    version = re.escape(PROJECT["project"]["version"])
    holders = [
        path for path in (ROOT / "src").rglob("*.py") if re.search(rf'"{version}"', path.read_text(encoding="utf-8"))
    ]
    assert holders == []


def test_the_wheel_holds_no_line_of_the_laboratory_which_enters_by_entry_points():
    lab = tomllib.loads((ROOT / "lab" / "pyproject.toml").read_text(encoding="utf-8"))
    assert PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == ["src/citewell"]
    assert lab["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == ["src/citewell_lab"]
    assert not any("citewell-lab" in line for line in PROJECT["project"]["dependencies"])
    assert set(lab["project"]["entry-points"]["citewell.commands"]) == set(LABORATORY)
    assert lab["project"]["version"] == PROJECT["project"]["version"]


def test_what_a_source_archive_holds_is_there():
    build = PROJECT["tool"]["hatch"]["build"]["targets"]
    assert all((ROOT / name.lstrip("/")).exists() for name in build["sdist"]["include"])
    assert {"/tests", "/docs", "/hatch_build.py"} <= set(build["sdist"]["include"])
    assert all((ROOT / name).is_file() for name in build["wheel"]["shared-data"])
