"""Tasks of other packages: listed beside ours; one that is broken, ours too, is named in one warning."""

from __future__ import annotations

import pytest

from citewell import cli
from citewell.errors import PlugInError, PlugInWarning
from citewell.registry.doors import warn_once
from citewell_lab.bench import tasks
from test_plugins import install, site

CODE = """
import dataclasses
from citewell_lab.bench.tasks import task

TASK = dataclasses.replace(task("salad"), name="mine", summary="claims of my own")
word = "no task"
"""

__all__ = ["site"]


@pytest.fixture
def plugged(site):
    warn_once.cache_clear()
    declared = {"mine": "own:TASK", "salad": "own:TASK", "torn": "own:missing", "word": "own:word"}
    install(site, "mine-tasks", {"citewell.tasks": declared}, {"own": CODE})


def test_a_task_of_another_package_is_found_and_a_taken_name_stays_ours(plugged):
    assert tasks.task("mine").summary == "claims of my own"
    assert tasks.task("mine-tasks.salad").summary == "claims of my own"
    assert tasks.task("salad").name == "salad"


def test_broken_tasks_are_named_once_and_the_others_listed(plugged, capsys):
    assert cli.main(["bench", "list"]) == 0
    assert cli.main(["bench", "list"]) == 0
    done = capsys.readouterr()
    assert "claims of my own" in done.out
    assert "natural-questions" in done.out
    assert len(done.err.splitlines()) == 2
    assert "the plug-in 'torn' of the package mine-tasks cannot be loaded" in done.err
    assert "the task 'word' of the package mine-tasks is no Task but a str" in done.err


def test_one_broken_file_of_ours_leaves_the_other_tasks(monkeypatch, capsys):
    warn_once.cache_clear()
    monkeypatch.setattr(tasks, "_modules", lambda: frozenset({"salad", "no-such-file"}))
    with pytest.warns(PlugInWarning, match="the task 'no-such-file' cannot be loaded"):
        assert "salad" in tasks.names()
    with pytest.raises(PlugInError):
        tasks.task("no-such-file")
    assert cli.main(["bench", "run", "no-such-file", "--data", "."]) == 2
    assert "cannot be loaded" in capsys.readouterr().err
