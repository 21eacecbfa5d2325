"""A package with a back end that keeps to its contract, to begin one's own with: `citewell new backend`."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from string import Template

from citewell.errors import InputError
from citewell.text import files
from citewell.text.data import read_text

_PACKAGE = "citewell.testing.templates"
# What it is, and a parameter that differs from the default: in a spec, and in Python.
_FAMILIES = {
    "retriever": ("A retriever", "least=0.2", "least=0.2"),
    "attributor": ("An attributor", "least=0.6", "least=0.6"),
    "checker": ("A checker", "threshold=0.7", "threshold=0.7"),
    "decomposer": ("A decomposer", "signs=.", 'signs="."'),
    "generator": ("A generator", "least=0.6", "least=0.6"),
    "llm": ("A client of a language model", "words=5", "words=5"),
}


def package(name: str, family: str) -> dict[str, str]:
    """The files of a package by their paths, for a back end of that name."""
    from importlib.metadata import version

    what, parameter, argument = _FAMILIES[family]
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


def write(folder: Path, name: str, family: str) -> list[Path]:
    """Write the package into a folder; its files.

    Raises:
        InputError: they cannot be written.
    """
    written = []
    for path, text in package(name, family).items():
        place = folder / path
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{place.parent} cannot be made: {error.strerror or error}") from error
        files.write(place, text)
        written.append(place)
    return written
