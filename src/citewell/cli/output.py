"""Writes results to the requested outputs: one format on stdout, an HTML report and an annotated PDF as files."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from citewell.cli.inputs import Source
from citewell.cli.options import Output
from citewell.errors import UsageError
from citewell.text import files, safe
from citewell.types import Answer, Partial, Verdict


def refuse_bad_targets(output: Output, names: Sequence[str]) -> None:
    """Say what is wrong with the output files before any work is done.

    Raises UsageError: a file cannot be written there, or it is one of the inputs.
    """
    if output.saved:
        from citewell.export import suffixes

        for name in output.saved:
            suffixes.form(name)
    places: dict[Path, str] = {}
    for option, named in (("--html", output.html), ("--pdf", output.pdf), *(("--save", name) for name in output.saved)):
        if named is not None:
            refuse_bad_target(option, named, names)
            if (place := Path(named).resolve()) in places:
                raise UsageError(f"{places[place]} and {option} name the same file")
            places[place] = option


def refuse_bad_target(option: str, name: str, inputs: Sequence[str]) -> None:
    """Say what is wrong with one output file; an input is itself by every name that it has, a hard link too.

    Raises UsageError: it cannot be written there, or it is one of the inputs.
    """
    if not name or name == "-":
        raise UsageError(f"{option} needs a file name, not {name!r}")
    try:
        path = Path(name)
        if path.is_dir():
            raise UsageError(f"{option} {name}: that is a directory")
        if not path.parent.is_dir():
            raise UsageError(f"{option} {name}: there is no directory {path.parent}")
        same = any(other != "-" and Path(other).exists() and path.samefile(other) for other in inputs if path.exists())
    except (OSError, ValueError) as error:  # too long, a null in it, in a folder that may not be read
        raise UsageError(f"{option} {name}: {getattr(error, 'strerror', None) or error}") from error
    if same:
        raise UsageError(f"{option} {name}: that is one of the inputs; it would be overwritten")


def refuse_no_pdf(output: Output, source: Source) -> None:
    """Say that there is nothing to highlight in, before the answer is worked out.

    Raises UsageError: an annotated PDF is wanted of a document that is none.
    """
    if output.pdfs:
        from citewell.export.pdf import is_pdf

        if not is_pdf(source.read_bytes()[:1024]):
            name = source.path or "standard input"
            option = "--pdf" if output.pdf else f"--save {output.pdfs[0]}"
            raise UsageError(f"{option} needs a PDF document; {name} is none (use --html instead)")


class Live:
    """Shows an answer's statements with their marks on the terminal, each when it is final."""

    def __init__(self, question: str, output: Output) -> None:
        self.question, self.color, self.statements = question, colored(output.color), 0

    def __call__(self, part: Partial) -> None:
        """One more statement."""
        from citewell.export import terminal

        if not self.statements:
            click.echo(terminal.question(self.question, color=self.color) + "\n", color=True)
        self.statements += 1
        click.echo(terminal.statement(part, color=self.color), nl=False, color=True)
        sys.stdout.flush()


def streams(wanted: bool | None, output: Output) -> bool:
    """Whether to show an answer while it arrives: what the option says, else on a terminal; only as plain text."""
    return output.form == "terminal" and (sys.stdout.isatty() if wanted is None else wanted)


def write(
    result: Answer | Sequence[Verdict],
    sources: Sequence[Source],
    output: Output,
    *,
    already_printed: bool = False,
    how: Mapping[str, Any] | None = None,
) -> None:
    """Write everything that was asked for; notices about files go to stderr.

    `already_printed`: the answer was shown already; `how` verdicts came about, which an answer says itself.
    """
    documents, named = [source.document for source in sources], any(source.chosen for source in sources)
    if output.html:
        from citewell.export import html

        _save(output.html, html.render(result, documents, named=named).encode("utf-8", "replace"), output)
    if output.pdfs:
        from citewell.export import pdf

        data, warnings = pdf.annotate(result, documents[0], sources[0].read_bytes())
        for name in output.pdfs:
            _save(name, data, output)
        for warning in warnings:
            _notice(f"warning: {warning}", output)
    if output.saved:
        from citewell.export import suffixes

        for name in sorted(set(output.saved) - set(output.pdfs)):
            _save(name, suffixes.render(name, result, documents), output)
    if output.form == "json":
        from citewell.export import as_json

        text = as_json.render(result, documents, how)
    elif output.form == "markdown":
        from citewell.export import markdown

        text = markdown.render(result, documents, named=named)
    else:
        from citewell.export import terminal

        width = min(100, shutil.get_terminal_size().columns)
        text = terminal.render(
            result,
            documents,
            width=width,
            color=colored(output.color),
            already_printed=already_printed,
            named=named,
        )
        text = f"\n\n{text}" if already_printed else text
    click.echo(text, color=True)  # whether to colour was decided above


def colored(wanted: bool | None) -> bool:
    """Whether to colour: what the option says, else only a terminal, and never with NO_COLOR (https://no-color.org)."""
    if wanted is not None:
        return wanted
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _save(name: str, data: bytes, output: Output) -> None:
    files.write(name, data)
    _notice(f"wrote {name}", output)


def _notice(text: str, output: Output) -> None:
    if not output.quiet:
        click.echo(f"citewell: {safe.clean(text)}", err=True)
