"""Commands of other packages: listed, run, and named in one warning where they cannot be loaded."""

from __future__ import annotations

import click
import pytest

from citewell import cli
from citewell.registry.doors import doors, warn_once
from test_plugins import install, site

CODE = """
import click

@click.command()
def greet():
    \"\"\"Greet the reader.\"\"\"
    click.echo("hello")

word = "no command"
"""

__all__ = ["site"]


@pytest.fixture
def plugged(site):
    warn_once.cache_clear()
    commands = {
        "greet": "greeting:greet",
        "ask": "greeting:greet",
        "torn": "greeting:missing",
        "away": "no_such_module:x",
        "word": "greeting:word",
    }
    install(site, "greetings", {"citewell.commands": commands}, {"greeting": CODE})


def test_a_command_of_another_package_is_listed_and_runs(plugged, capsys):
    assert cli.main(["greet"]) == 0
    assert capsys.readouterr().out == "hello\n"
    assert cli.main(["--help"]) == 0
    out = capsys.readouterr().out
    assert "Greet the reader." in out
    assert "Answer a question from documents" in out


def test_a_taken_name_stays_whose_it_is(plugged, capsys):
    assert cli.main(["greetings.ask"]) == 0
    assert capsys.readouterr().out == "hello\n"
    assert cli.main(["ask", "--help"]) == 0
    assert "--llm" in capsys.readouterr().out


def test_broken_commands_are_named_once_and_break_nothing(plugged, capsys):
    assert cli.main(["--help"]) == 0
    assert cli.main(["--help"]) == 0
    err = capsys.readouterr().err.splitlines()
    assert len(err) == 3
    for name in ("torn", "away", "word"):
        assert sum(f"the plug-in '{name}' of the package greetings" in line for line in err) == 1


@pytest.mark.parametrize("name", ["torn", "away", "word"])
def test_a_broken_command_that_is_called_says_why(plugged, capsys, name):
    assert cli.main([name]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert f"the plug-in '{name}' of the package greetings" in err


@pytest.mark.parametrize("name", cli.LABORATORY)
def test_without_the_laboratory_its_commands_say_what_to_install(monkeypatch, capsys, name):
    monkeypatch.setattr(cli, "doors", lambda *_: {})
    assert cli.main([name, "list"]) == 2
    err = capsys.readouterr().err
    assert err == f"citewell: {name!r} is a command of the laboratory: pip install citewell-lab\n"
    assert cli.main(["--help"]) == 0
    assert f"\n  {name} " not in capsys.readouterr().out


def test_the_laboratory_s_commands_are_installed_and_known():
    assert set(cli.LABORATORY) <= set(doors(cli.GROUP))


@pytest.mark.slow  # imports every command
def test_the_help_says_of_each_command_what_the_command_says():
    for name, (_, summary) in cli.COMMANDS.items():
        command = cli.citewell.get_command(click.Context(cli.citewell), name)
        words = " ".join((command.help or "").split("\f")[0].split())
        assert words.startswith(summary.rstrip(".")) or name == "export-onnx"
