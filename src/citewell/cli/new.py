"""`citewell new`: create a package skeleton."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from string import Template

import click

from citewell.cli.options import options
from citewell.errors import UsageError
from citewell.text import files
from citewell.text.data import read_text

_PACKAGE = "citewell.cli.templates"
# What it is, and a parameter that differs from the default: in a spec, and in Python.
KINDS = {
    "retriever": ("A retriever", "least=0.2", "least=0.2"),
    "attributor": ("An attributor", "least=0.6", "least=0.6"),
    "checker": ("A checker", "threshold=0.7", "threshold=0.7"),
    "decomposer": ("A decomposer", "signs=.", 'signs="."'),
    "generator": ("A generator", "least=0.6", "least=0.6"),
    "llm": ("A client of a language model", "words=5", "words=5"),
}
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


@click.group()
def new() -> None:
    """Create your own package."""


@new.command()
@click.argument("name")
@click.option("--kind", type=click.Choice(tuple(KINDS)), default="retriever", show_default=True, help="Its family.")
@options("new", "out quiet")
def backend(*, name: str, kind: str, out: Path | None, quiet: bool) -> None:
    """Create a package with your own back end.

    It contains a simple working back end, its entry point, and tests that run the contract of its family. NAME is its
    name in specs: small letters and digits between single hyphens.

    \b
    citewell new backend my-ranker
    citewell new backend house-style --kind checker --out house-style
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell import registry

    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name: small letters and digits between single hyphens, a letter first")
    if name in registry.rows(kind):
        raise UsageError(f"there is a {kind} {name!r} already ('citewell backends {kind}'): choose another name")
    place = out or Path(f"citewell-{name}")
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise UsageError(f"{place} is there already: choose another folder with --out")
    for path in files.write_all(place, _files(name, kind)):
        if not quiet:
            click.echo(path)
    if not quiet:
        click.echo(
            f"citewell: next: cd {place} && python -m pip install --editable . pytest && python -m pytest", err=True
        )


def _files(name: str, family: str) -> dict[str, str]:
    """The files of a package by their paths, for a back end of that name."""
    from importlib.metadata import version

    what, parameter, argument = KINDS[family]
    module = f"citewell_{name.replace('-', '_')}"
    fields = {
        "name": name,
        "family": family,
        "package": f"citewell-{name}",
        "module": module,
        "class_name": _class_name(name, family),
        "what": what,
        "parameter": parameter,
        "argument": argument,
        "version": version("citewell"),
    }
    named = {
        "pyproject.toml": "pyproject.toml",
        "README.md": "README.md",
        f"src/{module}/__init__.py": f"{family}.py",
        f"src/{module}/py.typed": "",
        "tests/test_contract.py": "test_contract.py",
    }
    return {
        path: Template(read_text(_PACKAGE, f"{source}.tmpl")).substitute(fields) if source else ""
        for path, source in named.items()
    }


def _class_name(name: str, family: str) -> str:
    """What the class is called: as the back end, with its family where the module has that word already."""
    called = "".join(part.capitalize() for part in name.split("-"))
    taken = re.search(rf"\b{called}\b", read_text(_PACKAGE, f"{family}.py.tmpl"))
    return f"{called}{family.capitalize()}" if taken or keyword.iskeyword(called) else called
