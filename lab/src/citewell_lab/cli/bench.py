"""`citewell bench`: list the tasks, run one or all, report on runs, compare two, fetch data."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citewell.cli.options import (
    crew_options,
    data_option,
    declining_option,
    echo,
    json_option,
    out_option,
    preset_option,
    quiet_option,
)
from citewell.errors import BackendError, UsageError
from citewell_lab.cli.bench_analyze import analyze
from citewell_lab.cli.bench_annotate import annotate
from citewell_lab.cli.bench_attributors import attributors
from citewell_lab.cli.bench_build import build
from citewell_lab.cli.bench_cells import cells
from citewell_lab.cli.bench_data import data_, import_, leaderboard, submission
from citewell_lab.cli.bench_prompts import prompts
from citewell_lab.cli.bench_series import series
from citewell_lab.cli.options import form_options, limit_option, sample_option, split_option

if TYPE_CHECKING:
    from citewell.library.batch.workers import Crew
    from citewell_lab.bench.run import Result


@click.group()
def bench() -> None:
    """Measure attributors and checkers on the papers' data sets."""


@bench.command("list")
@click.option("--data", metavar="DIR", envvar="CITEWELL_DATA", help="Report which data sets this folder contains.")
@json_option
def list_(data: str | None, as_json: bool) -> None:
    """List the tasks, what they measure and what they run."""
    from citewell.text.columns import aligned
    from citewell_lab.bench.tasks import names
    from citewell_lab.bench.tasks import task as find

    listed: dict[str, dict[str, Any]] = {}
    for name in names():
        task = find(name)
        published, folder = task.data.published, task.data.folder
        there = (Path(data) / folder).is_dir() if data and not task.data.derived else None
        listed[name] = {
            "summary": task.summary,
            "needs": list(task.needs),
            "metrics": {str(metric): metric.definition for metric in task.metrics},
            "folder": folder,
            "home": published.home,
            "licence": published.licence,
            **({} if there is None else {"there": there}),
        }
    lines = []
    for name, facts in listed.items():
        absent = "" if facts.get("there", True) else f"  (no {facts['folder']}/ in {data})"
        lines.append((name, "+".join(facts["needs"]), facts["summary"] + absent))
    echo(listed, "\n".join(aligned(lines, (True, True, True))), as_json=as_json)


@bench.command("run")
@click.argument("task", metavar="TASK")
@data_option
@split_option("dev, test, ..., or all.", "all")
@click.option("--method", metavar="SPEC", help="The attributor; lexical by default if the task needs one.")
@click.option(
    "--checker", metavar="SPEC", help="The checker; lexical by default if the task needs one, `paper` for the paper's."
)
@click.option("--approach", metavar="NAME", help="How to answer questions: extractive, or an approach with --llm.")
@click.option("--llm", metavar="SPEC", help="The language model; the default approach is then citation.")
@click.option("--retriever", metavar="SPEC", help="The approach's retriever instead of the paper's choice.")
@click.option("--judge", metavar="SPEC", help="A checker that judges whether responses follow the instructions.")
@preset_option
@declining_option
@limit_option("Only the first N items.")
@sample_option("Only N random items (see --seed); all items if there are no more.")
@click.option(
    "--dry-run", is_flag=True, help="Send no request: print one complete prompt, and the maximum tokens and cost."
)
@click.option("--seed", type=int, help="Seed of the sample and of the language model; 0 by default.")
@click.option("--out", metavar="RUN", help="The run's folder; an existing run resumes where it stopped.")
@crew_options("Number of predicting processes; the records are the same.")
@json_option
@quiet_option
def run(
    *,
    task: str,
    data: str,
    split: str,
    limit: int | None,
    sample: int | None,
    dry_run: bool,
    out: str | None,
    crew: Crew,
    as_json: bool,
    quiet: bool,
    **choice: Any,
) -> None:
    """Run TASK and print its metrics.

    \b
    citewell bench run quotesum --data data --split dev --method "retrieval(retriever=bm25)" --out runs/quotesum-bm25
    citewell bench run qasper --data data --approach citation --llm "openai(model=gpt-4o-mini)" --out runs/qasper
    citewell bench run wice --data data --preset lab --approach post-hoc --llm "openai(model=gpt-4o-mini)"
    """  # noqa: D301  (click keeps the lines after this character as they are)
    if dry_run:
        from citewell_lab.bench.dry import dry

        click.echo(dry(task, data, split, limit=limit, sample=sample, **choice))
        return
    from citewell_lab.bench.run import run as start
    from citewell_lab.bench.summary import settings, summary

    progress = not quiet and sys.stderr.isatty()
    result = start(task, data, split, limit=limit, sample=sample, out=out, crew=crew, progress=progress, **choice)
    if not quiet:
        for failure in result.failures[:5]:
            click.echo(f"failed: {failure}", err=True)
        if len(result.failures) > 5:
            click.echo(f"failed: {len(result.failures) - 5} more, in items.jsonl", err=True)
        for name, why in result.scores.unscored.items():
            click.echo(f"not scored: {name}: {why}", err=True)
        for line in settings(result) if as_json else ():
            click.echo(line, err=True)
    echo(result.to_dict(), summary(result), as_json=as_json)
    if not result.n:
        raise BackendError(f"every item failed, the first with {result.failures[0]}")


