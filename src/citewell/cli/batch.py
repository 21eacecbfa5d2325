"""`citewell batch`: process many rows, each with its documents, in processes or on a cluster."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from citewell.cli.options import Chosen, crew_options, echo, library_options, needs, options
from citewell.errors import RequirementError, UsageError

if TYPE_CHECKING:
    from citewell.library.batch.job import Kind
    from citewell.library.batch.workers import Crew


@click.command()
@click.argument("kind", metavar="ask|attribute|check|audit", type=click.Choice(["ask", "attribute", "check", "audit"]))
@options("batch", "in out")
@library_options("The library in which documents are found by id, or by the topic of a row.")
@crew_options("Processes.")
@options("batch", "shard format llm approach method checker granularity k abstain follow json quiet")
def batch(
    *,
    kind: str,
    source: str,
    out: str,
    chosen: Chosen,
    crew: Crew,
    size: int,
    wanted: str,
    as_json: bool,
    follow: bool,
    quiet: bool,
    **options: Any,
) -> int:
    """Ask, attribute, check or audit many rows.

    A row is {"id": ..., "documents": [path, id or {"text", "title"}], ...} with its "question", "answer", "claims" or
    "response". DIR/results.jsonl holds {"id", "result"} or {"id", "error": {"type", "message"}} in the order of the
    rows. A restarted batch resumes where it stopped. Exits with 3 if a row has no result.

    \b
    citewell batch ask --in rows.jsonl --out answers --workers 2
    citewell batch attribute --in rows.parquet --out answers --library reports.lib --ray auto
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell.library.batch import places, table
    from citewell.library.batch.job import Job, with_promise
    from citewell.library.batch.run import advance, run

    settings = {name: value for name, value in options.items() if value is not None}
    if kind != "attribute" and "method" in settings:
        settings["attributor"] = settings.pop("method")
    if unused := sorted({"llm", "approach", "abstain"} & settings.keys()) if kind != "ask" else []:
        raise UsageError(f"--{unused[0]} would change nothing: only ask generates answers")
    verb = cast("Kind", kind)
    if chosen.library:
        needs("a library of documents", "library", "sqlalchemy", "alembic")
    library = (chosen.library, tuple(sorted(chosen.labels)), chosen.where, chosen.retrieval, chosen.scan)
    job = Job(verb, *library, with_promise(settings))
    job.refuse(elsewhere=bool(crew.ray))
    if wanted == "parquet":
        table.hold()
    from tqdm import tqdm

    with (
        places.workplace(out) as folder,
        tqdm(unit=" rows", leave=False, disable=quiet or not sys.stderr.isatty()) as bar,
    ):
        hired, generation = partial(crew.workers, job), job.generation if chosen.library else None
        summary = run(
            job, source, folder, hired, tell=partial(advance, bar), size=size, generation=generation, follow=follow
        )
        results = str(table.write(Path(summary.out))) if wanted == "parquet" else summary.out
    place = places.below(out, results)
    counted = f"{summary.rows} rows, {summary.failed} failed, {summary.done_before} done before"
    figures = {name: getattr(summary, name) for name in ("rows", "failed", "done_before", "seconds")}
    echo({**figures, "out": place}, f"{counted}: {place}", as_json=as_json)
    return RequirementError.exit_code if summary.failed else 0
