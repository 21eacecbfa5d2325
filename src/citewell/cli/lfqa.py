"""`citewell papers lfqa`: what documents do to long answers, measured and reported."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from citewell.cli.options import echo, limit_option, quiet_option
from citewell.errors import UsageError


@click.command()
@click.option("--data", metavar="PATH", envvar="CITEWELL_DATA", required=True,
              help="The SALAD folder (or the one above it), a .jsonl file or a folder of them.")  # fmt: skip
@click.option("--out", metavar="DIR", required=True, help="Where the report, its numbers and its plots go.")
@click.option("--checker", metavar="SPEC", default="lexical", show_default=True, help="Judges the sentences.")
@click.option("--encoder", metavar="SPEC", help="Embeds answers: dense(model=...) or another retriever of that kind.")
@click.option("--lm", metavar="MODEL", help="A causal language model for perplexity.")
@click.option("--rankgen", metavar="SPEC", help="A retriever with embeddings that scores an answer after its question.")
@click.option("--llm", metavar="SPEC", help="Write answers with this model, without and with each document set.")
@click.option("--samples", metavar="N", type=click.IntRange(min=1), default=3, show_default=True,
              help="How many answers --llm writes in each setting.")  # fmt: skip
@click.option("--shuffle", "shuffle", metavar="SET", multiple=True,
              help="Let --llm also answer with this document set in another order; repeatable.")  # fmt: skip
@limit_option("Only the first N questions.")
@click.option("--jobs", metavar="N", type=click.IntRange(min=1), default=2, show_default=True,
              help="Processes for the lexical checker.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Of intervals, shuffling and what is compared.")
@click.option("--json", "as_json", is_flag=True, help="Print every figure as one JSON object.")
@quiet_option
def lfqa(
    *,
    data: str,
    out: str,
    llm: str | None,
    samples: int,
    shuffle: tuple[str, ...],
    limit: int | None,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> None:
    """Measure long answers: surface, likeness, support, order of evidence, the last sentence, agreement.

    \b
    citewell papers lfqa --data data --out study
    citewell papers lfqa --data questions.jsonl --out study --llm "openai(model=gpt-4o-mini)"
    """  # noqa: D301  (click wants the backspace itself)
    from citewell import registry
    from citewell.papers.lfqa import page, write
    from citewell.papers.lfqa.load import load
    from citewell.papers.lfqa.run import Options, run

    if shuffle and not llm:
        raise UsageError("--shuffle changes what --llm is given; without --llm it does nothing")
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"--out {out}: that is a file")
    options = Options(**given)
    study = load(Path(data), limit)
    unknown = sorted(set(shuffle) - set(study.sets))
    if unknown:
        raise UsageError(f"--shuffle {unknown[0]}: no such document set; there are: {', '.join(study.sets) or 'none'}")
    say = _progress(quiet)
    failed: tuple[str, ...] = ()
    if llm:
        folder.mkdir(parents=True, exist_ok=True)
        study = write.shuffled(study, shuffle, seed=options.seed)
        model = registry.build("llm", llm)
        study, failed = write.write(study, model, llm, samples=samples, kept=folder / "answers.jsonl")
    # More than one process only where no model would be loaded in each.
    several = options.jobs if registry.parse(given["checker"]).name == "lexical" else 1
    results = run(study, options._replace(jobs=several), say)
    say("")
    files = page.save(results, folder)
    if not quiet:
        for line in (*failed, *results.skipped, *results.warnings):
            click.echo(f"citewell papers lfqa: {line}", err=True)
    echo(results.to_dict(), f"{files[0]}\n{files[1]}\n{folder / 'plots'}: {len(files) - 2} files", as_json=as_json)


def _progress(quiet: bool) -> Callable[[str], None]:
    """A line on a terminal that is written over."""

    def say(text: str) -> None:
        if not quiet and sys.stderr.isatty():
            click.echo(f"\r\x1b[K{text}", err=True, nl=False)

    return say
