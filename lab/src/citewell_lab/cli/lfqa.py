"""`citewell papers lfqa`: the effect of documents on long answers, measured and reported."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from citewell.cli.options import crew_options, echo, quiet_option
from citewell.errors import UsageError
from citewell_lab.cli.options import limit_option


@click.command()
@click.option("--data", metavar="PATH", envvar="CITEWELL_DATA", required=True,
              help="The SALAD folder (or the one above it), a .jsonl file or a folder of them.")  # fmt: skip
@click.option("--out", metavar="DIR", required=True, help="The folder for the report, its numbers and its plots.")
@click.option("--checker", metavar="SPEC", default="lexical", show_default=True,
              help="Judges the answers' sentences, by the sentences of the documents if possible.")  # fmt: skip
@click.option(
    "--encoder",
    metavar="SPEC",
    help="The encoder that embeds answers: dense(model=...) or another retriever of that kind.",
)
@click.option("--lm", metavar="MODEL", help="A causal language model for perplexity.")
@click.option("--rankgen", metavar="SPEC",
              help="A retriever with embeddings for RankGen's score; RankGen's own weights are not read.")  # fmt: skip
@click.option(
    "--llm", metavar="SPEC", help="Write answers with this model, without documents and with each document set."
)
@click.option("--samples", metavar="N", type=click.IntRange(min=1), default=3, show_default=True,
              help="Number of answers that --llm writes in each setting.")  # fmt: skip
@click.option("--temperature", metavar="T", type=click.FloatRange(min=0), default=0.7, show_default=True,
              help="Temperature of --llm; the paper used 0.7 for GPT-3.5 and 0.9 for Alpaca.")  # fmt: skip
@click.option("--max-tokens", metavar="N", type=click.IntRange(min=1), default=512, show_default=True,
              help="Maximum length of an answer; the paper used 512 for GPT-3.5 and 1024 for Alpaca.")  # fmt: skip
@click.option(
    "--prompt-alone", metavar="FILE", help="Your own prompt with {question}, for --llm; `paper` for the paper's."
)
@click.option("--prompt-documents", metavar="FILE", help="Your own prompt with {question} and {documents}, or `paper`.")
@click.option("--shuffle", "shuffle", metavar="SET", multiple=True,
              help="Also let --llm answer with this document set in another order; repeatable.")  # fmt: skip
@limit_option("Only the first N questions.")
@crew_options("Number of judging processes.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of intervals, shuffling and comparisons.")
@click.option("--json", "as_json", is_flag=True, help="Print every figure as one JSON object.")
@quiet_option
def lfqa(
    *,
    data: str,
    out: str,
    llm: str | None,
    samples: int,
    temperature: float,
    max_tokens: int,
    prompt_alone: str | None,
    prompt_documents: str | None,
    shuffle: tuple[str, ...],
    limit: int | None,
    as_json: bool,
    quiet: bool,
    **run_options: Any,
) -> None:
    """Measure long answers: surface, likeness, support, order of evidence, the last sentence, agreement.

    \b
    citewell papers lfqa --data data --out study
    citewell papers lfqa --data questions.jsonl --out study --llm "openai(model=gpt-4o-mini)"
    """  # noqa: D301  (click wants the backspace itself)
    from citewell import registry
    from citewell.text import files, safe
    from citewell_lab.papers.lfqa import page, write
    from citewell_lab.papers.lfqa.load import load
    from citewell_lab.papers.lfqa.run import Options, run

    if shuffle and not llm:
        raise UsageError("--shuffle changes what --llm is given; without --llm it does nothing")
    decoding = write.Decoding(samples, temperature, max_tokens, prompt_alone, prompt_documents)
    if (prompt_alone or prompt_documents) and not llm:
        raise UsageError("--prompt-alone and --prompt-documents are what --llm is asked; without --llm they do nothing")
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"--out {out}: that is a file")
    options = Options(**run_options)
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
        with files.locked(folder):
            study, failed = write.write(study, model, safe.redact_spec(llm), decoding, kept=folder / "answers.jsonl")
    results = run(study, options, say)
    say("")
    paths = page.save(results, folder)
    if not quiet:
        for line in (*failed, *results.skipped, *results.warnings):
            click.echo(f"citewell papers lfqa: {line}", err=True)
    echo(results.to_dict(), f"{paths[0]}\n{paths[1]}\n{folder / 'plots'}: {len(paths) - 2} files", as_json=as_json)


def _progress(quiet: bool) -> Callable[[str], None]:
    """A line on a terminal that is written over."""

    def say(text: str) -> None:
        if not quiet and sys.stderr.isatty():
            click.echo(f"\r\x1b[K{text}", err=True, nl=False)

    return say


@click.command("lfqa-documents")
@click.option("--data", metavar="PATH", envvar="CITEWELL_DATA", required=True, help="The questions, as for lfqa.")
@click.option(
    "--out", metavar="FILE", required=True, help="JSON lines with the new sets, to be stored next to the questions."
)
@click.option("--random", "source", metavar="SET", help="Create a set from another question's documents in this set.")
@click.option("--corpus", metavar="PATH", help="Create a set from the best segments of this file or folder.")
@click.option("--name", metavar="NAME", help="The name of the new set; by default random or the retriever's name.")
@click.option(
    "--retriever", metavar="SPEC", default="bm25", show_default=True, help="The retriever that the question is sent to."
)
@click.option(
    "--words", metavar="N", type=click.IntRange(min=1), default=100, show_default=True, help="Words per segment."
)
@click.option("--top", metavar="N", type=click.IntRange(min=1), default=4, show_default=True, help="Segments per set.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random set.")
@limit_option("Only the first N questions.")
def lfqa_documents(
    *,
    data: str,
    out: str,
    source: str | None,
    corpus: str | None,
    name: str | None,
    retriever: str,
    words: int,
    top: int,
    seed: int,
    limit: int | None,
) -> None:
    """Create a document set for each question: a random one, or the best segments of your own corpus.

    \b
    citewell papers lfqa-documents --data questions.jsonl --random webgpt --out study/random.jsonl
    citewell papers lfqa-documents --data questions.jsonl --corpus pages/ --name bing --out study/bing.jsonl
    """  # noqa: D301  (click wants the backspace itself)
    from citewell import registry
    from citewell.text import files
    from citewell_lab.papers.lfqa import documents
    from citewell_lab.papers.lfqa.load import load

    if (source is None) == (corpus is None):
        raise UsageError("say --random SET or --corpus PATH")
    study = load(Path(data), limit)
    if source is not None:
        name = name or "random"
        study = documents.at_random(study, source, name, seed=seed)
    else:
        name = name or registry.parse(retriever).name
        pages = documents.corpus(Path(corpus or ""))
        study = documents.retrieved(study, pages, name, retriever=retriever, words=words, top=top)
    path = Path(out)
    files.write_all(path.parent, {path.name: documents.lines(study, [name])})
    having = sum(name in question.documents for question in study.questions)
    click.echo(f"{out}: the set {name} for {having} of {len(study.questions)} questions")
