"""`citewell audit`: which citations of an answer exist, which support it, and which are missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from citewell.cli.options import Chosen, OfDocuments, document_argument, documents_options, options
from citewell.cli.requirement import hold_audit, shares
from citewell.errors import UsageError
from citewell.text import files, safe

if TYPE_CHECKING:
    from citewell import Document
    from citewell.audit.gold import Agreement
    from citewell.audit.scores import Audit, Entry
    from citewell.types import Citation, Reason


@click.command(cls=OfDocuments)
@click.argument("response", metavar="RESPONSE")
@document_argument
@options("audit", "also question checker method numbers json fixed gold require")
@documents_options
@options("audit", "timeout quiet")
def audit(
    *,
    response: str,
    chosen: Chosen,
    question: str | None,
    checker: str,
    method: str,
    numbers: str | None,
    as_json: bool,
    fixed: str | None,
    gold: str | None,
    require: str | None,
    timeout: float | None,
    quiet: bool,
) -> None:
    """Audit the citations in another system's answer.

    RESPONSE is the JSON of Anthropic, OpenAI, Azure, Gemini, Vertex, Bedrock, Cohere, Perplexity, RAGFlow, LangChain,
    LlamaIndex, Haystack or citewell, a stream of events, or plain text with [n] marks, with or without a list of its
    sources; - reads standard input. DOC is the document it cites; further documents follow in their order.

    \b
    citewell audit response.json report.pdf
    citewell audit answer.txt report.pdf --fixed better.txt
    citewell audit response.json report.pdf --require 0.9/0.8
    """  # noqa: D301  (click keeps the lines after this character as they are)
    from citewell.audit import edit, wire_read
    from citewell.audit.scores import audit as run
    from citewell.cli import inputs
    from citewell.cli import output as out
    from citewell.pipeline import Pipeline

    wanted = shares(require)
    inputs.one_stdin(response, *chosen.names, *filter(None, (gold,)))
    if fixed is not None:
        out.refuse_bad_target("--fixed", fixed, (response, *chosen.names))
    read = inputs.response(response)
    texts: Sequence[str] = ()
    if chosen.library:
        texts = inputs.statements(read if isinstance(read, str) else wire_read.read(read).text)
    documents = [source.document for source in inputs.sources(chosen, texts, quiet=quiet)]
    judging = Pipeline(attributor=method, checker=checker, timeout=timeout)
    ordered = chosen.library is None
    result = run(read, documents, question=question, pipeline=judging, numbers=numbers, ordered=ordered)
    if fixed:
        better = edit.edited(result)
        files.write(fixed, better if isinstance(better, str) else safe.dumps(better, indent=2) + "\n")
        if not quiet:
            click.echo(f"citewell: wrote {safe.clean(fixed)}", err=True)
    payload, lines = result.to_dict(), _lines(result)
    if gold is not None:
        agreement, left_out = _against_gold(result, gold, documents)
        payload |= {"gold": {**agreement.to_dict(), "warnings": left_out}}
        lines[3:3] = _gold_lines(agreement, left_out)
    click.echo(safe.dumps(payload) if as_json else "\n".join(lines))
    hold_audit(result, wanted)


def _against_gold(result: Audit, name: str, documents: Sequence[Document]) -> tuple[Agreement, list[str]]:
    """The response as it is against the annotations of a file, and what of those was left out."""
    from citewell.audit.gold import agreement, read
    from citewell.cli import inputs

    marked = inputs.response(name)
    if isinstance(marked, str):
        raise UsageError(f"{name} is no JSON: annotations are JSON-LD")
    verdicts, left_out = read(marked, documents)
    return agreement(result.answer, verdicts), left_out


def _gold_lines(agreement: Agreement, left_out: Sequence[str]) -> list[str]:
    from citewell.export.terminal import plain

    figures = (
        f"precision {_share(agreement.precision)}, recall {_share(agreement.recall)}, labels {_share(agreement.labels)}"
    )
    unmatched = f", {agreement.unmatched} are not in the response" if agreement.unmatched else ""
    lines = [f"against the annotations of {agreement.statements} statements{unmatched}: {figures}"]
    return lines + [plain(f"warning: {warning}") for warning in left_out]


def _why(reason: Reason) -> str:
    """A reason with the page of its evidence."""
    page = reason.evidence.page if reason.evidence else None
    return reason.message if page is None else f"{reason.message} · page {page}"


def _lines(result: Audit) -> list[str]:
    """The audit in words: figures, then each statement with its citations."""
    from citewell.export.terminal import plain
    from citewell.types import LABEL_SYMBOLS, LABEL_WORDS

    figures = result.to_dict()["counts"]
    lines = [
        f"{result.form}: {figures['citations']} citations, {figures['exist']} exist, {figures['support']} support",
        f"{figures['supported']} of {figures['statements']} statements are supported by what they cite",
        f"precision {_share(result.precision)}, recall {_share(result.recall)}",
    ]
    if result.declined:
        lines.append("the reply declines to answer: nothing is claimed")
    verdicts: dict[int | None, list[str]] = {}
    for place, entry in enumerate(result.citations, 1):
        judged = entry.statement is None or result.statements[entry.statement].label != "unverified"
        if entry.supports or not (entry.located.claim.shared and entry.located.exists):
            verdicts.setdefault(entry.statement, []).append(f"[{place}] {_verdict(entry, judged=judged)}")
    for number, statement in enumerate(result.statements):
        lines += ["", plain(f"{LABEL_SYMBOLS[statement.label]} {LABEL_WORDS[statement.label]}  {statement.text}")]
        lines += [plain(f"  → {_why(reason)}") for reason in statement.reasons if statement.cited]
        lines += [plain(f"  {line}") for line in verdicts.get(number, ())]
        if not statement.cited and statement.label != "no_claim":
            lines.append("  no citation")
        lines += [plain(f"  better: {_place(cited)}") for cited in statement.suggested]
    return [*lines, *(plain(line) for line in verdicts.get(None, ()))]


def _verdict(entry: Entry, *, judged: bool) -> str:
    """What is said of one citation, and where it stands."""
    if not entry.located.exists:
        return f"does not exist: {entry.located.problem}"
    remark = f" ({entry.located.remark})" if entry.located.remark else ""
    outcome = "supports" if entry.supports else "does not support" if judged else "could not be judged"
    return f"{outcome}{remark}" + (f": {_place(entry.located.citation)}" if entry.located.citation else "")


def _place(cited: Citation) -> str:
    """A quote on one line, and its page."""
    quote = f"“{' '.join(cited.quote.split())}”"
    return quote if cited.page is None else f"{quote} · page {cited.page}"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"
