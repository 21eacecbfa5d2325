"""`citewell new`: the beginning of a package of one's own."""

from __future__ import annotations

import re
from pathlib import Path

import click

from citewell.cli.options import quiet_option
from citewell.errors import UsageError

KINDS = ("retriever", "attributor", "checker", "decomposer", "generator", "llm")
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


@click.group()
def new() -> None:
    """Begin a package of your own."""


@new.command()
@click.argument("name")
@click.option("--kind", type=click.Choice(KINDS), default="retriever", show_default=True, help="Its family.")
@click.option("--out", metavar="DIR", type=click.Path(path_type=Path),
              help="The folder of the package.  [default: citewell-NAME]")  # fmt: skip
@quiet_option
def backend(*, name: str, kind: str, out: Path | None, quiet: bool) -> None:
    """Begin a package with a back end of your own.

    It has a simple back end that works, its entry point, and tests that run the contract of its
    family. NAME is what specs will call it: small letters and digits between single hyphens.

    \b
    citewell new backend my-ranker
    citewell new backend house-style --kind checker --out house-style
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell import registry
    from citewell.testing import template

    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name: small letters and digits between single hyphens, a letter first")
    if name in registry.rows(kind):
        raise UsageError(f"there is a {kind} {name!r} already ('citewell backends {kind}'): choose another name")
    place = out or Path(f"citewell-{name}")
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise UsageError(f"{place} is there already: choose another folder with --out")
    for path in template.write(place, name, kind):
        if not quiet:
            click.echo(path)
    if not quiet:
        click.echo(
            f"citewell: next: cd {place} && python -m pip install --editable . pytest && python -m pytest", err=True
        )
