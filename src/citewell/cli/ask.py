"""`citewell ask`: answer a question from documents, or abstain."""

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
    refuse_ignored,
)
from citewell.cli.requirement import hold
from citewell.errors import UsageError

_STAGES = ("attributor", "checker", "uncited", "abstain", "timeout", "on_unsupported")  # options that a pipeline has
_OF_MODELS = (
    "prompt", "reduce", "attributor", "native", "no_verify", "uncited", "max_input", "max_tokens", "stream", "timeout",
)  # fmt: skip


@click.command(cls=OfDocuments)
@document_argument
@click.argument("question")
@options("ask", "also llm approach prompt reduce method checker native no-verify uncited max-input max-tokens timeout")
@options("ask", "stream abstain vocabulary on-unsupported thread")
@documents_options
@options("ask", "require")
@output_options
def ask(
    *,
    chosen: Chosen,
    question: str,
    llm: str | None,
    approach: str | None,
    native: bool,
    no_verify: bool,
    stream: bool | None,
    thread: str | None,
    require: str | None,
    output: Output,
    **options: Any,
) -> None:
    """Answer a question from documents, or abstain.

    Every statement of the answer comes with quoted, located evidence.

    DOC is a PDF, DOCX, XLSX, PPTX, ODT, EPUB, EML, HTML, Markdown, JATS XML or text file; scanned pages and pictures
    are read if citewell[ocr] and Tesseract are installed. - is standard input.

    \b
    citewell ask report.pdf "What was revenue in 2024?"
    citewell ask report.pdf "What was revenue in 2024?" --html answer.html
    citewell ask report.pdf "And in 2023?" --thread report
    citewell ask report.pdf "What was revenue in 2024?" --llm "openai(model=gpt-4o-mini)"
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell import pipeline
    from citewell.cli import inputs
    from citewell.cli import output as out
    from citewell.pipeline import approaches
    from citewell.pipeline.conversation import threads
    from citewell.pipeline.conversation.follow_up import rewrite
    from citewell.pipeline.conversation.talk import Conversation

    _refuse_ignored(llm, approach, plain=output.form == "terminal" or not stream)
    inputs.one_stdin(*chosen.names, question)
    out.refuse_bad_targets(output, chosen.names)
    question = inputs.text(question, "question")
    turns = threads.load(thread).turns if thread else ()
    whole = rewrite(question, turns) if thread else question
    sources, doubt = inputs.asked(chosen, whole, quiet=output.quiet)
    out.refuse_no_pdf(output, sources[0])
    documents = [source.document for source in sources]
    settings = {name: value for name, value in options.items() if value is not None}
    stages = {name: settings.pop(name) for name in _STAGES if name in settings} | {"verify": not no_verify}
    settings |= {"cite": "native"} if native else {}
    answering = pipeline.assembled(**{**approaches.chosen(llm, approach, **settings), **stages})
    live = out.Live(question, output) if llm and out.streams(stream, output) else None
    talk = Conversation(documents, thread=thread, pipeline=answering) if thread else None
    doubt = None if turns else doubt
    answer = talk.ask(question, live, doubt) if talk else answering.run(documents, question, live, doubt)
    out.write(answer, sources, output, already_printed=bool(live and live.statements and not answer.abstained))
    hold(answer.statements, require)


def _refuse_ignored(llm: str | None, approach: str | None, *, plain: bool) -> None:
    """Refuse options that the approach, or a form of the output other than `plain` text, has no use for."""
    from citewell import registry
    from citewell.pipeline import approaches

    if not plain:
        refuse_ignored(("stream",), "the answer is shown while it arrives only as plain text")
    name = registry.parse(approach or ("citation" if llm else "extractive")).name
    cite = approaches.approach(name).cite
    if llm is None and click.get_current_context().params.get("on_unsupported") == "rewrite":
        raise UsageError("--on-unsupported rewrite needs a language model that answers: say which with --llm")
    if llm is None and cite is None:
        refuse_ignored(_OF_MODELS, f"without --llm the approach is {name}, which quotes sentences")
    if cite == "none":
        refuse_ignored(("native", "no_verify", "uncited"), f"with the approach {name} the model does not cite")
    if cite == "all":
        refuse_ignored(("native", "uncited"), f"with the approach {name} all that was read is cited")
