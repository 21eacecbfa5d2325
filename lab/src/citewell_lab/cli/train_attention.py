"""`citewell train select-heads`, `at2` and `combine`: what attributors by attention learn from examples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from citewell.cli.options import data_option, json_option, quiet_option
from citewell.errors import UsageError
from citewell_lab.cli.calibrate import counter, give
from citewell_lab.cli.options import form_options, split_option


@click.command("select-heads")
@click.argument("method", metavar="METHOD")
@click.option("--task", metavar="TASK", required=True, help="One with gold paragraphs, such as quotesum or qasper.")
@data_option
@split_option("Of the data; not the one that is measured on.")
@click.option("--examples", metavar="N", type=click.IntRange(min=1), default=128, show_default=True,
              help="How many are drawn with --seed.")  # fmt: skip
@click.option("--heads", "count", metavar="N", type=click.IntRange(min=1), default=16, show_default=True,
              help="How many heads are chosen.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Of the draw.")
@click.option("--out", metavar="FILE", required=True, help="Where to write the heads.")
@form_options
@quiet_option
def select_heads(*, method: str, out: str, form: str | None, quiet: bool, **chosen: Any) -> None:
    """Choose the heads of METHOD, a qrhead(model=...), that look most at gold paragraphs.

    The last line is the spec that uses them. The file says with which prompt, data and versions they were chosen.

    \b
    citewell train select-heads "qrhead(model=PATH)" --task quotesum --data data --out heads.json
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell_lab.train.heads import select, write

    path = Path(out)
    if not path.parent.is_dir():
        raise UsageError(f"--out {out}: there is no directory {path.parent}")
    with counter(quiet=quiet) as progress:
        heads = select(method, progress=progress, **chosen)
    spec = write(heads, path)
    give(heads.table(), spec, form, heads.to_dict())


@click.command("at2")
@click.argument("method", metavar="METHOD")
@click.option("--task", metavar="TASK", required=True, help="One with answers and their documents, such as quotesum.")
@data_option
@split_option("Of the data; not the one that is measured on.")
@click.option("--examples", metavar="N", type=click.IntRange(min=1), default=4000, show_default=True,
              help="How many answers at most, drawn with --seed.")  # fmt: skip
@click.option("--steps", metavar="N", type=click.IntRange(min=1), default=1000, show_default=True,
              help="Of the optimiser.")  # fmt: skip
@click.option("--granularity", type=click.Choice(("sentence", "paragraph")), default="sentence", show_default=True,
              help="What a source is.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Of the draws.")
@click.option("--out", metavar="FILE", required=True, help="Where to write the weights.")
@json_option
@quiet_option
def learn_at2(*, method: str, out: str, as_json: bool, quiet: bool, **chosen: Any) -> None:
    """Learn how much each head of METHOD, an at2(model=...), counts, from what leaving sources out does.

    The last line is the spec that uses them. No gold evidence is read: the model's own likelihoods are the labels.

    \b
    citewell train at2 "at2(model=PATH)" --task quotesum --data data --out at2.json
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell.text.safe import dumps
    from citewell_lab.train.at2 import learn, write

    path = Path(out)
    if not path.parent.is_dir():
        raise UsageError(f"--out {out}: there is no directory {path.parent}")
    with counter(quiet=quiet) as progress:
        weights = learn(method, progress=progress, **chosen)
    spec = write(weights, path)
    message = weights.record
    line = (
        f"{message['targets']} targets of {message['examples']} answers; "
        f"correlation on them {message['correlation']:.3f}"
    )
    click.echo(dumps(weights.to_dict()) if as_json else f"{line}\n\n{spec}")


@click.command("combine")
@click.option("--method", "methods", metavar="SPEC", multiple=True, required=True, help="An attributor; two or more.")
@click.option("--task", metavar="TASK", required=True, help="One with gold paragraphs, such as quotesum or qasper.")
@data_option
@split_option("Of the data; not the one that is measured on.")
@click.option("--examples", metavar="N", type=click.IntRange(min=1), default=200, show_default=True,
              help="How many are drawn with --seed.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Of the draw.")
@click.option("--out", metavar="FILE", required=True, help="Where to write the weights.")
@form_options
@quiet_option
def combine_methods(*, methods: tuple[str, ...], out: str, form: str | None, quiet: bool, **chosen: Any) -> None:
    """Fit the weights with which the scores of several attributors add up, as Citention does.

    The last line is the spec that uses them.

    \b
    citewell train combine --method lexical --method "icr(model=PATH)" --task quotesum --data data --out sum.json
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell_lab.train.combine import combine, write

    path = Path(out)
    if not path.parent.is_dir():
        raise UsageError(f"--out {out}: there is no directory {path.parent}")
    with counter(quiet=quiet) as progress:
        combined = combine(methods, progress=progress, **chosen)
    spec = write(combined, path)
    give(combined.table(), spec, form, combined.to_dict())
