"""`citewell bench data`, `import`, `submission`, `leaderboard`: available data, others' results, the board."""

from __future__ import annotations

from pathlib import Path

import click

from citewell.cli.options import data_option, echo, json_option
from citewell.errors import UsageError, VerificationError
from citewell_lab.cli.options import form_options


@click.command("data")
@data_option
@click.option("--task", "tasks", metavar="TASK", multiple=True, help="Only this data set; repeatable.")
@json_option
def data_(*, data: str, tasks: tuple[str, ...], as_json: bool) -> None:
    """Report which published splits in a folder are complete, partial or absent."""
    from citewell_lab.bench import completeness
    from citewell_lab.bench.tasks import task as find

    if not Path(data).is_dir():
        raise UsageError(f"{data} is not a folder")
    splits = list(completeness.splits(Path(data), tuple(find(name).name for name in tasks)))
    echo({"splits": [split._asdict() for split in splits]}, completeness.text(splits), as_json=as_json)


@click.command("import")
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False))
@click.option("--format", "form", type=click.Choice(["auto", "ragchecker", "ragas", "alce"]), default="auto",
              show_default=True, help="The tool that wrote the file.")  # fmt: skip
@click.option(
    "--checker", metavar="SPEC", default="lexical", show_default=True, help="The checker that judges the statements."
)
@click.option("--items", "most", metavar="N", type=click.IntRange(min=0), default=10, show_default=True,
              help="Number of unsupported statements to print.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with every statement.")
def import_(*, file: str, form: str, checker: str, most: int, as_json: bool) -> None:
    """Check the answers of RAGChecker's, ragas' or ALCE's result FILE against the passages in it.

    \b
    citewell bench import outputs.json --checker minicheck
    """  # noqa: D301  (click wants the character itself)
    from citewell.audit import results

    figures = results.check(results.load(Path(file), form), checker)
    echo(figures, results.text(figures, most), as_json=as_json)


@click.command("submission")
@click.argument("run", metavar="RUN")
@click.option("--out", metavar="FILE", required=True, help="The submission's file.")
@click.option("--name", metavar="NAME", help="The name of the system on the board; by default its method.")
def submission(*, run: str, out: str, name: str | None) -> None:
    """Write the predictions of a complete RUN as a submission, without figures; the board computes those itself."""
    from citewell_lab.bench.board import submission as submissions

    packed = submissions.pack(Path(run), name)
    submissions.write(packed, Path(out))
    click.echo(f"{packed.task}, {packed.split}: {packed.name}: {len(packed.predictions)} predictions")


@click.group()
def leaderboard() -> None:
    """Store submissions in a folder, with their figures by the gold labels, and a page."""


_BOARD = click.option(
    "--board", metavar="DIR", required=True, help="The leaderboard's folder; created if it does not exist."
)


@leaderboard.command("add")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@_BOARD
@data_option
def add(*, files: tuple[str, ...], board: str, data: str) -> None:
    """Score submissions against the gold labels and add them."""
    from citewell_lab.bench.board import board as boards
    from citewell_lab.bench.board import submission as submissions

    for file in files:
        row = boards.add(submissions.read(Path(file)), Path(board), Path(data))
        click.echo(f"{row['task']}, {row['split']}: {row['name']}: n {row['n']}")


@leaderboard.command("show")
@click.argument("board", metavar="DIR", type=click.Path(exists=True, file_okay=False))
@form_options
def show(*, board: str, form: str | None) -> None:
    """Print a leaderboard."""
    from citewell_lab.bench.board import board as boards
    from citewell_lab.report.table import printed

    click.echo(printed(boards.tables(boards.load(Path(board))), form) or "no entries")


@leaderboard.command("check")
@_BOARD
@data_option
def check(*, board: str, data: str) -> None:
    """Score all submissions of a leaderboard again and compare."""
    from citewell_lab.bench.board import board as boards

    wrong = boards.check(Path(board), Path(data))
    if wrong:
        raise VerificationError("; ".join(wrong))
    click.echo(f"{len(boards.load(Path(board))['entries'])} entries follow from their submissions and the data")
