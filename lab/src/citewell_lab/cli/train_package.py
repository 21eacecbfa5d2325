"""`citewell train package`: a run's model as the package citewell-mini or citewell-judge, with its model card."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("package")
@click.argument("model", metavar="RUN/model", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--out", metavar="DIR", type=click.Path(path_type=Path),
              help="The folder of the package; without it citewell-mini or citewell-judge of packages.")  # fmt: skip
def package(*, model: Path, out: Path | None) -> None:
    """Put a model's weights into the package citewell-mini or citewell-judge, and write its model card.

    The card's figures are those of figures.json in RUN/model: what lab/benchmarks/checking/measure.py --out wrote
    there, and summaries of `citewell bench run --json`. Then the package is built like any other:

    \b
    citewell train package RUN/model --out packages/citewell-mini
    pip install "citewell[onnx]" ./packages/citewell-mini
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell.models.small_judge import SETTINGS
    from citewell_lab.train.judge.package import package as put_judge
    from citewell_lab.train.mini.package import package as put_mini

    judge = (model / SETTINGS).is_file()
    target = out or Path("packages/citewell-judge" if judge else "packages/citewell-mini")
    place = (put_judge if judge else put_mini)(model, target)
    size = sum(file.stat().st_size for file in place.iterdir()) / 1e6
    click.echo(f"{place}: {size:.1f} MB; the model card is {target / 'README.md'}")
