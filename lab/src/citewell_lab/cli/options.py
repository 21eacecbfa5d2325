"""Options shared by several laboratory commands: amount of data, output format."""

from __future__ import annotations

from collections.abc import Callable

import click

from citewell.cli.options import F, shared


def limit_option(says: str, default: int | None = None) -> Callable[[F], F]:
    """The option that bounds how many items are read."""
    kind = click.IntRange(min=1)
    return click.option("--limit", metavar="N", type=kind, default=default, show_default=default is not None, help=says)


def sample_option(says: str, default: int | None = None) -> Callable[[F], F]:
    """The option that draws items instead of taking the first."""
    kind = click.IntRange(min=1)
    return click.option("--sample", metavar="N", type=kind, default=default, show_default=default is not None,
                        help=says)  # fmt: skip


def split_option(says: str, default: str = "dev") -> Callable[[F], F]:
    """The option that names a split of the data."""
    return click.option("--split", metavar="NAME", default=default, show_default=True, help=says)


def form_options(function: F) -> F:
    """The flags of the forms other than text in which figures can be printed, as one `form` argument."""
    says = {"markdown": "Print Markdown.", "latex": "Print LaTeX, for the package booktabs.",
            "csv": "Print CSV, figures as fractions.", "json": "Print one JSON object."}  # fmt: skip
    return shared(*(click.option(f"--{form}", "form", flag_value=form, help=text) for form, text in says.items()))(
        function
    )
