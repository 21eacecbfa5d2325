"""`citewell backends`: the names that specs can use, and whether each back end is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from citewell.cli.options import echo, json_option

if TYPE_CHECKING:
    from citewell.registry import Row


@click.command()
@click.argument("family", required=False)
@json_option
def backends(family: str | None, as_json: bool) -> None:
    """List all back ends, or those of one FAMILY."""
    from citewell import registry
    from citewell.text.columns import aligned

    figures: dict[str, dict[str, Any]] = {}
    lines: list[str] = []
    for name in [family] if family else registry.FAMILIES:
        cells, figures[name] = [], {}
        for key, row in registry.rows(name).items():
            missing = _missing(row)
            facts = {"summary": row.summary, "extra": row.extra, "installed": not missing}
            figures[name][key] = facts
            needs = f"  (pip install '{row.distribution}[{row.extra}]')" if missing else ""
            cells.append((f"  {key}", row.summary + needs))
        lines += [*([] if family else [f"{name}:"]), *aligned(cells, (True, True))]
    echo(figures, "\n".join(lines), as_json=as_json)


def _missing(row: Row) -> bool:
    """Whether a package that the back end needs is not installed; nothing is imported to find out."""
    from importlib.util import find_spec

    return any(find_spec(package.partition(".")[0]) is None for package in row.needs)
