"""`citewell calibrate`: choose settings on labelled data and report the value of the choice."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citewell.cli.options import quiet_option, refuse_ignored
from citewell.errors import UsageError
from citewell_lab.bench import ERRORS
from citewell_lab.cli.options import form_options, limit_option, split_option

if TYPE_CHECKING:
    from citewell_lab.report.table import Table


@click.command()
@click.argument("method", metavar="METHOD")
@click.option(
    "--task", "tasks", metavar="TASK", multiple=True,
    help="verifiability-granular or quotesum; with --risk tasks of claims or of questions, as fever/val; repeatable.",
)  # fmt: skip
@click.option("--corrections", metavar="FILE",
              help="Choose a checker's threshold on human corrections, as exported by the service.")  # fmt: skip
@click.option("--data", metavar="DIR", envvar="CITEWELL_DATA", help="The folder of the data sets, for --task.")
@split_option("The split of the data.")
@click.option(
    "--by",
    metavar="METRIC",
    help="Choose one setting by span_accuracy or token_f1; without it layers are chosen for each by its own. With "
    "--risk what the promise holds in each of: `task`, or a field of the items, such as group.",
)
@click.option("--grid", "grids", metavar="NAME=VALUES", multiple=True,
              help="Compare these values of a parameter, such as layer=8,12,16; repeatable.")  # fmt: skip
@click.option("--risk", metavar="SHARE", type=click.FloatRange(0, 1, min_open=True, max_open=True),
              help="Choose the score above which at most this share of the results is wrong.")  # fmt: skip
@click.option("--confidence", metavar="SHARE", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.95,
              show_default=True, help="The confidence of --risk, and of --watch that nothing has changed.")  # fmt: skip
@click.option("--error", metavar="KIND", type=click.Choice(("any", *ERRORS["answers"], *ERRORS["claims"])),
              default="any", show_default=True, help="The errors that --risk counts; for answers unanswerable, poor; "
              "for claims contradicted, missing, partial.")  # fmt: skip
@click.option("--watch", metavar="FILE",
              help="Report whether the scores in FILE (JSON lines of results) differ from a promise's.")  # fmt: skip
@click.option("--promise", metavar="FILE", help="The promise of --watch; by default the one that ships.")
@click.option("--folds", metavar="N", type=click.IntRange(min=2), default=5, show_default=True,
              help="Number of folds of the questions for cross-validation.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the folds and intervals.")
@limit_option("Only the first N answers.")
@click.option("--out", metavar="FILE", help="Write every figure, with the whole curve, as JSON.")
@click.option(
    "--plots",
    metavar="DIR",
    help="With --risk: also write the risk over the share of results returned, as SVG and CSV.",
)
@form_options
@quiet_option
def calibrate(
    *,
    tasks: tuple[str, ...],
    corrections: str | None,
    watch: str | None,
    promise: str | None,
    plots: str | None,
    grids: tuple[str, ...],
    out: str | None,
    form: str | None,
    quiet: bool,
    **chosen: Any,
) -> None:
    """Choose the settings of METHOD on answers with marked spans; the last line of output is the spec to use.

    For hidden-states every layer is compared, from one forward pass a text: the spec gets the layer of the best span
    accuracy, and for copied tokens the layer and the threshold of the best F1. For lexical the floor and the
    gain are. A layer 0 that is the bare token (rotary or relative positions) is shown as a control and never
    chosen.

    With --corrections METHOD is a checker, of which the threshold is chosen.

    With --risk METHOD is a checker, or `extractive` for questions, and the result is a promise: of what reaches the
    threshold at most that share is wrong, for items like those of the tasks. --out FILE is what `ask --abstain` takes.
    With --watch the exit code is 3 where scores have left those of the promise.

    \b
    citewell calibrate "hidden-states(model=mistralai/Mistral-7B-Instruct-v0.2)" --task quotesum --data data
    citewell calibrate lexical --task verifiability-granular --data data --out lexical.json
    citewell calibrate lexical --corrections corrections.jsonl
    citewell calibrate extractive --task clapnq --data data --risk 0.3 --error unanswerable --out careful.json
    citewell calibrate extractive --watch results.jsonl --promise careful.json
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell.text import files
    from citewell.text.safe import dumps
    from citewell_lab.cli import promises
    from citewell_lab.papers.hidden_states import grid
    from citewell_lab.papers.hidden_states.calibrate import calibrate as work
    from citewell_lab.papers.hidden_states.calibrate import table

    if out and not Path(out).parent.is_dir():
        raise UsageError(f"--out {out}: there is no directory {Path(out).parent}")
    if form not in (None, "json") and (watch or chosen["risk"] is not None):
        raise UsageError(f"--{form} prints a table, which --risk and --watch have none of")
    if sum(map(bool, (corrections, tasks, watch))) != 1:
        raise UsageError("give one of --task, --corrections and --watch")
    if watch:
        refuse_ignored(
            {"data", "split", "by", "grids", "limit", "risk", "error", "folds", "seed", "out", "plots"},
            "--watch holds scores against those of a promise",
        )
        promises.watch(chosen["method"], watch, promise, chosen["confidence"], as_json=form == "json")
        return
    refuse_ignored({"promise"}, "it belongs to --watch")
    if corrections:
        refuse_ignored(
            {"data", "split", "by", "grids", "limit", "risk", "confidence", "error", "plots"},
            "--corrections chooses a checker's threshold",
        )
        _threshold(chosen["method"], corrections, chosen["folds"], chosen["seed"], out=out, form=form)
        return
    risk, confidence, error = (chosen.pop(name) for name in ("risk", "confidence", "error"))
    if risk is not None:
        refuse_ignored({"grids", "folds"}, "--risk chooses by the share of wrong items")
        wanted = promises.Wanted(risk, confidence, error, chosen["by"] or "")
        promises.make(
            chosen["method"],
            tasks,
            wanted,
            **{name: chosen[name] for name in ("data", "split", "limit", "seed")},
            out=out,
            plots=plots,
            as_json=form == "json",
            quiet=quiet,
        )
        return
    refuse_ignored({"confidence", "error", "plots"}, "it belongs to --risk")
    if len(tasks) > 1:
        raise UsageError("several tasks go with --risk")
    if chosen["data"] is None:
        raise UsageError("--task needs --data: the folder of the data sets")
    with counter(quiet=quiet) as progress:
        calibration = work(task=tasks[0], values=grid.parse(grids), progress=progress, **chosen)
    if not quiet:
        for failure in calibration.observed.failed[:5]:
            click.echo(f"failed: {failure}", err=True)
        for warning in calibration.observed.warnings[:5]:
            click.echo(f"warning: {warning}", err=True)
    figures = calibration.to_dict()
    if out:
        files.write(Path(out), dumps(figures) + "\n")
    give(table(calibration), calibration.spec, form, figures)


def give(table: Table, spec: str, form: str | None, data: Any) -> None:
    """Print what was chosen: a table with the spec below it, or in a form of its own."""
    from citewell_lab.report.table import printed

    click.echo(printed([table], form, data) + ("" if form else f"\n\n{spec}"))


def _threshold(method: str, corrections: str, folds: int, seed: int, *, out: str | None, form: str | None) -> None:
    """Choose a checker's threshold."""
    from citewell.text import files
    from citewell.text.safe import dumps
    from citewell_lab.train.corrections import read
    from citewell_lab.train.threshold import choose

    chosen = choose(method, read(corrections).rows, folds=folds, seed=seed)
    if out:
        files.write(Path(out), dumps(chosen.to_dict()) + "\n")
    give(chosen.table(), chosen.spec, form, chosen.to_dict())


@contextmanager
def counter(*, quiet: bool) -> Iterator[Callable[[int], object]]:
    """A count of finished items on a terminal's standard error."""
    from tqdm import tqdm

    with tqdm(unit=" items", leave=False, disable=quiet or not sys.stderr.isatty()) as bar:
        yield lambda done: bar.update(done - bar.n)
