"""`citewell backends`: what can be named in a spec, and whether it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from citewell.registry import Row


@click.command()
@click.argument("family", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def backends(family: str | None, as_json: bool) -> None:
    """List the back ends, all or those of one FAMILY."""
    from citewell import registry
    from citewell.report.table import aligned

    families = [family] if family else list(registry.FAMILIES)
    found = {name: registry.rows(name) for name in families}
    if as_json:
        from citewell.export.as_json import dumps

        listed = {
            name: {
                key: {"summary": row.summary, "extra": row.extra, "installed": not _missing(row)}
                for key, row in rows.items()
            }
            for name, rows in found.items()
        }
        click.echo(dumps(listed))
        return
    for name, rows in found.items():
        if len(found) > 1:
            click.echo(f"{name}:")
        lines = []
        for key, row in rows.items():
            needs = f"  (pip install '{row.distribution}[{row.extra}]')" if _missing(row) else ""
            lines.append((f"  {key}", row.summary + needs))
        click.echo("\n".join(aligned(lines, (True, True))))


def _missing(row: Row) -> bool:
    """Whether a package that the back end needs is not installed; nothing is imported to find out."""
    from importlib.util import find_spec

    return any(find_spec(package.partition(".")[0]) is None for package in row.needs)
