"""Write what the command line says of itself into docs/cli.md and the man page docs/citewell.1.

python docs/write_commands.py            writes both
python docs/write_commands.py --check    exits 1 where one of them is not current
"""

from __future__ import annotations

import argparse
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from citewell.cli import citewell

DOCS = Path(__file__).resolve().parent
OPENING = """# The command line

Written by `python docs/write_commands.py` from what `citewell COMMAND --help` says. `python -m citewell`
is the same as `citewell`; `man citewell` shows this page, and [`citewell completion`](#citewell-completion) prints what
shells need to complete it.
"""
EXITS = (
    ("0", "done, an abstention included"),
    ("1", "a fault inside, or an answer that does not verify"),
    ("2", "usage or bad input, with one line on standard error"),
    ("3", "--require is not met"),
    ("130", "interrupted"),
    ("141", "the reader of our output went away"),
)
VARIABLES = (
    ("CITEWELL_DATA", "the folder of the data sets, for --data"),
    ("CITEWELL_DEBUG", "1 prints the traceback of an error"),
    ("NO_COLOR", "anything turns colours off (https://no-color.org)"),
    ("XDG_CACHE_HOME", "where documents that were read are kept"),
)


class Described(NamedTuple):
    """A command: how it is called, what it does in paragraphs (examples line by line), its options."""

    path: str
    usage: str
    summary: str
    paragraphs: tuple[tuple[str, bool], ...]
    options: tuple[tuple[str, str], ...]
    group: bool


def described(
    command: click.Command, parents: tuple[click.Context, ...] = (), called: str | None = None
) -> Iterator[Described]:
    """A command and all below it, in the order of the help."""
    context = click.Context(
        command, info_name=called or command.name, parent=parents[-1] if parents else None, **command.context_settings
    )
    text = inspect.cleandoc(command.help or "")
    paragraphs = tuple(
        (part.removeprefix("\b\n"), part.startswith("\b")) for part in re.split(r"\n{2,}", text) if part.strip("\b \n")
    )
    records = [param.get_help_record(context) for param in command.get_params(context)]
    options = tuple((name, " ".join(says.split())) for name, says in filter(None, records) if says)
    usage = f"{context.command_path} {' '.join(command.collect_usage_pieces(context))}"
    group = isinstance(command, click.Group)
    yield Described(context.command_path, usage, command.get_short_help_str(200), paragraphs, options, group)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                yield from described(below, (*parents, context), name)


def markdown(commands: list[Described]) -> str:
    """The page."""
    parts = [OPENING, "| command | what it does |", "|---|---|"]
    leaves = [command for command in commands[1:] if not command.group]
    parts += [
        f"| [`{command.path}`](#{command.path.replace(' ', '-')}) | {_cell(command.summary)} |" for command in leaves
    ]
    for command in commands:
        parts += ["", f"## {command.path}", ""]
        for text, lines in command.paragraphs:
            parts += ["```sh", text, "```", ""] if lines else [_escaped(" ".join(text.split())), ""]
        parts += ["```text", command.usage, "```", ""]
        parts += ["| option | what it says |", "|---|---|"] if command.options else []
        parts += [f"| `{_cell(name, code=True)}` | {_cell(says)} |" for name, says in command.options]
    parts += ["", "## Exit codes", "", *(f"- `{code}`: {says}" for code, says in EXITS)]
    parts += ["", "## Environment", "", *(f"- `{name}`: {says}" for name, says in VARIABLES)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)) + "\n"


def man(commands: list[Described]) -> str:
    """The manual page, in the macros of roff's man."""
    root, *rest = commands
    parts = [
        '.TH CITEWELL 1 "" citewell "User commands"',
        ".SH NAME",
        f"citewell \\- {_roff(root.summary.rstrip('.'))}",
    ]
    parts += [".SH SYNOPSIS", f".B citewell\n{_roff(root.usage.removeprefix('citewell '))}", ".SH DESCRIPTION"]
    parts += [_roff(" ".join(text.split())) for text, _ in root.paragraphs]
    parts += [line for name, says in root.options for line in (".TP", f".B {_roff(name)}", _roff(says))]
    parts.append(".SH COMMANDS")
    for result in rest:
        if result.group:
            continue
        parts += [f".SS {_roff(result.usage)}"]
        for text, lines in result.paragraphs:
            parts += [".PP", f".nf\n{_roff(text)}\n.fi" if lines else _roff(" ".join(text.split()))]
        parts += [line for name, says in result.options for line in (".TP", f".B {_roff(name)}", _roff(says))]
    for title, rows in (("EXIT STATUS", EXITS), ("ENVIRONMENT", VARIABLES)):
        parts += [f".SH {title}", *(line for name, says in rows for line in (".TP", f".B {name}", _roff(says)))]
    return "\n".join(parts) + "\n"


def _roff(text: str) -> str:
    """The text with what roff would obey made plain: backslashes, hyphens, and dots and quotes that begin a line."""
    return re.sub(r"^(?=[.'])", r"\\&", text.replace("\\", "\\e").replace("-", "\\-"), flags=re.MULTILINE)


def _cell(text: str, *, code: bool = False) -> str:
    return text.replace("|", "\\|") if code else _escaped(text).replace("|", "\\|")


def _escaped(text: str) -> str:
    return re.sub(r"([*_`<>\[\]])", r"\\\1", text)


def main() -> int:
    """Write both, or see whether they are current."""
    parser = argparse.ArgumentParser(description="Write docs/cli.md and docs/citewell.1")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where one is not current")
    check = parser.parse_args().check
    commands = list(described(citewell))
    for name, text in (("cli.md", markdown(commands)), ("citewell.1", man(commands))):
        path = DOCS / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        if check:
            print(f"docs/{name} is not current: run python docs/write_commands.py", file=sys.stderr)  # noqa: T201
            return 1
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
