"""The scripts of published tables: every command in them is one of ours, with options that it has."""

import re
import shlex
import subprocess
from pathlib import Path

import click
import pytest

from citewell import cli
from citewell.bench.tasks import names as tasks

FOLDER = Path(__file__).parent.parent / "runs"
SCRIPTS = sorted(FOLDER.glob("*.sh"))


def commands(path):
    values = {"task": "wice", "approach": "citation", "method": "lexical", "checker": "lexical", "name": "x",
              "MODEL": "m", "LLM": "scripted", "DATA": "data", "OUT": "out", "SPLIT": "test", "CHECKER": "nli"}  # fmt: skip
    for line in path.read_text(encoding="utf-8").splitlines():
        found = line.strip()
        if found.startswith("citewell "):
            found = re.sub(r"\$\(.*?\)", "x", re.sub(r"\$\{\w+:-(.*?)\}", r"\1", found))
            yield shlex.split(re.sub(r"\$(\w+)", lambda match: values[match[1]], found))[1:]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_says_its_table_and_its_commands_are_ours(path):
    assert subprocess.run(["sh", "-n", str(path)], check=False).returncode == 0
    assert path.read_text(encoding="utf-8").splitlines()[1].startswith("# ")
    found = list(commands(path))
    assert found
    for args in found:
        command, context = cli.citewell, click.Context(cli.citewell)
        while isinstance(command, click.Group):
            name = args.pop(0)
            command = command.get_command(context, name)
            assert command is not None, f"{path.name}: no command {name}"
        known = {option for one in command.params if isinstance(one, click.Option) for option in one.opts}
        assert {arg for arg in args if arg.startswith("--")} <= known, path.name
        with command.make_context(command.name, args):
            pass


def test_the_scripts_name_tasks_that_exist():
    for path in SCRIPTS:
        for names in re.findall(r"for task in ([a-z\- ]+);", path.read_text(encoding="utf-8")):
            assert set(names.split()) <= set(tasks()), path.name


def test_the_readme_of_the_scripts_lists_all_of_them():
    listed = re.findall(r"^\| `([\w.-]+)` \|", (FOLDER / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == [path.name for path in SCRIPTS]
