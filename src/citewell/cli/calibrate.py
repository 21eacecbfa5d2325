"""`citewell calibrate`: choose settings on data of people, and say what the choice is worth."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from citewell.cli.options import echo, limit_option, quiet_option, refuse_ignored, split_option
from citewell.errors import UsageError


@click.command()
@click.argument("method", metavar="METHOD")
@click.option(
    "--task", metavar="TASK", help="verifiability-granular or quotesum; with --risk a task of claims, squad2 or clapnq."
)
@click.option("--corrections", metavar="FILE",
              help="Choose a checker's threshold on people's corrections, as the service exports them.")  # fmt: skip
@click.option("--data", metavar="DIR", envvar="CITEWELL_DATA", help="The folder of the data sets, for --task.")
@split_option("Of the data.")
@click.option(
    "--by",
    metavar="METRIC",
    help="Choose one setting by span_accuracy or token_f1; without it layers are chosen for each by its own.",
)
@click.option("--grid", "grids", metavar="NAME=VALUES", multiple=True,
              help="Compare these values of a parameter, such as layer=8,12,16; repeatable.")  # fmt: skip
@click.option("--risk", metavar="SHARE", type=click.FloatRange(0, 1, min_open=True, max_open=True),
              help="Choose the score from which at most this share of what is given is wrong.")  # fmt: skip
@click.option("--confidence", metavar="SHARE", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.95,
              show_default=True, help="How sure --risk has to be.")  # fmt: skip
@click.option("--error", metavar="KIND", type=click.Choice(("any", "unanswerable")), default="any", show_default=True,
              help="What --risk counts: anything wrong, or answers where there is none.")  # fmt: skip
@click.option("--folds", metavar="N", type=click.IntRange(min=2), default=5, show_default=True,
              help="Parts of the questions for cross-validation.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Of the folds and intervals.")
@limit_option("Only the first N answers.")
@click.option("--out", metavar="FILE", help="Write every figure, with the whole curve, as JSON.")
@click.option("--json", "as_json", is_flag=True, help="Print the same JSON instead of the table.")
@quiet_option
def calibrate(
    *, corrections: str | None, grids: tuple[str, ...], out: str | None, as_json: bool, quiet: bool, **chosen: Any
) -> None:
    """Choose the settings of METHOD on answers with marked spans; the last line is the spec to use.

    For hidden-states every layer is compared, from one forward pass a text: the spec gets the layer of the best span
    accuracy, and for copied tokens the layer and the threshold of the best F1. For lexical the floor and the
    gain are. A layer 0 that is the bare token (rotary or relative positions) is shown as a control and never
    chosen.

    With --corrections METHOD is a checker, of which the threshold is chosen.

    With --risk METHOD is a checker, or `extractive` for questions, and the result is a promise: of what reaches the
    threshold at most that share is wrong, for items like those of the task. --out FILE is what `ask --abstain` takes.

    \b
    citewell calibrate "hidden-states(model=mistralai/Mistral-7B-Instruct-v0.2)" --task quotesum --data data
    citewell calibrate lexical --task verifiability-granular --data data --out lexical.json
    citewell calibrate lexical --corrections corrections.jsonl
    citewell calibrate extractive --task squad2 --data data --risk 0.2 --out careful.json
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell.papers.hidden_states import grid
    from citewell.papers.hidden_states.calibrate import calibrate as work
    from citewell.papers.hidden_states.calibrate import table
    from citewell.text import files
    from citewell.text.safe import dumps

    if out and not Path(out).parent.is_dir():
        raise UsageError(f"--out {out}: there is no directory {Path(out).parent}")
    if bool(corrections) == bool(chosen["task"]):
        raise UsageError("give either --task or --corrections")
    if corrections:
        refuse_ignored(
            {"data", "split", "by", "grids", "limit", "risk", "confidence", "error"},
            "--corrections chooses a checker's threshold",
        )
        _threshold(chosen["method"], corrections, chosen["folds"], chosen["seed"], out=out, as_json=as_json)
        return
    risk, confidence, error = (chosen.pop(name) for name in ("risk", "confidence", "error"))
    if risk is not None:
        refuse_ignored({"by", "grids", "folds"}, "--risk chooses by the share of wrong items")
        _promise(chosen, (risk, confidence, error), out=out, as_json=as_json, quiet=quiet)
        return
    refuse_ignored({"confidence", "error"}, "it belongs to --risk")
    if chosen["data"] is None:
        raise UsageError("--task needs --data: the folder of the data sets")
    with counter(quiet=quiet) as progress:
        calibration = work(given=grid.parse(grids), progress=progress, **chosen)
    if not quiet:
        for failure in calibration.observed.failed[:5]:
            click.echo(f"failed: {failure}", err=True)
        for warning in calibration.observed.warnings[:5]:
            click.echo(f"warning: {warning}", err=True)
    figures = dumps(calibration.to_dict())
    if out:
        files.write(Path(out), figures + "\n")
    click.echo(figures if as_json else f"{table(calibration).text()}\n\n{calibration.spec}")


