"""`citewell overview`: what a document is, what it says, and which questions it answers."""

from __future__ import annotations

import shutil

import click

from citewell.cli.options import document_argument, echo, isolated_option, options, quiet_option
from citewell.errors import UsageError


@click.command()
@document_argument
@options("overview", "json markdown html")
@isolated_option
@quiet_option
def overview(*, document: str, as_json: bool, as_markdown: bool, html: str | None, quiet: bool) -> None:
    """Summarise a document: what it is, what it says, and which questions it answers.

    Its kind, author, date, period, language and outline; quotes that show what it is about; its key figures or points;
    and tested questions with their answers. No language model is used.

    \b
    citewell overview report.pdf
    citewell overview report.pdf --html overview.html
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell.cli import inputs
    from citewell.cli import output as out
    from citewell.export import overview as written
    from citewell.pipeline.overview.describe import overview as describe
    from citewell.text import files

    if as_json and as_markdown:
        raise UsageError("--json and --markdown exclude each other: both go to standard output")
    if html is not None:
        out.refuse_bad_target("--html", html, [document])
    (source,) = inputs.sources([document], quiet=quiet)
    result = describe(source.document)
    if html is not None:
        files.write(html, written.page(result).encode("utf-8", "replace"))
        if not quiet:
            click.echo(f"citewell: wrote {html}", err=True)
    width = min(100, shutil.get_terminal_size().columns)
    text = written.markdown(result) if as_markdown else written.terminal(result, width)
    echo(result.to_dict(), text, as_json=as_json)
