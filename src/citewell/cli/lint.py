"""Checks files against documents as a linter does, for pre-commit, GitHub Actions and other pipelines.

python -m citewell.cli.lint check --document report.pdf README.md      every statement, with line and column
python -m citewell.cli.lint audit --document report.pdf answers/*.json      others' citations

Exit codes: 0 nothing falls short, 1 internal error, 2 bad input, 3 something falls short; 1 before 2 before 3.
"""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from citewell import Document
from citewell.audit.scores import audit
from citewell.cli import inputs
from citewell.cli.options import options
from citewell.cli.requirement import LABELS, REACHED, Shares, hold_audit, shares
from citewell.errors import CitewellError, RequirementError, UsageError
from citewell.pipeline import Pipeline
from citewell.pipeline.sources import opened
from citewell.registry import build
from citewell.text import safe
from citewell.types import Reason

GRAVEST = (1, 2, 3, 0)
MODULE = "python -m citewell.cli.lint"


class Finding(NamedTuple):
    """A statement that falls short; `line` and `column` count from 1, None where the file is no plain text."""

    path: str
    line: int | None
    column: int | None
    label: str
    message: str

    def __str__(self) -> str:
        place = "" if self.line is None else f":{self.line}:{self.column}"
        return safe.clean(f"{self.path}{place}: {self.label}: {self.message}")

    def for_github(self) -> str:
        """A command of GitHub's that shows it beside the line."""
        where = {"file": self.path, "line": self.line, "col": self.column, "title": f"citewell: {self.label}"}
        text = ",".join(f"{name}={_property(str(value))}" for name, value in where.items() if value is not None)
        return f"::error {text}::{_escaped(safe.clean(self.message))}"


class Outcome(NamedTuple):
    """What a file came to: its exit code, how many of its statements claim something, and what falls short."""

    code: int
    claims: int
    findings: tuple[Finding, ...]


@click.command(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("command", type=click.Choice(["check", "audit"]))
@click.argument("files", nargs=-1)
@options("lint", "document require checker method format")
def run(
    *, command: str, files: tuple[str, ...], names: tuple[str, ...], require: str, checker: str, method: str, form: str
) -> int:
    """Hold FILES against documents: the statements of texts (check), or the citations of saved responses (audit).

    FILES are paths, or patterns such as 'docs/**/*.md'.
    """
    github = os.environ.get("GITHUB_ACTIONS") == "true" if form == "auto" else form == "github"
    try:
        wanted = _wanted(command, require)
        documents = opened(names)
        paths = [path for name in files for path in _expanded(name)]
        judging = Pipeline(attributor=build("attributor", method), checker=build("checker", checker))
    except CitewellError as error:
        return _complain(error, None, github=github)
    outcomes = [_outcome(command, path, documents, judging, wanted, github=github) for path in paths]
    for finding in (finding for outcome in outcomes for finding in outcome.findings):
        click.echo(finding.for_github() if github else str(finding))
    short, claims = sum(len(entry.findings) for entry in outcomes), sum(entry.claims for entry in outcomes)
    click.echo(f"citewell: {len(paths)} files, {claims} statements with a claim, {short} fall short of {require}")
    return next(code for code in GRAVEST if code == 0 or any(entry.code == code for entry in outcomes))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it and return the exit code; nothing but one line reaches stderr for each error."""
    try:
        code: int = run.main(list(sys.argv[1:] if arguments is None else arguments), MODULE, standalone_mode=False)
    except click.ClickException as error:
        click.echo(f"citewell: {error.format_message()}", err=True)
        return 2
    except Exception as error:  # noqa: BLE001  (a hook's user never sees a traceback)
        click.echo(f"citewell: internal error: {type(error).__name__}: {error}", err=True)
        return 1
    return code


def _wanted(command: str, require: str) -> str | Shares:
    """The requirement: a label, or for audits precision and recall."""
    if command == "audit":
        return shares(require) or LABELS[0]
    if require not in LABELS:
        raise UsageError(f"--require is {' or '.join(LABELS)}, not {require!r}")
    return require


def _expanded(name: str) -> list[str]:
    """A file, or those that a pattern names, in order."""
    if Path(name).exists():
        return [name]
    every = glob.iglob(name, recursive=True)  # noqa: PTH207  (which takes no absolute patterns)
    matched = sorted(path for path in every if Path(path).is_file())
    if not matched:
        raise UsageError(f"there is no file {name}")
    return matched


def _outcome(
    command: str, path: str, documents: Sequence[Document], judging: Pipeline, wanted: str | Shares, *, github: bool
) -> Outcome:
    try:
        return (_audited if command == "audit" else _checked)(path, documents, judging, wanted)
    except CitewellError as error:
        return Outcome(_complain(error, path, github=github), 0, ())


def _checked(path: str, documents: Sequence[Document], judging: Pipeline, wanted: str | Shares) -> Outcome:
    """The statements of a text, each with where it stands in the file."""
    text = inputs.file_text(path)
    if not text.strip():
        return Outcome(0, 0, ())
    answer, written = judging.attribute(documents, text), Document.from_text(text)
    short = [statement for statement in answer.statements if statement.label not in REACHED[str(wanted)]]
    findings = tuple(
        Finding(
            path, *written.line_column(statement.start), statement.label, _message(statement.text, statement.reasons)
        )
        for statement in short
    )
    claims = sum(statement.label != "no_claim" for statement in answer.statements)
    return Outcome(3 if findings else 0, claims, findings)


def _audited(path: str, documents: Sequence[Document], judging: Pipeline, wanted: str | Shares) -> Outcome:
    """The statements of a response whose own citations do not support them; none where its shares are enough."""
    audit_result = audit(inputs.response(path), documents, pipeline=judging)
    claims = sum(statement.label != "no_claim" for statement in audit_result.statements)
    try:
        hold_audit(audit_result, wanted)
    except RequirementError as error:
        reached = REACHED[wanted if isinstance(wanted, str) else LABELS[0]]
        short = [
            (n, statement) for n, statement in enumerate(audit_result.statements, 1) if statement.label not in reached
        ]
        findings = [
            Finding(
                path,
                None,
                None,
                statement.label,
                f"statement {n}: {_message(statement.text, statement.reasons if statement.cited else ())}",
            )
            for n, statement in short
        ]
        findings += [
            Finding(path, None, None, "no such citation", entry.located.problem or "")
            for entry in audit_result.citations
            if not entry.located.exists
        ]
        return Outcome(3, claims, tuple(findings or [Finding(path, None, None, "requirement", str(error))]))
    return Outcome(0, claims, ())


def _message(text: str, reasons: Sequence[Reason]) -> str:
    visible = " ".join(text.split())
    return " → ".join([visible, *dict.fromkeys(filter(None, (reason.message for reason in reasons)))])


def _complain(error: CitewellError, path: str | None, *, github: bool) -> int:
    """Tell an error in one line; its exit code."""
    line = safe.clean(" ".join(str(error).split()))
    payload = line if path is None or path in line else f"{path}: {line}"
    if github:
        click.echo(f"::error {f'file={_property(path)}' if path else 'title=citewell'}::{_escaped(line)}")
    click.echo(f"citewell: {payload}", err=True)
    return error.exit_code


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


if __name__ == "__main__":
    sys.exit(main())