def _threshold(method: str, corrections: str, folds: int, seed: int, *, out: str | None, as_json: bool) -> None:
    """Choose a checker's threshold."""
    from citewell.text import files
    from citewell.text.safe import dumps
    from citewell.train.corrections import read
    from citewell.train.threshold import choose

    chosen = choose(method, read(corrections).rows, folds=folds, seed=seed)
    if out:
        files.write(Path(out), dumps(chosen.to_dict()) + "\n")
    echo(chosen.to_dict(), f"{chosen.table().text()}\n\n{chosen.spec}", as_json=as_json)


def _promise(
    chosen: dict[str, Any], asked: tuple[float, float, str], *, out: str | None, as_json: bool, quiet: bool
) -> None:
    """Choose a threshold that keeps a risk."""
    from dataclasses import asdict
    from tempfile import TemporaryDirectory

    from citewell.bench import promises, records
    from citewell.bench.run import run
    from citewell.bench.tasks import task
    from citewell.text import files
    from citewell.text.safe import dumps

    if chosen["data"] is None:
        raise UsageError("--task needs --data: the folder of the data sets")
    risk, confidence, error = asked
    name, method = chosen["task"], chosen["method"]
    promises.hold(task(name), error)
    stage = "approach" if "approach" in task(name).needs else "checker"
    with TemporaryDirectory(prefix="citewell-calibrate-") as folder:
        how = {stage: method, "limit": chosen["limit"], "progress": not quiet and sys.stderr.isatty()}
        result = run(name, chosen["data"], chosen["split"], out=folder, **how)
        items = promises.judged(records.good(records.counted(Path(folder))[1]), error)
    made = promises.promise(items, risk, confidence, result.backends[stage], [f"{name}/{chosen['split']}"])
    trial = promises.tried(items, risk, confidence, seed=chosen["seed"])
    told = {**made.to_dict(), "tried": asdict(trial)}
    if out:
        files.write(Path(out), dumps(made.to_dict()) + "\n")
    there = (
        "nothing is given" if trial.risk is None else f"{trial.coverage:.0%} are given, {trial.risk:.1%} of these wrong"
    )
    lines = (
        made.words(),
        f"There {made.given} of {made.items} are given, {made.wrong} of these wrong.",
        f"Chosen on one half and tried on the other, {trial.splits} times: {there};",
        f"more than {risk:.0%} in {trial.above:.0%} of the halves, chance of a small half included.",
    )
    echo(told, "\n".join(lines), as_json=as_json)


@contextmanager
def counter(*, quiet: bool) -> Iterator[Callable[[int], object]]:
    """A count of finished items on a terminal's standard error."""
    from tqdm import tqdm

    with tqdm(unit=" items", leave=False, disable=quiet or not sys.stderr.isatty()) as bar:
        yield lambda done: bar.update(done - bar.n)
