"""`docs/plugins.md`, followed to the letter: its files are written, its commands run, its output compared."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import citewell
from test_plugins import install

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_tutorial_works_as_it_stands(tmp_path):
    files = dict(re.findall(r"^\*\*`([^`]+)`\*\*.*?^```\w+\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
    assert list(files) == ["pyproject.toml", "citewell_shared_words.py", "test_shared_words.py"]
    folder, site = tmp_path / "mine", tmp_path / "site"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    project = tomllib.loads(files["pyproject.toml"])["project"]
    install(site, project["name"], project["entry-points"])  # what its first command does, without a network
    (commands,) = re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    pip, *lines = commands.splitlines()
    assert pip.startswith("python -m pip install --editable .")
    path = os.pathsep.join(map(str, (folder, site, Path(citewell.__file__).parents[1])))
    shown = ""
    for line in lines:
        script = re.sub(r"^citewell ", "python -m citewell ", line).replace("python", sys.executable, 1)
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": path},
        )
        assert done.returncode == 0, f"{line}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        shown += done.stdout
    for wanted in re.findall(r"^```text\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        assert wanted in shown
