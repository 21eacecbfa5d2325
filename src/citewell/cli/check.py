"""`citewell check`: judge claims against documents."""

from __future__ import annotations

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
@click.argument("claims", metavar="CLAIM...", nargs=-1, required=True)
@options("check", "also checker timeout")
@documents_options
@options("check", "require")
@output_options
def check(
    *,
    chosen: Chosen,
    claims: tuple[str, ...],
    checker: str,
    timeout: float | None,
    require: str | None,
    output: Output,
) -> None:
    """Judge claims against documents.

    Each CLAIM is supported, partially supported or not supported by DOC, contradicted, or not verified if the checker
    cannot judge it. With --require, claims that fall short are listed and the exit code is 3.

    A CLAIM of - reads claims from standard input, one per line.

    \b
    citewell check report.pdf "Revenue fell." "The fleet grew by two ships."
    citewell check report.pdf - --require supported < claims.txt
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell.cli import inputs
    from citewell.cli import output as out
    from citewell.pipeline import Pipeline

    inputs.one_stdin(*chosen.names, *claims)
    out.refuse_bad_targets(output, chosen.names)
    texts = [line.strip() for claim in claims for line in _lines(claim)]
    sources = inputs.sources(chosen, texts, quiet=output.quiet)
    out.refuse_no_pdf(output, sources[0])
    documents = [source.document for source in sources]
    judging = Pipeline(checker=checker, timeout=timeout)
    verdicts = judging.check(documents, texts)
    out.write(verdicts, sources, output, how=judging.record("checked"))
    hold(verdicts, require)


def _lines(claim: str) -> list[str]:
    """A claim as it is, or the lines of standard input that hold something."""
    from citewell.cli import inputs

    text = inputs.text(claim, "claim")
    return [line for line in text.splitlines() if line.strip()] if claim == inputs.STDIN else [text]
