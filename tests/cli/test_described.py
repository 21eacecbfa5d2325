"""The command line as it is described elsewhere: the page, the man page, what shells complete, `python -m`."""

import subprocess
import sys
from pathlib import Path

import pytest

from citewell import cli

ROOT = Path(__file__).parents[2]


@pytest.mark.slow  # imports every command
def test_the_page_and_the_man_page_are_current():
    command = [sys.executable, str(ROOT / "docs" / "write_commands.py"), "--check"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_command_stands_in_both():
    page, man = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("cli.md", "citewell.1"))
    for name in cli.COMMANDS:
        assert f"## citewell {name}" in page
        assert f"citewell {name}".replace("-", "\\-") in man
    assert not [line for line in man.splitlines() if line.startswith("'")]  # roff would take it for a request


@pytest.mark.parametrize(("shell", "part"), [
    ("bash", "complete -o nosort -F _citewell_completion citewell"), ("zsh", "#compdef citewell"),
    ("fish", "complete --no-files --command citewell"),
])  # fmt: skip
def test_a_shell_gets_what_it_needs_to_complete(shell, part, capsys):
    assert cli.main(["completion", shell]) == 0
    out = capsys.readouterr().out
    assert part in out
    assert "_CITEWELL_COMPLETE=" in out


def test_commands_and_options_are_completed(monkeypatch, capsys):
    monkeypatch.setenv("_CITEWELL_COMPLETE", "bash_complete")
    for words, at, wanted in (
        ("citewell a", "1", {"ask", "attribute", "audit"}),
        ("citewell ask --sa", "2", {"--save"}),
    ):
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", at)
        assert cli.main([]) == 0
        assert {line.partition(",")[2] for line in capsys.readouterr().out.split()} == wanted


def test_the_package_runs_as_a_module():
    done = subprocess.run([sys.executable, "-m", "citewell", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("citewell ")
