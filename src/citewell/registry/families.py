"""The built-in back ends by family and name, declared in `families.json`: location, description, requirements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from citewell.text.data import read_json


class Row(NamedTuple):
    """One back end: `target` is `module:attribute`, `needs` the packages that an extra of its distribution installs.

    `instead` contains alternative packages.
    """

    target: str
    summary: str
    extra: str | None = None
    needs: tuple[str, ...] = ()
    distribution: str = "citewell"
    instead: tuple[str, ...] = ()


_PACKAGES = {"llm": "llm", "approach": "pipeline", "reducer": "generators"}  # of the others: the family's plural


def _rows(family: str, declared: dict[str, list[str]], needs: dict[str, Any]) -> Iterator[tuple[str, Row]]:
    package = f"citewell.{_PACKAGES.get(family, f'{family}s')}"
    for name, (target, summary, *kinds) in declared.items():
        wants = needs[kinds[0]] if kinds else {}
        packages, instead = (tuple(wants.get(field, ())) for field in ("needs", "instead"))
        yield name, Row(f"{package}.{target}", summary, wants.get("extra"), packages, instead=instead)


_DATA = read_json(__package__, "families.json")
FAMILIES = {family: dict(_rows(family, declared, _DATA["needs"])) for family, declared in _DATA["families"].items()}
"""The built-in back ends of each family by their names."""
