"""`citewell bench analyze`: analyses of runs as tables, JSON, plots and their numbers."""

from __future__ import annotations

from pathlib import Path

import click

from citewell_lab.cli.options import form_options


@click.command("analyze")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option("--data", metavar="DIR", help="The folder of the data sets; by default the one that the runs used.")
@click.option("--checker", metavar="SPEC", default="lexical", show_default=True,
              help="The checker for runs that do not record how well evidence supports responses.")  # fmt: skip
@click.option("--plots", metavar="DIR", help="Also write every plot as SVG and its numbers as CSV.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of random orders.")
@form_options
def analyze(
    *, runs: tuple[str, ...], data: str | None, checker: str, plots: str | None, seed: int, form: str | None
) -> None:
    """Analyse RUNS: position of evidence, length, selective prediction, risk, systems, overlap.

    \b
    citewell bench analyze runs/wice-lexical runs/wice-bm25 --data data --plots plots
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell.text import files
    from citewell_lab.papers.lab import shown
    from citewell_lab.papers.lab.analyze import analyze as analysed
    from citewell_lab.papers.lab.analyze import read_all
    from citewell_lab.report.table import printed

    analysis = analysed(read_all(runs, Path(data) if data else None, checker), seed)
    if plots:
        drawn = {name: text for plot in shown.draw(analysis) for name, text in plot.files().items()}
        files.write_all(Path(plots), drawn)
    click.echo(printed(shown.tables(analysis), form, analysis))
    if form is None and not plots:
        for note in dict.fromkeys(note for run in analysis["runs"] for note in run["notes"] if "--data" in note):
            click.echo(note, err=True)
