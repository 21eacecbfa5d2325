"""`citewell train select-heads`: what attributors by attention learn from examples with gold paragraphs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from citewell.cli.calibrate import counter
from citewell.cli.options import data_option, json_option, quiet_option, split_option
from citewell.errors import UsageError


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
@json_option
@quiet_option
def select_heads(*, method: str, out: str, as_json: bool, quiet: bool, **chosen: Any) -> None:
    """Choose the heads of METHOD, a qrhead(model=...), that look most at gold paragraphs.

    The last line is the spec that uses them. The file says with which prompt, data and versions they were chosen.

    \b
    citewell train select-heads "qrhead(model=PATH)" --task quotesum --data data --out heads.json
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell.text.safe import dumps
    from citewell.train.heads import select, write

    path = Path(out)
    if not path.parent.is_dir():
        raise UsageError(f"--out {out}: there is no directory {path.parent}")
    with counter(quiet=quiet) as progress:
        heads = select(method, progress=progress, **chosen)
    spec = write(heads, path)
    click.echo(dumps(heads.to_dict()) if as_json else f"{heads.table().text()}\n\n{spec}")
