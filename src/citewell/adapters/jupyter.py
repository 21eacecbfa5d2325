"""Jupyter: verdicts, audits and citations of chunks as pages, after `%load_ext citewell.adapters.jupyter`.

Answers are shown so by themselves; `show(answer, document)` puts the document beside them, with its evidence lit up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from citewell.adapters.chunks import Cited
from citewell.audit.scores import Audit
from citewell.errors import UsageError, needing
from citewell.export.html import render
from citewell.pipeline.sources import opened
from citewell.types import Answer, Verdict
from citewell.types.showing import framed

with needing("citewell.adapters.jupyter", "ipython", "jupyter"):
    from IPython.display import HTML

if TYPE_CHECKING:
    from citewell.pipeline.sources import Documents


def show(result: Any, documents: Documents = ()) -> HTML:
    """A result beside its documents: an answer, a verdict or several, an audit, or citations of chunks.

    Raises:
        UsageError: it is none of these.
    """
    page = _page(result, documents)
    if page is None:
        raise UsageError(
            f"a {type(result).__name__} is no result: an answer, verdicts, an audit or citations are shown"
        )
    return HTML(f"<div>{framed(page)}</div>")  # a bare frame makes IPython warn


def load_ipython_extension(shell: Any) -> None:
    """Let a notebook show results as pages; a list is shown so where it holds verdicts alone."""
    formatter = shell.display_formatter.formatters["text/html"]
    for kind in (Verdict, Audit, Cited, list):
        formatter.for_type(kind, _framed)


def unload_ipython_extension(shell: Any) -> None:
    """Show them as Python does again."""
    formatter = shell.display_formatter.formatters["text/html"]
    for kind in (Verdict, Audit, Cited, list):
        formatter.pop(kind, None)


def _framed(result: Any) -> str | None:
    page = _page(result, ())
    return None if page is None else framed(page)


def _page(result: Any, documents: Documents) -> str | None:
    """The page of a result, None where it is none."""
    answer: Answer | Sequence[Verdict]
    if isinstance(result, Answer):
        answer = result
    elif isinstance(result, Cited):
        answer = result.answer
    elif isinstance(result, Audit):
        answer = result.fixed
    elif isinstance(result, Verdict):
        answer = [result]
    elif isinstance(result, list | tuple) and result and all(isinstance(entry, Verdict) for entry in result):
        answer = result
    else:
        return None
    return render(answer, opened(documents) if documents else ())
