"""`citewell bench prompts`: where the instruction stands and how many examples help, as one command."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from citewell.cli.options import quiet_option


@click.command("prompts")
@click.argument("task", metavar="TASK")
@click.option("--data", metavar="DIR", envvar="CITEWELL_DATA", required=True, help="The folder of the data sets.")
@click.option("--split", metavar="NAME", default="dev", show_default=True, help="A development split.")
@click.option("--llm", metavar="SPEC", required=True, help="The language model.")
@click.option("--approach", metavar="NAME", default="citation", show_default=True, help="How it answers.")
@click.option("--checker", metavar="SPEC", help="What judges attributability; lexical.")
@click.option("--limit", metavar="N", type=click.IntRange(min=1), default=100, show_default=True, help="Items of each.")
@click.option("--out", metavar="RUNS", required=True, help="The folder of the runs' folders; what lies there goes on.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@quiet_option
def prompts(
    *,
    task: str,
    data: str,
    split: str,
    llm: str,
    approach: str,
    checker: str | None,
    limit: int,
    out: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Answer TASK with six settings of the prompt, beside LAB's table 14."""
    from citewell.papers.lab import prompting

    found = []
    show = not quiet and sys.stderr.isatty()
    options = {"checker": checker, "limit": limit, "progress": show}
    for one in prompting.experiments(task, data, split, Path(out), llm=llm, approach=approach, **options):
        found.append(one)
        if not quiet:
            click.echo(f"{one.name}: n {one.result.n}, failed {one.result.failed}", err=True)
    if as_json:
        from citewell.export.as_json import dumps

        click.echo(dumps({"settings": [{"name": one.name, **one.result.to_dict()} for one in found]}))
        return
    click.echo(prompting.table(task, found).text())