@bench.command("tables")
@data_option
@split_option("dev, test, ..., or all.")
@click.option("--task", "tasks", metavar="TASK", multiple=True, help="Only this task; repeatable.")
@click.option("--method", "methods", metavar="SPEC", multiple=True, help="An attributor; repeatable.")
@click.option("--checker", "checkers", metavar="SPEC", multiple=True, help="A checker; repeatable.")
@limit_option("Only the first N items of each.")
@sample_option("Only N random items of each (see --seed); all items if there are no more.")
@click.option("--seed", type=int, help="Seed of the samples; 0 by default.")
@out_option
@crew_options("Number of predicting processes; the records are the same.")
@form_options
@click.option("--html", metavar="FILE", help="Also write a self-contained page.")
@quiet_option
def tables(
    *,
    data: str,
    split: str,
    tasks: tuple[str, ...],
    methods: tuple[str, ...],
    checkers: tuple[str, ...],
    out: Path,
    crew: Crew,
    quiet: bool,
    limit: int | None,
    sample: int | None,
    seed: int | None,
    **printing: Any,
) -> None:
    """Run every task whose data is available, then print all tables.

    \b
    citewell bench tables --data data --out runs --method lexical --method "retrieval(retriever=bm25)"
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell_lab.bench.everything import DEFAULT, everything

    outcomes = everything(
        Path(data),
        split,
        out,
        tasks=tasks,
        methods=methods or DEFAULT,
        checkers=checkers or DEFAULT,
        limit=limit,
        sample=sample,
        seed=seed,
        crew=crew,
        progress=not quiet and sys.stderr.isatty(),
    )
    results = []
    for task, result, skipped in outcomes:
        note = f"skipped: {skipped}"
        if result is not None:
            results.append(result)
            note = f"{result.method}: n {result.n}, failed {result.failed}, {result.seconds:.1f} s"
        if not quiet:
            click.echo(f"{task}: {note}", err=True)
    _print_tables(results, data=data, every=not tasks, **printing)


@bench.command("report")
@click.argument("runs", metavar="RUN...", nargs=-1)
@form_options
@click.option("--html", metavar="FILE", help="Also write a page: overview, tables, analyses, items to browse.")
@click.option("--plots", metavar="DIR", help="With --html: also write every plot as SVG and its numbers as CSV.")
@click.option("--data", metavar="DIR", help="The folder of the data sets; by default the one that the runs used.")
@click.option("--seeds", is_flag=True, help="One row for runs that differ by their seeds: means and deviations.")
def report(*, runs: tuple[str, ...], html: str | None, plots: str | None, **printing: Any) -> None:
    """Print the figures of RUNs under the papers' figures.

    A RUN is a folder written by `citewell bench run`, or a folder of such folders. Without a RUN, only the papers'
    tables are printed.
    """
    from citewell_lab.bench.folders import results

    if plots and not html:
        raise UsageError("--plots goes with --html; `citewell bench analyze RUN... --plots DIR` writes plots alone")
    _print_tables(results(runs), html=html, plots=plots, **printing)


def _print_tables(
    results: list[Result],
    *,
    form: str | None,
    html: str | None,
    data: str | None,
    plots: str | None = None,
    every: bool = False,
    seeds: bool = False,
) -> None:
    """The tables of some runs (with `every`, the papers' others too) on standard output, and as a page."""
    from citewell_lab.papers import reliability
    from citewell_lab.papers.beside import page, printed, standings

    reliabilities = reliability.standings(results)
    tables = [*standings(results, every=every, seeds=seeds), *([reliabilities] if reliabilities else [])]
    if html:
        from citewell.text import files
        from citewell_lab.papers.run_page.build import build

        kept = [result.out for result in results if result.out is not None]
        folder = Path(data) if data else None
        text = build(kept, data=folder, plots=Path(plots) if plots else None) if kept else page(tables)
        files.write(Path(html), text)
    click.echo(printed(tables, form))


@bench.command("select-retriever")
@click.argument("task", metavar="TASK")
@data_option
@split_option("A development split.")
@click.option(
    "--approach", metavar="NAME", default="retrieve-then-read", show_default=True, help="An approach that retrieves."
)
@click.option("--llm", metavar="SPEC", required=True, help="The language model that answers.")
@click.option(
    "--retriever", "specs", metavar="SPEC", multiple=True, help="A candidate; repeatable; LAB's five by default."
)
@click.option("--checker", metavar="SPEC", help="The checker that judges attributability; lexical by default.")
@preset_option
@declining_option
@sample_option("Random items for each (see --seed).", 100)
@limit_option("Only the first N of these.")
@click.option("--seed", type=int, help="Seed of the sample and of the language model; 0 by default.")
@out_option
@form_options
@quiet_option
def select_retriever(*, task: str, specs: tuple[str, ...], form: str | None, quiet: bool, **options: Any) -> None:
    """Answer TASK with each retriever and name the best, compared with LAB's tables 21 to 23."""
    from citewell_lab.papers.beside import printed
    from citewell_lab.papers.lab import selection

    progress = not quiet and sys.stderr.isatty()
    standings = selection.retrievers(task, specs=specs or selection.RETRIEVERS, progress=progress, **options)
    click.echo(printed([standings], form))


@bench.command("select-checker")
@click.argument("task", metavar="TASK")
@data_option
@split_option("dev, test, ..., or all.")
@click.option("--checker", "specs", metavar="SPEC", multiple=True, help="A candidate; repeatable; lexical by default.")
@click.option("--annotations", metavar="FILE", type=click.Path(path_type=Path), help="Your own labelled claims.")
@limit_option("Only the first N claims.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed for selecting other segments.")
@form_options
def select_checker(*, task: str, specs: tuple[str, ...], form: str | None, **options: Any) -> None:
    """Separate supported claims of TASK from others with each checker and name the best, as in LAB's table 2.

    \b
    The claims are those that people labelled (salad, attributionbench, or --annotations FILE: JSON lines with claim,
    evidence, attributable), elsewhere gold answers with their evidence and with other segments.
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell_lab.papers.beside import printed
    from citewell_lab.papers.lab import selection

    click.echo(printed([selection.checkers(task, specs=specs or selection.CHECKERS, **options)], form))


@bench.command("compare")
@click.argument("first", metavar="RUN")
@click.argument("second", metavar="RUN")
@click.argument("others", metavar="[RUN]...", nargs=-1)
@click.option("--items", "most", metavar="N", type=click.IntRange(min=0), default=20, show_default=True,
              help="Number of changed items to print.")  # fmt: skip
@form_options
def compare(*, first: str, second: str, others: tuple[str, ...], most: int, form: str | None) -> None:
    """Compare two runs of one task: the paired difference and the items that changed.

    With more RUNS, or as Markdown, LaTeX or CSV, it is a table of every metric of each run beside the first's, with p
    by paired permutation of the items, corrected for all tests of the table (Holm).
    """
    from citewell_lab.bench import compare as comparing
    from citewell_lab.report.table import printed

    if others or form not in (None, "json"):
        table = comparing.table([Path(first), Path(second), *map(Path, others)])
        click.echo(printed([table], form))
        return
    comparison = comparing.compare(Path(first), Path(second))
    echo(comparison.to_dict(), comparing.text(comparison, most), as_json=form == "json")


@bench.command("fetch")
@click.argument("task", metavar="TASK")
@data_option
@quiet_option
def fetch(*, task: str, data: str, quiet: bool) -> None:
    """Download the published files of TASK, or print where they are."""
    from citewell_lab.bench import fetch as fetching
    from citewell_lab.bench.tasks import task as find

    for line in fetching.fetch(find(task).data, Path(data)):
        if not quiet:
            click.echo(line)


bench.add_command(analyze)
bench.add_command(annotate)
bench.add_command(attributors)
bench.add_command(build)
bench.add_command(data_)
bench.add_command(import_)
bench.add_command(leaderboard)
bench.add_command(prompts)
bench.add_command(cells)
bench.add_command(series)
bench.add_command(submission)
