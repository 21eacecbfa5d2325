"""Evidence as W3C Web Annotations (JSON-LD): a body per statement, a target by position and words per quote.

The model is https://www.w3.org/TR/annotation-model/; a TextPositionSelector counts code points, as we do.
"""

from __future__ import annotations

import mimetypes
import uuid
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from citewell.document import Document
from citewell.export.view import View, build_view
from citewell.types import Answer, Citation, DocumentInfo, Statement, Verdict

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
AROUND = 32
"""Characters before and after a quote, by which it is told from the same words elsewhere."""
_PAGE = "http://tools.ietf.org/rfc/rfc3778"  # "page=3" of a PDF


def render(result: Answer | Sequence[Verdict], documents: Sequence[Document] = ()) -> dict[str, Any]:
    """A collection with an annotation for each statement and piece of evidence.

    A statement without evidence is about its documents as wholes; where these are not known, about itself, since an
    annotation has a target. Without the documents, quotes have no surroundings.
    """
    view = build_view(result, documents)
    items = list(_items(view))
    name = _name("collection", *(item["id"] for item in items))
    page = {"id": f"{name}#1", "type": "AnnotationPage", "partOf": name, "startIndex": 0, "items": items}
    label = {"label": view.answer.question} if view.answer.question else {}
    return {
        "@context": CONTEXT, "id": name, "type": "AnnotationCollection", **label, "total": len(items), "first": page
    }  # fmt: skip


def _items(view: View) -> Iterator[dict[str, Any]]:
    answer = view.answer
    infos = {info.id: info for info in answer.documents}
    name = _name("answer", answer.text)
    for number, statement in enumerate(answer.statements):
        body = _body(statement, "" if view.checked else name)
        for place in statement.citations:
            citation = answer.citations[place]
            target = _target(citation, infos.get(citation.document_id), view.document(citation))
            where = f"{citation.document_id}:{citation.start}:{citation.end}"
            yield _annotation(_name(name, str(number), where, str(place)), body, target)
        if not statement.citations:
            known = [_source(info) for info in infos.values()]
            yield _annotation(_name(name, str(number)), body, known or _name(statement.text))


def _annotation(name: str, body: list[dict[str, Any]], target: Any) -> dict[str, Any]:
    return {"id": name, "type": "Annotation", "motivation": "linking", "body": body, "target": target}


def _body(statement: Statement, answer: str) -> list[dict[str, Any]]:
    """The statement, its label, and where it stands in the answer, if there is one."""
    body: list[dict[str, Any]] = [
        {"type": "TextualBody", "value": statement.text, "format": "text/plain", "purpose": "describing"},
        {"type": "TextualBody", "value": statement.label, "format": "text/plain", "purpose": "classifying"},
    ]
    if answer:
        at = {"type": "TextPositionSelector", "start": statement.start, "end": statement.end}
        body.append({"type": "SpecificResource", "source": answer, "selector": at, "purpose": "linking"})
    return body


def _target(citation: Citation, info: DocumentInfo | None, document: Document | None) -> dict[str, Any]:
    words = {"type": "TextQuoteSelector", "exact": citation.quote}
    if document is not None:
        words["prefix"] = document.text[max(0, citation.start - AROUND) : citation.start]
        words["suffix"] = document.text[citation.end : citation.end + AROUND]
    selectors: list[dict[str, Any]] = [
        {"type": "TextPositionSelector", "start": citation.start, "end": citation.end}, words
    ]  # fmt: skip
    if citation.page is not None:
        selectors.append({"type": "FragmentSelector", "conformsTo": _PAGE, "value": f"page={citation.page}"})
    source = _source(info) if info else {"id": f"urn:citewell:{citation.document_id}", "type": "Text"}
    return {"type": "SpecificResource", "source": source, "selector": selectors}


def _source(info: DocumentInfo) -> dict[str, Any]:
    """The document: its address or path as an IRI, its title, and the hash of the text that positions count in."""
    title = {"dc:title": info.title} if info.title else {}
    kind = mimetypes.MimeTypes().guess_type(info.source or "")[0]  # of the table in Python, the same on every machine
    target = {"format": kind} if kind else {}
    return {"id": _iri(info), "type": "Text", **target, **title, "dc:identifier": f"sha256:{info.sha256}"}


def _iri(info: DocumentInfo) -> str:
    if not info.source:
        return f"urn:citewell:{info.id}"
    if info.source.startswith(("http://", "https://", "file://")):
        return info.source
    path = PurePath(info.source)
    return quote(path.as_posix(), errors="replace", safe="/")


def _name(*parts: str) -> str:
    """The same parts give the same name."""
    return uuid.uuid5(uuid.NAMESPACE_URL, "\0".join(parts).encode("utf-8", "replace").decode()).urn
