"""`citewell attribute`: find the evidence for an existing answer."""

from __future__ import annotations

from typing import Any

import click

from citewell.cli.options import (
    Chosen,
    OfDocuments,
    Output,
    also_option,
    document_argument,
    documents_options,
    output_options,
    timeout_option,
    unsupported_option,
)
from citewell.cli.requirement import hold, require_option


@click.command(cls=OfDocuments)
@document_argument
@click.argument("answer")
@also_option
@click.option("--question", metavar="TEXT", help="The question that the answer replies to.")
@click.option("--method", metavar="SPEC", default="lexical", show_default=True, help="The attributor.")
@click.option(
    "--granularity",
    type=click.Choice(["sentence", "paragraph", "window", "token"]),
    default="sentence",
    show_default=True,
    help="What a citation is: a sentence, a paragraph, a copied span with its source, or the single words.",
)
@click.option(
    "--span",
    "parts",
    metavar="TEXT|FROM:TO",
    multiple=True,
    help="Attribute this part of ANSWER instead of its statements: its words, or offsets; repeatable.",
)
@click.option("-k", metavar="N", type=click.IntRange(min=1), help="At most N citations per statement.")
@click.option("--minimal", is_flag=True, help="Drop evidence whose removal does not lower the score.")
@timeout_option
@unsupported_option("mark", "drop", "refuse")
@documents_options
@require_option
@output_options
def attribute(
    *,
    chosen: Chosen,
    answer: str,
    parts: tuple[str, ...],
    require: str | None,
    output: Output,
    **settings: Any,
) -> None:
    """Find the evidence for an existing answer.

    ANSWER is a text, or - for standard input; every statement in it gets a label and its evidence in DOC.

    \b
    citewell attribute report.pdf "Revenue rose to 41 million."
    citewell attribute report.pdf - < answer.txt
    citewell attribute report.pdf "Revenue rose to 41 million." --span "41 million" --granularity window
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell import pipeline
    from citewell.cli import inputs
    from citewell.cli import output as out

    inputs.one_stdin(*chosen.names, answer)
    out.refuse_bad_targets(output, chosen.names)
    text = inputs.text(answer, "answer")
    sources = inputs.sources(chosen, inputs.statements(text), quiet=output.quiet)
    out.refuse_no_pdf(output, sources[0])
    documents = [source.document for source in sources]
    result = pipeline.attribute(documents, text, spans=inputs.spans(text, parts), **settings)
    out.write(result, sources, output)
    hold(result.statements, require)
