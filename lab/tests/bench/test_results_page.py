"""docs/results.md: every figure has a command that makes it again, and the page is what those commands give."""

import json
import os
import re
import runpy
import shlex
from pathlib import Path

import click
import pytest

from bench import benchdata
from citewell import cli, registry
from citewell_lab.bench.tasks import task
from citewell_lab.papers.published import published
from citewell_lab.report.values import percent

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "results.md"


def sections(text):
    """The tasks of a page: their columns, our rows by their names, and their commands."""
    tasks = {}
    for part in text.split("\n## ")[1:]:
        if part.startswith("By goals\n"):
            continue  # of no task: lab/benchmarks/goals.py makes it
        table = [line.strip("| ").split(" | ") for line in part.split("\n") if line.startswith("|")]
        ours = {cells[0].strip("*").replace("\\|", "|"): cells[1:] for cells in
                (line.replace("\\|", "\0").strip("| ").split(" | ") for line in part.split("\n")
                 if line.startswith("| **"))}  # fmt: skip
        ours = {name.replace("\0", "|"): cells for name, cells in ours.items()}
        tasks[part.split("\n")[0]] = table[0], ours, re.findall(r"^citewell bench run .*$", part, re.MULTILINE)
    return tasks


@pytest.fixture(scope="module")
def page_script():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "lab" / "benchmarks")  # as for a script that is started there
        return runpy.run_path(str(ROOT / "lab" / "benchmarks" / "results.py"))


@pytest.mark.parametrize("name", list(sections(PAGE.read_text(encoding="utf-8"))))
def test_every_row_of_ours_has_a_command_that_is_one(name):
    columns, ours, commands = sections(PAGE.read_text(encoding="utf-8"))[name]
    assert len(ours) == len(commands) >= 1
    for column in columns:
        task(name).metric(column)
    command = cli.citewell.get_command(click.Context(cli.citewell), "bench").get_command(None, "run")
    for line in commands:
        args = shlex.split(line)[3:]
        with command.make_context("run", args) as context:
            assert (context.params["task"], context.params["data"], context.params["split"]) == (name, "DATA", "dev")
            if context.params["method"]:
                registry.canonical("attributor", context.params["method"])


def test_every_page_says_what_was_measured_last(page_script):
    for path, text in page_script["pages"](page_script["kept"]()).items():
        assert path.read_text(encoding="utf-8") == text, f"{path}: run lab/benchmarks/results.py"


def test_every_row_of_the_papers_stands_on_the_page():
    sections_of_page = dict(part.split("\n", 1) for part in PAGE.read_text(encoding="utf-8").split("\n## ")[1:])
    for table in published():
        part = sections_of_page.get(table["task"] or "")
        for row in table["rows"] if part else ():
            figures = [percent(value) for value in row["values"][: len(table["columns"])] if value is not None]
            assert not figures or f"| {row['name']} |" in part


def test_goals_and_tasks_say_the_same_of_the_same_items(page_script):
    goals = page_script["goals"].measured("lexical")["figures"]
    rows = {(row.task, row.split): row for row in page_script["kept"]() if not row.options}
    same = 0
    for line in page_script["goals"].LINES:
        row, figure = rows.get((line.of, "dev")), goals.get(line.key)
        split = page_script["goals"].SPLITS.get(line.of, "dev")
        if row and figure and split == "dev" and row.n == figure["n"]:
            same += 1
            assert percent(row.metrics[line.metric]) == percent(figure["value"]), line.key
    assert same >= 4


def test_the_page_shows_what_its_commands_print(tmp_path, page_script, capsys):
    benchdata.veri_gran(tmp_path, 3)
    benchdata.wice(tmp_path)
    for name, arguments in (
        ("verifiability-granular", {}),
        ("verifiability-granular", {"method": "verbatim"}),
        ("wice", {}),
    ):
        result = page_script["run"](name, tmp_path, "dev", **arguments)
        text = page_script["section"](name, [page_script["measured"](result, arguments)])
        ((columns, ours, (command,)),) = sections(f"\n{text}").values()
        assert cli.main([*shlex.split(command.replace("DATA", str(tmp_path)))[1:], "--json"]) == 0
        metrics = json.loads(capsys.readouterr().out)["metrics"]
        assert list(ours.values()) == [[percent(metrics.get(column)) for column in columns]]


@pytest.mark.data
def test_a_command_of_the_page_makes_its_row_again(capsys):
    columns, ours, commands = sections(PAGE.read_text(encoding="utf-8"))["verifiability-granular"]
    assert cli.main([*shlex.split(commands[0].replace("DATA", os.environ["CITEWELL_DATA"]))[1:], "--json"]) == 0
    metrics = json.loads(capsys.readouterr().out)["metrics"]
    assert next(iter(ours.values())) == [percent(metrics.get(column)) for column in columns]
