"""References to the cited documents as BibTeX, CSL-JSON and RIS, for reference managers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from citewell.export.view import one_line
from citewell.text.safe import clean
from citewell.types import Citation, DocumentInfo

_SPECIAL = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "{": r"\textbraceleft{}", "}": r"\textbraceright{}",  # BibTeX counts a brace after a backslash, too
    **{sign: f"\\{sign}" for sign in "%&#_$"},
}  # fmt: skip
_AS_IRI = str.maketrans({"{": "%7B", "}": "%7D", "\\": "%5C"})
_WORD = re.compile(r"[a-z0-9]{3,}")


class Reference(NamedTuple):
    """A document that is cited, its year where that is known, and the pages that are cited, none where it has none."""

    key: str
    document: DocumentInfo
    year: int | None
    pages: tuple[int, ...]

    @property
    def title(self) -> str:
        """What it is called."""
        return clean(one_line(self.document.title or self.document.source or self.document.id))

    @property
    def source(self) -> str:
        """Where it lies: a path or an address, empty where that is not known."""
        return clean(one_line(self.document.source or ""))

    @property
    def address(self) -> str:
        """Where it lies in the web, empty where it does not."""
        return self.source if "://" in self.source else ""

    @property
    def where(self) -> str:
        """The cited pages, as people write them."""
        if not self.pages:
            return ""
        return f"{'p.' if len(self.pages) == 1 else 'pp.'} {', '.join(map(str, self.pages))}"


def references(
    citations: Iterable[Citation], documents: Iterable[DocumentInfo], years: Mapping[str, int] | None = None
) -> list[Reference]:
    """The documents that are cited, in the order in which they first are; `years` by the document's id."""
    pages: dict[str, set[int]] = {}
    for citation in citations:
        known = {citation.page, *(rect.page for rect in citation.rects)} - {None}
        pages.setdefault(citation.document_id, set()).update(page for page in known if page is not None)
    cited: list[Reference] = []
    infos = {info.id: info for info in documents}
    for info in (infos[name] for name in pages if name in infos):
        year = (years or {}).get(info.id)
        key = _key(info, year, {reference.key for reference in cited})
        cited.append(Reference(key, info, year, tuple(sorted(pages[info.id]))))
    return cited


def bibtex(cited: Sequence[Reference]) -> str:
    """One entry a document."""
    return "\n\n".join(map(_entry, cited)) + "\n" * bool(cited)


def csl(cited: Sequence[Reference]) -> list[dict[str, Any]]:
    """One item a document, as citation processors take them."""
    items = []
    for reference in cited:
        item: dict[str, Any] = {"id": reference.key, "type": "document", "title": reference.title}
        if reference.year is not None:
            item["issued"] = {"date-parts": [[reference.year]]}
        if reference.document.pages:
            item["number-of-pages"] = reference.document.pages
        if reference.address:
            item["URL"] = reference.address
        items.append(item | {"note": _note(reference)})
    return items


def ris(cited: Sequence[Reference]) -> str:
    """One record a document, as Zotero, EndNote and Mendeley import them."""
    return "".join(map(_record, cited))


def _record(reference: Reference) -> str:
    lines = [("TY", "GEN"), ("ID", reference.key), ("TI", reference.title)]
    if reference.year is not None:
        lines.append(("PY", str(reference.year)))
    if reference.source:
        lines.append(("UR" if reference.address else "L1", reference.source))
    lines += [("N1", _note(reference)), ("ER", "")]
    return "".join(f"{tag}  - {value}\r\n" for tag, value in lines) + "\r\n"


def _entry(reference: Reference) -> str:
    fields = {"title": f"{{{_escaped(reference.title)}}}"}  # twice in braces, so that styles keep its capitals
    if reference.year is not None:
        fields["year"] = str(reference.year)
    if reference.address:
        fields["url"] = reference.address.translate(_AS_IRI)
    elif reference.source:
        fields["howpublished"] = _escaped(reference.source)
    if reference.document.pages:
        fields["pagetotal"] = str(reference.document.pages)
    fields["note"] = _escaped(_note(reference))
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return f"@misc{{{reference.key},\n{lines}\n}}"


def _note(reference: Reference) -> str:
    """Which pages are cited, and of which text, so that another edition is not taken for it."""
    parts = [f"cited: {reference.where}"] if reference.where else []
    return "; ".join([*parts, f"SHA-256 of the text: {reference.document.sha256}"])


def _key(info: DocumentInfo, year: int | None, taken: set[str]) -> str:
    """The title's first word and the year, with the document's id where that is taken already."""
    plain = (
        unicodedata.normalize("NFKD", (info.title or info.source or "").casefold()).encode("ascii", "ignore").decode()
    )
    word = _WORD.search(plain)
    key = f"{word[0] if word else 'document'}{year or ''}"
    return f"{key}-{info.id}" if key in taken or not word else key


def _escaped(text: str) -> str:
    return "".join(_SPECIAL.get(sign, sign) for sign in text)
