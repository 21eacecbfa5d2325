"""`citewell verify`: compare a saved answer with its documents."""

from __future__ import annotations

from dataclasses import replace

import click

from citewell.cli.options import Chosen, OfDocuments, documents_options, echo, options
from citewell.errors import RequirementError


@click.command(cls=OfDocuments)
@click.argument("answer", metavar="ANSWER.json")
@click.argument("documents", metavar="DOC...", nargs=-1, required=True)
@documents_options
@options("verify", "recheck json quiet")
def verify(*, answer: str, chosen: Chosen, recheck: bool, as_json: bool, quiet: bool) -> int:
    """Verify a saved answer against its documents.

    Every quote of ANSWER.json (what --json printed) must still be in DOC at its offsets; the statements must match the
    text; the labels must be consistent with the citations; and nothing may have changed since the answer was made. With
    --recheck, evidence, labels and reasons are computed again with the method that the answer names.

    Exits with 0 if everything holds, with 3 if something does not, and with 2 if a file cannot be read.
    """
    from citewell.audit import verify as verifying
    from citewell.cli import inputs
    from citewell.export.terminal import plain

    inputs.one_stdin(answer, *chosen.names)
    saved = verifying.load(_read(answer))
    sources = inputs.named(chosen, [document.id for document in saved.documents], quiet=quiet)
    report = verifying.verify(saved, sources)
    if recheck:
        from citewell.audit.recheck import recheck as run_again

        report = replace(report, mismatches=(*report.mismatches, *run_again(saved, sources)))
    lines = [plain(f"✗ {mismatch.where}: {mismatch.message}") for mismatch in report.mismatches]
    counts = f"{_many(report.citations, 'citation')}, {_many(report.statements, 'statement')}"
    outcome = "everything holds" if report.ok else f"{len(lines)} {'does' if len(lines) == 1 else 'do'} not hold"
    echo(report.to_dict(), "\n".join([*lines, f"{'✓ ' * report.ok}{counts}: {outcome}"]), as_json=as_json)
    return 0 if report.ok else RequirementError.exit_code


def _read(name: str) -> str:
    from citewell.cli import inputs

    return inputs.text(name, "answer") if name == inputs.STDIN else inputs.file_text(name)


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
