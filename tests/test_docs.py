"""What the README shows works: its Python runs, its commands exist, its links lead somewhere."""

import re
import shlex
from pathlib import Path

import click
import pytest

from citewell import cli

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(text, *languages):
    matches = re.findall(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [block for language, block in matches if language in languages]


def test_the_python_of_the_readme_runs(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    (code,) = blocks(README, "python")
    values = {}
    exec(compile(code, "README.md", "exec"), values)  # noqa: S102 - our own README
    assert "quoted 2 (Rect(" in capsys.readouterr().out
    assert values["verdicts"][0].label == "supported"


@pytest.mark.parametrize("page", ["start.md", "guides/engineer.md"])
def test_the_python_of_the_guides_runs_and_quotes_evidence(page, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    (code,) = blocks((ROOT / "docs" / page).read_text(encoding="utf-8"), "python")
    exec(compile(code, page, "exec"), {})  # noqa: S102 - our own pages
    assert "1.75 million passengers" in capsys.readouterr().out


def test_make_ask_prints_what_the_readme_shows(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    question = re.search(r"QUESTION \?= (.*)", (ROOT / "Makefile").read_text())[1]
    assert cli.main(["ask", "examples/annual-report.pdf", question]) == 0
    assert capsys.readouterr().out.strip() == blocks(README, "text")[0].strip()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_of_the_docs_exist(page):
    root = click.Context(cli.citewell)
    for block in blocks(page.read_text(encoding="utf-8"), "sh", ""):
        for match in re.findall(r"^(?:.*\| )?citewell ([^|<>#\n]*)", block.replace("\\\n", " "), re.MULTILINE):
            line = re.split(r" {3,}", match)[0]  # what follows is an explanation
            words = shlex.split(line + ('"' if line.count('"') % 2 else ""))  # a quotation may hold our separators
            command = cli.citewell.get_command(root, words[0])
            if command is None and not words[0].islower():
                continue  # `citewell COMMAND --help`
            assert command is not None, line
            while isinstance(command, click.Group):
                if command.invoke_without_command and (not words[1:] or words[1].startswith("-")):
                    break
                words = words[1:]
                command = command.get_command(root, words[0])
                assert command is not None, line
            known = {option for parameter in command.params for option in parameter.opts + parameter.secondary_opts}
            used = {word.split("=")[0] for word in words if re.fullmatch(r"--?[a-z][\w-]*(=.*)?", word)}
            assert used <= known | {"--help", "-h"}, line
            _, unexpected, _ = command.make_parser(click.Context(command)).parse_args(words[1:])
            assert not unexpected, line


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page):
    for target in re.findall(r"\]\(([^)#\s]+)\)", page.read_text(encoding="utf-8")):
        assert "://" in target or (page.parent / target).exists(), target


def test_the_tests_that_hold_what_is_promised_exist():
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    source, named = "", 0
    for path, name in re.findall(r"`(?:tests/)?([\w/]*test_\w+\.py)?(?:::(test_\w+))?`", page):
        if path:
            source = next((ROOT / "tests").rglob(path)).read_text(encoding="utf-8")
        if name:
            assert f"def {name}(" in source, name
            named += 1
    assert named > 60
