"""`citewell papers lfqa`: what documents do to long answers, measured and reported."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from citewell.cli.options import quiet_option
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
@click.option("--limit", metavar="N", type=click.IntRange(min=1), help="Only the first N questions.")
@click.option("--jobs", metavar="N", type=click.IntRange(min=1), default=2, show_default=True,
              help="Processes for the lexical checker.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Of intervals, shuffling and what is compared.")
@click.option("--json", "as_json", is_flag=True, help="Print every figure as one JSON object.")
@quiet_option
def lfqa(
    *,
    data: str,
    out: str,
    checker: str,
    encoder: str | None,
    lm: str | None,
    rankgen: str | None,
    llm: str | None,
    samples: int,
    shuffle: tuple[str, ...],
    limit: int | None,
    jobs: int,
    seed: int,
    as_json: bool,
    quiet: bool,
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
    found = load(Path(data), limit)
    unknown = sorted(set(shuffle) - set(found.sets))
    if unknown:
        raise UsageError(f"--shuffle {unknown[0]}: no such document set; there are: {', '.join(found.sets) or 'none'}")
    say = _progress(quiet)
    failed: tuple[str, ...] = ()
    if llm:
        folder.mkdir(parents=True, exist_ok=True)
        found = write.shuffled(found, shuffle, seed=seed)
        written = write.write(found, registry.build("llm", llm), llm, samples=samples, kept=folder / "answers.jsonl")
        found, failed = written.study, written.failed
    # More than one process only where no model would be loaded in each.
    several = jobs if registry.parse(checker).name == "lexical" else 1
    results = run(found, Options(checker, encoder, lm, rankgen, several, seed), say)
    say("")
    files = page.save(results, folder)
    if not quiet:
        for line in (*failed, *results.skipped, *results.warnings):
            click.echo(f"citewell papers lfqa: {line}", err=True)
    if as_json:
        from citewell.export.as_json import dumps

        click.echo(dumps(results.to_dict()))
    else:
        click.echo(f"{files[0]}\n{files[1]}\n{folder / 'plots'}: {len(files) - 2} files")


def _progress(quiet: bool) -> Callable[[str], None]:
    """A line on a terminal that is written over."""

    def say(text: str) -> None:
        if not quiet and sys.stderr.isatty():
            click.echo(f"\r\x1b[K{text}", err=True, nl=False)

    return say
