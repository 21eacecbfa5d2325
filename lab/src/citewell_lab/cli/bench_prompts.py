"""`citewell bench prompts`: experiments on the position of the instruction and the number of examples."""

from __future__ import annotations

import sys
from typing import Any

import click

from citewell.cli.options import data_option, declining_option, out_option, preset_option, quiet_option
from citewell_lab.cli.options import form_options, limit_option, sample_option, split_option


@click.command("prompts")
@click.argument("task", metavar="TASK")
@data_option
@split_option("A development split.")
@click.option("--llm", metavar="SPEC", required=True, help="The language model.")
@click.option("--approach", metavar="NAME", default="citation", show_default=True, help="The approach that answers.")
@click.option("--checker", metavar="SPEC", help="The checker that judges attributability; lexical by default.")
@preset_option
@declining_option
@sample_option("Random items for each (see --seed).", 100)
@limit_option("Only the first N of these.")
@click.option("--seed", type=int, help="Seed of the sample and of the language model; 0 by default.")
@out_option
@form_options
@quiet_option
def prompts(*, task: str, form: str | None, quiet: bool, **options: Any) -> None:
    """Answer TASK with six settings of the prompt, compared with LAB's table 14."""
    from citewell_lab.papers.lab import prompting
    from citewell_lab.report.table import printed

    settings = []
    for setting in prompting.experiments(task, progress=not quiet and sys.stderr.isatty(), **options):
        settings.append(setting)
        if not quiet:
            click.echo(f"{setting.name}: n {setting.result.n}, failed {setting.result.failed}", err=True)
    table = prompting.table(task, settings)
    figures = {"settings": [{"name": setting.name, **setting.result.to_dict()} for setting in settings]}
    click.echo(printed([table], form, figures))
