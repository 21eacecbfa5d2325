"""A result as a file in the format of its suffix; other packages can add formats (`citewell.exports`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from importlib.util import find_spec

from citewell.document import Document
from citewell.errors import MissingExtraError, UsageError
from citewell.export.view import build_view
from citewell.registry.doors import doors
from citewell.text.safe import dumps
from citewell.types import Answer, Verdict

GROUP = "citewell.exports"  # entry points by suffix, without its dot: (result, documents) -> str or bytes
# The longer of two that a name may end with comes first.
FORMS = (".csl.json", ".json", ".jsonld", ".html", ".md", ".docx", ".pdf", ".bib", ".ris")
Result = Answer | Sequence[Verdict]
Writer = Callable[[Result, Sequence[Document]], bytes]


def render(name: str, result: Result, documents: Sequence[Document] = ()) -> bytes:
    """The bytes of the file.

    Raises UsageError: no form has this suffix, or the form needs a document that is not there; MissingExtraError: the
    form needs a package that is not installed.
    """
    return form(name)(result, documents)


def form(name: str) -> Writer:
    """What writes the form that a file's name ends with.

    Raises UsageError: there is none; PlugInError: it is another package's and cannot be loaded; MissingExtraError: it
    needs a package that is not installed.
    """
    for suffix in FORMS:
        if name.lower().endswith(suffix):
            if suffix == ".docx" and find_spec("docx") is None:
                raise MissingExtraError("a Word document", "python-docx", "docx")
            return _writer(suffix)
    for suffix, door in doors(GROUP).items():
        if name.lower().endswith(f".{suffix}"):
            return _encoding(door.load())
    raise UsageError(f"{name}: a result is saved as {', '.join(FORMS[:-1])} or {FORMS[-1]}")


@lru_cache(maxsize=16)
def _writer(suffix: str) -> Writer:
    return _encoding(partial(_content, suffix))


def _encoding(write: Callable[[Result, Sequence[Document]], str | bytes]) -> Writer:
    def encoded(result: Result, documents: Sequence[Document]) -> bytes:
        content = write(result, documents)
        return content.encode("utf-8", "replace") if isinstance(content, str) else bytes(content)

    return encoded


def _content(suffix: str, result: Result, documents: Sequence[Document]) -> str | bytes:
    from citewell.export import annotations, as_json, bibtex, docx, html, markdown, pdf

    match suffix:
        case ".json":
            return as_json.render(result, documents, indent=2) + "\n"
        case ".jsonld":
            return dumps(annotations.render(result, documents), indent=2) + "\n"
        case ".html":
            return html.render(result, documents)
        case ".md":
            return markdown.render(result, documents) + "\n"
        case ".docx":
            return docx.render(result, documents)
        case ".pdf":
            for document in documents:
                data = getattr(document.locator, "file", b"")
                if pdf.is_pdf(data):
                    return pdf.annotate(result, document, data)[0]
            raise UsageError("an annotated PDF needs the cited PDF: pass the document as well as the file's name")
    answer = build_view(result, documents).answer
    cited = bibtex.references([answer.citations[number] for number in answer.supporting], answer.documents)
    if suffix == ".csl.json":
        return dumps(bibtex.csl(cited), indent=2) + "\n"
    return bibtex.bibtex(cited) if suffix == ".bib" else bibtex.ris(cited)
