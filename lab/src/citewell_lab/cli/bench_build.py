"""`citewell bench build`: derive a data set from another one and store it where runs find it by name."""

from __future__ import annotations

import json
from pathlib import Path

import click

from citewell.cli.options import data_option, quiet_option
from citewell.errors import UsageError
from citewell_lab.cli.options import split_option

GRANULAR = "verifiability-granular"


@click.command("build")
@click.argument("name", metavar="SET")
@data_option
@split_option("The split of the source data.")
@click.option("--llm", metavar="SPEC", help="The language model that paraphrases the answers; without one, rules do.")
@click.option("--out", metavar="FILE", help="Write to FILE instead of the place where runs look for it.")
@click.option("--against", metavar="FILE", help="A published file: report the agreement of the marked characters.")
@quiet_option
def build(*, name: str, data: str, split: str, llm: str | None, out: str | None, against: str | None,
          quiet: bool) -> None:  # fmt: skip
    """Make SET: verifiability-granular, quotesum-paraphrased or verifiability-granular-paraphrased.

    The first is derived from the judgments of verifiability by a character diff, the others by paraphrasing the answers
    of the set they are named after. `citewell bench run SET` then finds them.

    \b
    citewell bench build verifiability-granular --data data --split dev --against published.jsonl
    citewell bench build quotesum-paraphrased --data data --split test --llm "openai(model=gpt-4)"
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell.errors import notes
    from citewell.text import files
    from citewell_lab.bench.tasks import task
    from citewell_lab.papers.hidden_states import saved

    made_by = {GRANULAR: saved.granular_set, **dict.fromkeys(saved.PARAPHRASED, saved.paraphrased)}
    if name not in made_by:
        raise UsageError(f"no set {name!r} can be built; these can: {', '.join(made_by)}")
    target = Path(out) if out else Path(data) / task(name).data.folder / f"{split}.jsonl"
    if target.exists():
        raise UsageError(f"{target} is there already: give --out FILE, or move it away")
    with notes.collect() as noted:
        rows, left_out = made_by[name](name, data, split, llm)
    if not rows:
        why = left_out[0] if left_out else "there are no rows"
        raise UsageError(f"nothing could be built; the first because {why}")
    target.parent.mkdir(parents=True, exist_ok=True)
    files.write(target, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    if not quiet:
        for warning in noted.warnings:
            click.echo(f"warning: {warning}", err=True)
    note = f"; {len(left_out)} were left out, the first because {left_out[0]}" if left_out else ""
    click.echo(f"{target}: {len(rows)} answers{note}")
    if against:
        click.echo(saved.agreement(rows, Path(against)))
