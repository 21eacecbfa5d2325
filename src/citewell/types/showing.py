"""Conversions of results: JSON, and the pages and texts that modules in higher layers write."""

from __future__ import annotations

import html
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Self

from citewell.errors import AnswerFormatError

_FRAME = '<iframe sandbox="allow-scripts" style="width: 100%; height: 36em; border: 0" srcdoc="{}"></iframe>'


# What values and documents call further up the flow, each imported when it is called: the one list of such calls, which
# docs/draw_structure.py draws and a test holds to what stands in the code.
LATER = {
    "dumps": "text.safe:dumps",
    "loads": "text.safe:loads",
    "write": "text.files:write",
    "open_documents": "pipeline.sources:opened",
    "kept_places": "readers.places:kept",
    "restore_places": "readers.places:placed",
    "render_html": "export.html:render",
    "render_markdown": "export.markdown:render",
    "to_pandas": "export.columns:to_pandas",
    "to_arrow": "export.columns:to_arrow",
    "render_file": "export.suffixes:render",
}


def later(name: str) -> Any:
    """A function of `LATER`, imported now."""
    module, _, attribute = LATER[name].partition(":")
    return getattr(import_module(f"citewell.{module}"), attribute)


class Saved:
    """A value with a JSON form."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        raise NotImplementedError

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Create a document from the JSON form."""
        raise NotImplementedError

    def to_json(self, *, indent: int | None = None) -> str:
        """The JSON form as text; terminal control characters stay escaped."""
        text: str = later("dumps")(self.to_dict(), indent=indent)
        return text

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read `to_json` back: the same value.

        Raises AnswerFormatError: the text is not JSON, or not the JSON form of such a value.
        """
        try:
            data = later("loads")(text)
        except ValueError as error:
            raise AnswerFormatError(f"this is not JSON: {error}") from error
        return cls.from_dict(data)


class Renderable(Saved):
    """A result that can be displayed with its documents: documents, or paths of files, which are read again."""

    __slots__ = ()

    def to_html(self, documents: Any = ()) -> str:
        """A self-contained page; with documents, the evidence is highlighted in them."""
        page: str = later("render_html")(self, _opened(documents))
        return page

    def to_markdown(self, documents: Any = ()) -> str:
        """Markdown with a footnote for each piece of evidence."""
        text: str = later("render_markdown")(self, _opened(documents))
        return text

    def to_pandas(self) -> Any:
        """A pandas DataFrame with one row per statement and citation; docs/quickstart.md lists its columns.

        Raises MissingExtraError: pandas is not installed.
        """
        return later("to_pandas")(self)

    def to_arrow(self) -> Any:
        """An Arrow table with the same columns. Raises MissingExtraError: pyarrow is not installed."""
        return later("to_arrow")(self)

    def save(self, path: str | Path, documents: Any = ()) -> None:
        """Write a file, by its suffix: .json, .html, .md, .docx, .pdf, .bib, .csl.json, .ris or .jsonld.

        Raises UsageError: the suffix is unknown, or it is .pdf and none of the documents is a PDF; MissingExtraError:
        the suffix is .docx and python-docx is not installed; InputError: the file cannot be written.
        """
        content: bytes = later("render_file")(str(path), self, _opened(documents))
        later("write")(Path(path), content)

    def _repr_html_(self) -> str:
        """The page in a separate frame, as displayed by notebooks."""
        return framed(self.to_html())


def framed(page: str) -> str:
    """A page in a separate frame, for a notebook."""
    return _FRAME.format(html.escape(page))


def _opened(documents: Any) -> Any:
    return later("open_documents")(documents) if documents else ()
