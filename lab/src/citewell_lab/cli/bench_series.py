"""`citewell bench series`: do the reports of consecutive years agree about the same figure of the same year?"""

from __future__ import annotations

from pathlib import Path

import click

from citewell.cli.options import echo, json_option


@click.command("series")
@click.argument("folder", metavar="DIR")
@click.option("--cache", metavar="DIR", help="Keep documents there as they were read, and take them from there.")
@click.option("--shown", metavar="N", type=click.IntRange(min=0), default=20, show_default=True,
              help="How many pairs that differ, and that were restated, to print with both pages.")  # fmt: skip
@json_option
def series(*, folder: str, cache: str | None, shown: int, as_json: bool) -> None:
    """Ask the annual reports in DIR for the same figures of the same years, and say where they differ.

    Files are called COMPANY_YEAR and whatever follows. No truth is needed: of two figures that differ one is wrong, or
    it was restated: that counts only where the later report says so, or both statements add up and several of their
    lines are the same.

    \b
    citewell bench series reports --cache read
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell_lab.bench import series as measured

    readings = [row for _, rows in measured.run(Path(folder), Path(cache) if cache else None) for row in rows]
    both = measured.pairs(readings)
    listed = {name: [pair.to_dict() for pair in both if pair.outcome == name] for name in ("restated", "differing")}
    echo({**measured.summary(readings), **listed}, measured.text(readings, shown=shown), as_json=as_json)
