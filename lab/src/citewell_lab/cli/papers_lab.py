"""`citewell papers lab`: LAB's tables other than runs: data, models, statements for human judgment."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citewell.cli.options import data_option, quiet_option
from citewell_lab.cli.options import form_options

if TYPE_CHECKING:
    from citewell_lab.report.table import Table


@click.group()
def lab() -> None:
    """Attribute or Abstain (LAB): tables 1, 2 and 18 to 20, and the least attributable responses."""


@lab.command("data")
@data_option
@click.option("--split", "splits", metavar="NAME", multiple=True, help="Only this split; repeatable.")
@form_options
@quiet_option
def data_(*, data: str, splits: tuple[str, ...], form: str | None, quiet: bool) -> None:
    """Compute the counts of LAB's table 1 for the available data sets."""
    from citewell_lab.cli.calibrate import counter
    from citewell_lab.papers.lab import statistics

    with counter(quiet=quiet) as progress:
        table = statistics.table(Path(data), splits or statistics.SPLITS, progress)
    _give(table, form)


@lab.command("prompts")
@click.option("--out", metavar="DIR", type=click.Path(path_type=Path), required=True, help="Where to write them.")
def prompts(*, out: Path) -> None:
    """Write LAB's prompts, word for word, as editable files: `.citing`, and `.plain` for approaches that do not cite.

    `bench run wice --preset "lab(prompt=paper)"` uses them, `lab(prompt=DIR/wice.citing.txt)` uses a file.
    """
    from citewell.text import files
    from citewell_lab.bench import quoted

    names = [(f"{task}.{kind}.txt", task, kind == "citing") for task in quoted.TASKS for kind in ("citing", "plain")]
    files.write_all(out, {name: quoted.prompt_file(task, cite=cite) for name, task, cite in names})
    for name, *_ in names:
        click.echo(out / name)


@lab.command("models")
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@click.option("--fine-tuned", is_flag=True, help="Table 19, of adapters, instead of table 20.")
@form_options
def models(*, runs: tuple[str, ...], fine_tuned: bool, form: str | None) -> None:
    """Compare the models of RUNs with LAB's tables 20 and 19; without a RUN print table 18.

    RUNs come from `bench run qasper` and `bench run govreport` with each model, for table 19 with each adapter.
    """
    from citewell_lab.bench.folders import results
    from citewell_lab.papers.lab import models as choosing

    _give(choosing.selection(results(runs), fine_tuned=fine_tuned) if runs else choosing.considered(), form)


@lab.command("sheet")
@click.argument("run", metavar="RUN")
@click.option("--data", metavar="DIR", help="The folder of the data sets; by default the one that the run used.")
@click.option(
    "--number", metavar="N", type=click.IntRange(min=1), default=50, show_default=True, help="Number of statements."
)
@click.option("--least", is_flag=True, help="Take the statements with the lowest attributability instead of a sample.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the sample.")
@click.option("--checker", metavar="SPEC", default="lexical", show_default=True,
              help="The checker for runs whose records contain no attributability.")  # fmt: skip
@click.option("--out", metavar="FILE", help="Write the full statements: .jsonl for --annotations, or .csv.")
@form_options
def sheet(*, run: str, data: str | None, number: int, out: str | None, form: str | None, **chosen: Any) -> None:
    """Select statements of RUN with their evidence for human judgment: a sample, or the least attributable.

    Filled in (attributable: true or false, or a list with each annotator's), the sheet is what
    `citewell bench select-checker --annotations` reads.
    """
    from citewell.text import files
    from citewell.text.safe import dumps
    from citewell_lab.papers.lab import sheet as sheets

    lines = sheets.sheet(Path(run), size=number, data=Path(data) if data else None, **chosen)
    if out:
        whole = sheets.whole(lines)
        text = whole.csv() if out.endswith(".csv") else "".join(f"{dumps(line.to_dict())}\n" for line in lines)
        files.write(Path(out), text)
    if form == "json":
        click.echo(dumps({"statements": [line.to_dict() for line in lines]}))
        return
    _give(sheets.whole(lines) if form == "csv" else sheets.table(lines), form)


def _give(table: Table, form: str | None) -> None:
    from citewell_lab.report.table import printed

    click.echo(printed([table], form, table.to_dict()))
