"""`citewell bench cells`: are the figures of filings read and answered rightly, by the filings' tags?"""

from __future__ import annotations

import json
from pathlib import Path

import click

from citewell.cli.options import echo, json_option
from citewell.text import files


@click.command("cells")
@click.argument("folder", metavar="DIR")
@click.option("--seed", metavar="N", type=int, default=27, show_default=True, help="Draws the questions.")
@click.option("--truth", metavar="FILE", help="Write the questions and what is right there before any is asked.")
@click.option("--shown", metavar="N", type=click.IntRange(min=0), default=0, show_default=True,
              help="How many answers that are wrong or withheld to print.")  # fmt: skip
@json_option
def cells(*, folder: str, seed: int, truth: str | None, shown: int, as_json: bool) -> None:
    """Read the filings in DIR (HTML with inline XBRL), ask about their figures, and hold both against their tags.

    Readers do not see the tags. Each tagged cell is judged by value, period and scope. About a file with "10-k" in its
    name questions are asked for common items, in people's words.

    \b
    citewell bench cells filings --truth questions.jsonl
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell_lab.bench import inline

    if truth is not None:
        rows = [
            {"filing": path.stem, **one.to_dict()}
            for path, _, asked in inline.drawn(Path(folder), seed)
            for one in asked
        ]
        files.write(truth, "".join(json.dumps(row) + "\n" for row in rows))
    results = list(inline.run(Path(folder), seed))
    echo({name: dict(row) for name, row in inline.total(results).items()}, inline.text(results, shown), as_json=as_json)
