"""`citewell bench data`, `import` and `leaderboard`: what lies in a folder, others' results, runs beside each other."""

from __future__ import annotations

from pathlib import Path

import click

from citewell.cli.options import data_option, echo, json_option
from citewell.errors import UsageError, VerificationError


@click.command("data")
@data_option
@click.option("--task", "tasks", metavar="TASK", multiple=True, help="Only this data set; repeatable.")
@json_option
def data_(*, data: str, tasks: tuple[str, ...], as_json: bool) -> None:
    """Say which published splits in a folder are complete, partial or absent."""
    from citewell_lab.bench import completeness
    from citewell_lab.bench.tasks import task as find

    if not Path(data).is_dir():
        raise UsageError(f"{data} is not a folder")
    splits = list(completeness.splits(Path(data), tuple(find(name).name for name in tasks)))
    echo({"splits": [split._asdict() for split in splits]}, completeness.text(splits), as_json=as_json)


@click.command("import")
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False))
@click.option("--format", "form", type=click.Choice(["auto", "ragchecker", "ragas", "alce"]), default="auto",
              show_default=True, help="Whose file it is.")  # fmt: skip
@click.option("--checker", metavar="SPEC", default="lexical", show_default=True, help="Judges the statements.")
@click.option("--items", "most", metavar="N", type=click.IntRange(min=0), default=10, show_default=True,
              help="How many unsupported statements to print.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with every statement.")
def import_(*, file: str, form: str, checker: str, most: int, as_json: bool) -> None:
    """Check the answers of RAGChecker's, ragas' or ALCE's result FILE against the passages in it.

    \b
    citewell bench import outputs.json --checker minicheck
    """  # noqa: D301  (click wants the character itself)
    from citewell.audit import results

    figures = results.check(results.load(Path(file), form), checker)
    echo(figures, results.text(figures, most), as_json=as_json)


@click.group()
def leaderboard() -> None:
    """Keep runs beside each other in one JSON file, each checked against its record."""


@leaderboard.command("add")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option("--file", "file", metavar="FILE", required=True, help="The leaderboard; made if it is not there.")
@click.option("--name", metavar="NAME", help="What the run is called there; its method without it.")
def add(*, runs: tuple[str, ...], file: str, name: str | None) -> None:
    """Add whole RUNs whose summary follows from their items."""
    from citewell_lab.bench import leaderboard as board

    for run in runs:
        row = board.add(Path(run), Path(file), name)
        click.echo(f"{row['task']}, {row['split']}: {row['name']}: n {row['n']}, failed {row['failed']}")


@leaderboard.command("show")
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False))
def show(*, file: str) -> None:
    """Print a leaderboard."""
    from citewell_lab.bench import leaderboard as board

    click.echo(board.text(board.load(Path(file))))


@leaderboard.command("check")
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False))
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
def check(*, file: str, runs: tuple[str, ...]) -> None:
    """Compare a leaderboard's entries with the RUNs they are of."""
    from citewell_lab.bench import leaderboard as board

    wrong = board.check(Path(file), list(map(Path, runs)))
    if wrong:
        raise VerificationError("; ".join(wrong))
    click.echo(f"{len(runs)} runs are as their entries say")
