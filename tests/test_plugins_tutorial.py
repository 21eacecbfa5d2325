"""`docs/plugins.md`, followed to the letter: its files are written, its commands run, its output compared."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import citewell
import citewell_lab
from test_plugins import install

pytestmark = pytest.mark.rare

ROOT = Path(__file__).parent.parent
PACKAGES = (citewell, citewell_lab)
PAGE = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")


SECTIONS = re.split(r"^#{1,2} (?=.*in ten minutes|What else)", PAGE, flags=re.MULTILINE)[1:4]
FILES = {
    "Your own back end": ["pyproject.toml", "citewell_shared_words.py", "test_shared_words.py"],
    "A benchmark task": ["pyproject.toml", "citewell_forecasts.py", "data/forecasts/dev.jsonl", "test_forecasts.py"],
    "A reader": ["pyproject.toml", "citewell_subtitles.py", "interview.srt", "test_subtitles.py"],
}


@pytest.mark.slow
@pytest.mark.parametrize("section", SECTIONS, ids=list(FILES))
def test_a_tutorial_works_as_it_stands(tmp_path, section):
    named = r"^\*\*`([^`]+)`\*\*.*?^```\w+\n(.*?)^```\n"
    files = dict(re.findall(named, section, re.MULTILINE | re.DOTALL))
    assert list(files) == FILES[section.partition(" in ten minutes")[0]]
    folder, site = tmp_path / "mine", tmp_path / "site"
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    project = tomllib.loads(files["pyproject.toml"])["project"]
    install(site, project["name"], project["entry-points"])  # what its first command does, without a network
    rest = re.sub(named, "", section, flags=re.MULTILINE | re.DOTALL)
    (commands,) = re.findall(r"^```sh\n(.*?)^```", rest, re.MULTILINE | re.DOTALL)
    pip, *lines = commands.splitlines()
    assert pip.startswith("python -m pip install --editable .")
    path = os.pathsep.join(map(str, (folder, site, *(Path(package.__file__).parents[1] for package in PACKAGES))))
    printed = ""
    for line in lines:
        script = re.sub(r"^citewell ", "python -m citewell ", line).replace("python", shlex.quote(sys.executable), 1)
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": path},
        )
        assert done.returncode == 0, f"{line}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        printed += done.stdout
    expected = re.findall(r"^```text\n(.*?)^```", rest, re.MULTILINE | re.DOTALL)
    assert expected
    for block in expected:
        assert block.strip("\n") in printed, printed
