"""`citewell train select-heads`, `at2` and `combine`: learn settings of attention-based attributors."""

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
@click.option("--task", metavar="TASK", required=True, help="A task with gold paragraphs, such as quotesum or qasper.")
@data_option
@split_option("The split of the data; not the one used for measurements.")
@click.option("--examples", metavar="N", type=click.IntRange(min=1), default=128, show_default=True,
              help="Number of random examples (see --seed).")  # fmt: skip
@click.option("--heads", "count", metavar="N", type=click.IntRange(min=1), default=16, show_default=True,
              help="Number of heads to choose.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the sample.")
@click.option("--out", metavar="FILE", required=True, help="Where to write the heads.")
@form_options
@quiet_option
def select_heads(*, method: str, out: str, form: str | None, quiet: bool, **chosen: Any) -> None:
    """Choose the heads of METHOD, a qrhead(model=...), that attend most to gold paragraphs.

    The last line of output is the spec that uses them. The file records the prompt, data and versions with which they
    were chosen.

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
@click.option(
    "--task", metavar="TASK", required=True, help="A task with answers and their documents, such as quotesum."
)
@data_option
@split_option("The split of the data; not the one used for measurements.")
@click.option("--examples", metavar="N", type=click.IntRange(min=1), default=4000, show_default=True,
              help="Maximum number of random answers (see --seed).")  # fmt: skip
@click.option("--steps", metavar="N", type=click.IntRange(min=1), default=1000, show_default=True,
              help="Steps of the optimiser.")  # fmt: skip
@click.option("--granularity", type=click.Choice(("sentence", "paragraph")), default="sentence", show_default=True,
              help="The unit of a source.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of random choices.")
@click.option("--out", metavar="FILE", required=True, help="Where to write the weights.")
@json_option
@quiet_option
def learn_at2(*, method: str, out: str, as_json: bool, quiet: bool, **chosen: Any) -> None:
    """Learn the weight of each head of METHOD, an at2(model=...), from the effect of leaving sources out.

    The last line of output is the spec that uses them. No gold evidence is used: the model's own likelihoods are the
    labels.

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
@click.option("--task", metavar="TASK", required=True, help="A task with gold paragraphs, such as quotesum or qasper.")
@data_option
@split_option("The split of the data; not the one used for measurements.")
@click.option("--examples", metavar="N", type=click.IntRange(min=1), default=200, show_default=True,
              help="Number of random examples (see --seed).")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the sample.")
@click.option("--out", metavar="FILE", required=True, help="Where to write the weights.")
@form_options
@quiet_option
def combine_methods(*, methods: tuple[str, ...], out: str, form: str | None, quiet: bool, **chosen: Any) -> None:
    """Fit the weights for adding up the scores of several attributors, as Citention does.

    The last line of output is the spec that uses them.

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
