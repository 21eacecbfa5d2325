"""`citewell ask`: answer a question from documents, or abstain."""

from __future__ import annotations

import click

from citewell.cli.options import Output, also_option, document_argument, output_options


@click.command()
@document_argument
@click.argument("question")
@also_option
@click.option("--llm", metavar="SPEC", help="The language model; without one, sentences are quoted (extractive).")
@click.option("--approach", metavar="NAME", help="How answer and evidence come about, e.g. post-hoc.")
@click.option(
    "--abstain", metavar="SCORE", type=click.FloatRange(0, 1), help="Give no answer whose score is below this, 0 to 1."
)
@output_options
def ask(
    *,
    document: str,
    question: str,
    also: tuple[str, ...],
    llm: str | None,
    approach: str | None,
    abstain: float | None,
    output: Output,
) -> None:
    """Answer a question from documents, or abstain.

    Every statement of the answer comes with quoted, located evidence.

    DOC is a PDF, HTML, DOCX, Markdown, JATS XML or text file, or - for standard input.

    \b
    citewell ask report.pdf "What was revenue in 2024?"
    citewell ask report.pdf "What was revenue in 2024?" --html answer.html
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell import pipeline
    from citewell.cli import inputs
    from citewell.cli import output as out

    names = (document, *also)
    inputs.one_stdin(*names, question)
    out.refuse_bad_targets(output, names)
    question = inputs.text(question, "question")
    found = inputs.sources(names, quiet=output.quiet)
    out.refuse_no_pdf(output, found[0])
    documents = [source.document for source in found]
    answer = pipeline.ask(documents, question, llm=llm, approach=approach, abstain=abstain)
    out.write(answer, found, output)
