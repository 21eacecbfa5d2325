"""What results can be turned into: JSON, and pages and texts that modules further down know how to write."""

from __future__ import annotations

import html
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Self

from citewell.errors import AnswerFormatError

_FRAME = '<iframe sandbox="allow-scripts" style="width: 100%; height: 36em; border: 0" srcdoc="{}"></iframe>'


def by(target: str) -> Any:
    """A function of a module that imports this one, as `module:name`."""
    module, _, name = target.partition(":")
    return getattr(import_module(f"citewell.{module}"), name)


class Saved:
    """A value with a JSON form."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        raise NotImplementedError

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read the JSON form back."""
        raise NotImplementedError

    def to_json(self, *, indent: int | None = None) -> str:
        """The JSON form as text; what controls a terminal stays escaped."""
        text: str = by("text.safe:dumps")(self.to_dict(), indent=indent)
        return text

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read `to_json` back: the same value.

        Raises:
            AnswerFormatError: it is not JSON, or not that of such a value.
        """
        try:
            data = by("text.safe:loads")(text)
        except ValueError as error:
            raise AnswerFormatError(f"this is not JSON: {error}") from error
        return cls.from_dict(data)


class Renderable(Saved):
    """A result that can be shown beside its documents: what was read, or paths of files, which are read again."""

    __slots__ = ()

    def to_html(self, documents: Any = ()) -> str:
        """A page that needs nothing from elsewhere; with its documents, their evidence is lit up in them."""
        page: str = by("export.html:render")(self, _opened(documents))
        return page

    def to_markdown(self, documents: Any = ()) -> str:
        """Markdown with a footnote for each piece of evidence."""
        text: str = by("export.markdown:render")(self, _opened(documents))
        return text

    def to_pandas(self) -> Any:
        """A DataFrame of pandas, one row a statement and citation; docs/quickstart.md lists its columns.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        return by("export.columns:to_pandas")(self)

    def to_arrow(self) -> Any:
        """A table of Arrow with the same columns.

        Raises:
            MissingExtraError: pyarrow is not installed.
        """
        return by("export.columns:to_arrow")(self)

    def save(self, path: str | Path, documents: Any = ()) -> None:
        """Write a file, by its suffix: .json, .html, .md, .docx, .pdf, .bib, .csl.json, .ris or .jsonld.

        Raises:
            UsageError: it has another suffix, or is a PDF and none of the documents is.
            MissingExtraError: it is a Word document, and python-docx is not installed.
            InputError: it cannot be written.
        """
        content: bytes = by("export.suffixes:render")(str(path), self, _opened(documents))
        by("text.files:write")(Path(path), content)

    def _repr_html_(self) -> str:
        """The page in a frame of its own, as notebooks show it."""
        return framed(self.to_html())


def framed(page: str) -> str:
    """A page in a frame of its own, for a notebook."""
    return _FRAME.format(html.escape(page))


def _opened(documents: Any) -> Any:
    return by("readers.sources:opened")(documents) if documents else ()
