"""A result as a file in the format of its suffix; other packages can add formats (`citewell.exports`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from citewell.document import Document
from citewell.errors import MissingExtraError, UsageError
from citewell.export.view import build_view
from citewell.registry.doors import Door, doors
from citewell.text.safe import dumps
from citewell.types import Answer, Verdict

if TYPE_CHECKING:
    from citewell.export.bibtex import Reference

GROUP = "citewell.exports"  # entry points by suffix, without its dot: (result, documents) -> str or bytes
Result = Answer | Sequence[Verdict]


def render(name: str, result: Result, documents: Sequence[Document] = ()) -> bytes:
    """The bytes of the file.

    Raises:
        UsageError: no form has this suffix, or the form needs a document that is not there.
        MissingExtraError: the form needs a package that is not installed.
    """
    return form(name)(result, documents)


def form(name: str) -> Callable[[Result, Sequence[Document]], bytes]:
    """What writes the form that a file's name ends with.

    Raises:
        UsageError: there is none.
        PlugInError: it is another package's and cannot be loaded.
        MissingExtraError: it needs a package that is not installed.
    """
    for suffix, write in FORMS.items():
        if name.lower().endswith(suffix):
            if write is _docx and find_spec("docx") is None:
                raise MissingExtraError("a Word document", "python-docx", "docx")
            return write
    for suffix, door in doors(GROUP).items():
        if name.lower().endswith(f".{suffix}"):
            return _plugged(door)
    raise UsageError(f"{name}: a result is saved as {', '.join(list(FORMS)[:-1])} or {list(FORMS)[-1]}")


def _plugged(door: Door) -> Callable[[Result, Sequence[Document]], bytes]:
    """A form of another package.

    Raises:
        PlugInError: it cannot be loaded.
    """
    function = door.load()

    def write(result: Result, documents: Sequence[Document]) -> bytes:
        content = function(result, documents)
        return _text(content) if isinstance(content, str) else bytes(content)

    return write


def _json(result: Result, documents: Sequence[Document]) -> bytes:
    from citewell.export import as_json

    return _text(as_json.render(result, documents, indent=2) + "\n")


def _html(result: Result, documents: Sequence[Document]) -> bytes:
    from citewell.export import html

    return _text(html.render(result, documents))


def _markdown(result: Result, documents: Sequence[Document]) -> bytes:
    from citewell.export import markdown

    return _text(markdown.render(result, documents) + "\n")


def _docx(result: Result, documents: Sequence[Document]) -> bytes:
    from citewell.export import docx

    return docx.render(result, documents)


def _pdf(result: Result, documents: Sequence[Document]) -> bytes:
    from citewell.export import pdf

    for document in documents:
        data = getattr(document.locator, "file", b"")
        if pdf.is_pdf(data):
            return pdf.annotate(result, document, data)[0]
    raise UsageError("an annotated PDF needs the cited PDF: pass the document as well as the file's name")


def _bibtex(result: Result, documents: Sequence[Document]) -> bytes:
    from citewell.export import bibtex

    return _text(bibtex.bibtex(_references(result, documents)))


def _csl(result: Result, documents: Sequence[Document]) -> bytes:
    from citewell.export import bibtex

    return _text(dumps(bibtex.csl(_references(result, documents)), indent=2) + "\n")


def _ris(result: Result, documents: Sequence[Document]) -> bytes:
    from citewell.export import bibtex

    return _text(bibtex.ris(_references(result, documents)))


def _annotations(result: Result, documents: Sequence[Document]) -> bytes:
    from citewell.export import annotations

    return _text(dumps(annotations.render(result, documents), indent=2) + "\n")


def _references(result: Result, documents: Sequence[Document]) -> list[Reference]:
    from citewell.export import bibtex

    answer = build_view(result, documents).answer
    supporting = [answer.citations[number] for number in answer.supporting]
    return bibtex.references(supporting, answer.documents)


def _text(text: str) -> bytes:
    return text.encode("utf-8", "replace")


# The longer of two that a name may end with comes first.
FORMS: dict[str, Callable[[Result, Sequence[Document]], bytes]] = {
    ".csl.json": _csl,
    ".json": _json,
    ".jsonld": _annotations,
    ".html": _html,
    ".md": _markdown,
    ".docx": _docx,
    ".pdf": _pdf,
    ".bib": _bibtex,
    ".ris": _ris,
}
