"""Options that several commands share: where the output goes, how it looks, more documents."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

import click

from citewell.errors import UsageError

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Output:
    """What to write: one form on stdout (`json`, `markdown` or `terminal`), and files beside it."""

    form: str = "terminal"
    html: str | None = None
    pdf: str | None = None
    color: bool | None = None
    quiet: bool = False


def shared(*options: Callable[[Any], Any]) -> Callable[[F], F]:
    """Options that several commands have, as one decorator."""

    def decorate(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def output_options(command: F) -> F:
    """Give a command the output options; it gets them as one `output` argument."""

    @wraps(command)
    def run(
        *args: Any,
        as_json: bool,
        as_markdown: bool,
        html: str | None,
        pdf: str | None,
        color: bool | None,
        quiet: bool,
        **kwargs: Any,
    ) -> Any:
        if as_json and as_markdown:
            raise UsageError("--json and --markdown exclude each other: both go to standard output")
        form = "json" if as_json else "markdown" if as_markdown else "terminal"
        return command(*args, output=Output(form, html, pdf, color, quiet), **kwargs)

    return shared(
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
        click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown with footnotes."),
        click.option("--html", metavar="FILE", help="Also write a self-contained report to open in a browser."),
        click.option("--pdf", metavar="FILE", help="Also write DOC, a PDF, with its evidence highlighted."),
        click.option("--color/--no-color", default=None, help="Colours; by default only on a terminal."),
        quiet_option,
    )(run)  # type: ignore[return-value]


def refuse_ignored(names: Collection[str], why: str) -> None:
    """Refuse options of the running command that were given although they would change nothing.

    Raises:
        UsageError: one of them was given; `why` ends the sentence.
    """
    context = click.get_current_context()
    for option in context.command.params:
        given = context.get_parameter_source(option.name or "") is click.core.ParameterSource.COMMANDLINE
        if option.name in names and given:
            raise UsageError(f"{option.opts[0]} would change nothing: {why}")


quiet_option = click.option("-q", "--quiet", is_flag=True, help="No progress and no notices on stderr.")
also_option = click.option("--also", metavar="DOC", multiple=True, help="One more document; repeatable.")
document_argument = click.argument("document", metavar="DOC")
