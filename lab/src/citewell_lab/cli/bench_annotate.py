"""`citewell bench annotate`: label items in a local page, measure agreement, export a data set."""

from __future__ import annotations

from pathlib import Path

import click

from citewell.cli.options import echo, json_option, needs
from citewell.errors import UsageError
from citewell_lab.cli.options import limit_option, split_option

_PROJECT = click.argument("project", metavar="PROJECT")


@click.group()
def annotate() -> None:
    """Label items in a local page: two annotators, agreement, adjudication, a data set.

    \b
    citewell bench annotate new labels --items claims.jsonl
    citewell bench annotate serve labels
    citewell bench annotate agreement labels
    citewell bench annotate export labels --out data
    """  # noqa: D301  (click keeps the lines after this character as they are)


@annotate.command("new")
@_PROJECT
@click.option("--items", metavar="FILE", help="JSON lines with id, claim, segments and, if there is one, context.")
@click.option(
    "--task", metavar="TASK", help="Take the items and possible labels from a task instead, without its gold labels."
)
@click.option("--data", metavar="DIR", envvar="CITEWELL_DATA", help="The folder with the data of --task.")
@split_option("The split of --task.")
@limit_option("Only the first N items of --task.")
@click.option("--protocol", type=click.Choice(["support", "salad"]), default="support", show_default=True,
              help="The question about --items; salad: three annotators a sentence, majority counts.")  # fmt: skip
def new(*, project: str, items: str | None, task: str | None, data: str | None, split: str, limit: int | None,
        protocol: str) -> None:  # fmt: skip
    """Create the folder PROJECT with the items to label."""
    from citewell_lab.annotation import protocol as protocols
    from citewell_lab.annotation.project import create

    if (items is None) == (task is None):
        raise UsageError("say --items FILE or --task TASK")
    if task is not None:
        if data is None:
            raise UsageError("--task needs --data DIR")
        asked, entries = protocols.of_task(task, Path(data), split, limit)
    else:
        asked, entries = protocols.PRESETS[protocol], protocols.of_lines(Path(items or ""))
        if not entries:
            raise UsageError(f"{items} holds no item")
    create(Path(project), asked, entries)
    click.echo(f"{project}: {len(entries)} items, {asked.annotators} annotators each, labels {', '.join(asked.labels)}")


@annotate.command("serve")
@_PROJECT
@click.option("--port", metavar="N", type=click.IntRange(0, 65535), default=0, help="The port; by default a free one.")
def serve(*, project: str, port: int) -> None:
    """Serve the page on this machine only until it is stopped.

    The user `adjudicator` can see the labels of disputed items and decides.
    """
    needs("citewell bench annotate serve", "serve", "starlette", "uvicorn")
    from citewell_lab.annotation.project import load
    from citewell_lab.annotation.server import serve as run

    run(load(Path(project)), port, click.echo)


@annotate.command("agreement")
@_PROJECT
@json_option
def agreement(*, project: str, as_json: bool) -> None:
    """Print Krippendorff's alpha, Cohen's kappa for each pair of annotators, and the undecided items."""
    from citewell_lab.annotation.project import load

    figures = load(Path(project)).agreement()
    lines = [f"{key}: {_number(value)}" for key, value in figures.items() if key != "pairs"]
    for pair in figures["pairs"]:
        names = " and ".join(pair["annotators"])
        lines.append(f"{names}: {pair['same']} of {pair['items']} alike, kappa {_number(pair['kappa'])}")
    echo(figures, "\n".join(lines), as_json=as_json)


def _number(value: float | None) -> str:
    if value is None:
        return "not defined"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


@annotate.command("export")
@_PROJECT
@click.option("--out", metavar="DIR", required=True, help="A folder that `citewell bench run wice --data DIR` reads.")
@click.option("--split", metavar="NAME", default="test", show_default=True, help="The name of the split.")
def export(*, project: str, out: str, split: str) -> None:
    """Write every label, and a data set in WiCE's layout if the labels are support labels."""
    from citewell_lab.annotation.export import export as write
    from citewell_lab.annotation.project import load

    for path in write(load(Path(project)), Path(out), split):
        click.echo(str(path))
