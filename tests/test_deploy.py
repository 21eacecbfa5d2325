"""What is deployed names what there is: options of the command, files of the repository, extras of the package."""

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from citewell.cli.serve import serve

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"


def options(line):
    return {word for word in shlex.split(line) if word.startswith("--")}


def test_every_option_is_one_of_the_command():
    known = {name for parameter in serve.params for name in parameter.opts}
    matches = []
    for path in (DEPLOY / "Dockerfile", DEPLOY / "compose.yaml", DEPLOY / "citewell.service"):
        text = path.read_text(encoding="utf-8")
        for start in re.finditer(r"citewell serve|\"citewell\", \"serve\"|CMD \[\"--", text):
            matches += re.findall(
                r"--[a-z-]+", text[start.start() : start.start() + 300].partition("depends_on")[0].partition("\nCMD")[0]
            )
    assert set(matches) <= known
    assert len(matches) >= 8


def test_the_image_is_made_of_files_and_extras_that_there_are():
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    for line in re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE):
        assert all((ROOT / name).exists() for name in line.split()[:-1]), line
    extras = re.search(r'"\.\[([a-z0-9,]+)\]"', text)[1].split(",")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(extras) <= project["optional-dependencies"].keys()
    wheel = {"pyproject.toml", "README.md", "LICENSE"}
    assert wheel <= set(re.search(r"^COPY (pyproject.+)$", text, re.MULTILINE)[1].split())


def test_the_services_of_the_compose_file_fit_together():
    yaml = pytest.importorskip("yaml")
    load = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    for service in load["services"].values():
        assert set(service.get("secrets", ())) <= load["secrets"].keys()
        assert {mount.partition(":")[0] for mount in service["volumes"]} <= load["volumes"].keys()
        assert set(service.get("depends_on", ())) <= load["services"].keys()
    ours = load["services"]["citewell"]
    assert (DEPLOY / ours["build"]["context"] / ours["build"]["dockerfile"]).is_file()
    assert all(port.startswith("127.0.0.1:") for port in ours["ports"])  # without TLS for this machine alone
    ignored = (DEPLOY / ".gitignore").read_text(encoding="utf-8").split()
    assert {secret["file"] for secret in load["secrets"].values()} == set(ignored)
