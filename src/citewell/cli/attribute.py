"""`citewell attribute`: find the evidence for an existing answer."""

from __future__ import annotations

from typing import Any

import click

from citewell.cli.options import (
    Chosen,
    OfDocuments,
    Output,
    document_argument,
    documents_options,
    options,
    output_options,
)
from citewell.cli.requirement import hold


@click.command(cls=OfDocuments)
@document_argument
@click.argument("answer")
@options("attribute", "also question method granularity span k minimal timeout on-unsupported")
@documents_options
@options("attribute", "require")
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
