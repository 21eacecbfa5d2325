"""`citewell bench attributors`: compare attributors on the same items, with time and memory."""

from __future__ import annotations

import sys
from typing import Any

import click

from citewell.cli.options import data_option, out_option, quiet_option
from citewell_lab.cli.options import form_options, limit_option, sample_option, split_option


@click.command("attributors")
@click.argument("task", metavar="TASK")
@data_option
@split_option("dev, test, ..., or all.")
@click.option("--method", "methods", metavar="SPEC", multiple=True, required=True, help="An attributor; repeatable.")
@limit_option("Only the first N items.")
@sample_option("Only N random items (see --seed); all items if there are no more.")
@click.option("--seed", type=int, help="Seed of the sample; 0 by default.")
@out_option
@form_options
@quiet_option
def attributors(*, task: str, form: str | None, quiet: bool, **options: Any) -> None:
    """Run TASK with several attributors and print them side by side, compared with the first.

    Each row has its figures, the difference to the first method, and the cost of an item: seconds, forward passes,
    tokens and peak memory. Models are loaded before timing starts.

    \b
    citewell bench attributors quotesum --data data --split dev --out runs --method lexical \\
      --method "icr(model=PATH, query=target)" --method "hidden-states(model=PATH)"
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell_lab.bench.attributors import side_by_side, table
    from citewell_lab.report.table import printed

    ran = side_by_side(task, progress=not quiet and sys.stderr.isatty(), **options)
    if not quiet:
        for run in ran:
            for failure in run.result.failures[:3]:
                click.echo(f"failed: {run.spec}: {failure}", err=True)
    report = table(ran)
    click.echo(printed([report], form, report.to_dict()))
