"""`citewell train package`: package a run's judge as citewell-judge, with its model card."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("package")
@click.argument("model", metavar="RUN/model", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--out", metavar="DIR", type=click.Path(path_type=Path), default=Path("packages/citewell-judge"),
              show_default=True, help="The folder of the package.")  # fmt: skip
def package(*, model: Path, out: Path) -> None:
    """Put a judge's weights into the package citewell-judge, and write its model card.

    The card's figures come from figures.json in RUN/model, which `citewell train judge --measure` writes. Then the
    package is built like any other:

    \b
    citewell train package RUN/model --out packages/citewell-judge
    pip install "citewell[onnx]" ./packages/citewell-judge
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell_lab.train.judge.package import package as put_judge

    place = put_judge(model, out)
    size = sum(file.stat().st_size for file in place.iterdir()) / 1e6
    click.echo(f"{place}: {size:.1f} MB; the model card is {out / 'README.md'}")
