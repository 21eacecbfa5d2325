"""W3C Web Annotations as the gold standard: human judgments of support, compared with an answer.

gold, warnings = read(json.load(open("gold.jsonld")), documents)
agreement(answer, gold).recall
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple
from urllib.parse import unquote

from citewell.audit.precision import share
from citewell.document import Document
from citewell.errors import InputError
from citewell.text import spans
from citewell.types import HOLDS, LABELS, Answer, Citation, Label, Span, Verdict

_METHOD = "annotation"
_LABELLING = ("classifying", "tagging")


class Agreement(NamedTuple):
    """How an answer stands to gold."""

    statements: int  # of the answer that gold has, by their words
    unmatched: int  # statements of gold that the answer does not have
    precision: float | None  # share of those statements' citations that touch their gold evidence; None without any
    recall: float | None  # share of their gold evidence that a citation touches; None without any
    labels: float | None  # share of them whose label holds where gold's does; None without any

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return self._asdict()


class _Unusable(Exception):  # noqa: N818  (becomes a warning)
    """Why an annotation is left out."""


def read(data: Any, documents: Sequence[Document]) -> tuple[list[Verdict], list[str]]:
    """The statements of annotations, each with its evidence in these documents, and what was left out.

    A target is found by its TextPositionSelector (code points, as the model says), held against its TextQuoteSelector;
    where the words stand elsewhere, by those, if they stand in one place alone. Raises InputError: these are no
    annotations, or none of them is about the documents.
    """
    gold: dict[str, Verdict] = {}
    named: dict[str, Label] = {}  # labels that annotations give: another one of the same statement may say none
    warnings: list[str] = []
    items = list(_items(data))
    if not items:
        raise InputError("there are no W3C annotations: neither an Annotation, nor a page, collection or list of them")
    for number, item in enumerate(items, start=1):
        name = item.get("id") if isinstance(item.get("id"), str) else f"annotation {number}"
        try:
            text, label = _body_text(item.get("body", item.get("bodyValue")))
            evidence = [cited for target in _list(item.get("target")) for cited in _targets(target, text, documents)]
        except _Unusable as error:
            warnings.append(f"{str(name)[:80]} is left out: {error}")
            continue
        before = gold.get(text)
        unique = tuple(dict.fromkeys((*(before.citations if before else ()), *evidence)))
        if label:
            named[text] = label
        label_named = named.get(text) or ("supported" if unique else "not_supported")
        gold[text] = Verdict(text, label_named, 1.0 if label_named in HOLDS else 0.0, unique, method=_METHOD)
    if not gold:
        raise InputError(f"none of {len(items)} annotations can be used: {warnings[0]}")
    return list(gold.values()), warnings


def agreement(answer: Answer, gold: Sequence[Verdict]) -> Agreement:
    """Hold an answer's citations and labels against gold."""
    wanted = {_words(verdict.claim): verdict for verdict in gold}
    matched = [
        (statement, wanted[_words(statement.text)])
        for statement in answer.statements
        if _words(statement.text) in wanted
    ]
    good, reached, agree = list[bool](), list[bool](), list[bool]()
    for statement, verdict in matched:
        cited = [answer.citations[number] for number in statement.citations]
        good += [any(_touch(statement, other) for other in verdict.citations) for statement in cited]
        reached += [any(_touch(statement, other) for statement in cited) for other in verdict.citations]
        agree.append((statement.label in HOLDS) == (verdict.label in HOLDS))
    distinct = {_words(verdict.claim) for _, verdict in matched}
    return Agreement(len(matched), len(wanted) - len(distinct), share(good), share(reached), share(agree))


def _items(data: Any) -> Iterator[Mapping[str, Any]]:
    """The annotations of an annotation, a page, a collection whose first page is at hand, or a list of any of them."""
    if isinstance(data, list):
        for part in data:
            yield from _items(part)
    if not isinstance(data, Mapping):
        return
    kinds = _list(data.get("type"))
    if "Annotation" in kinds:
        yield data
    yield from _items(data.get("items", []))
    if isinstance(data.get("first"), Mapping):
        yield from _items(data["first"])


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _body_text(bodies: Any) -> tuple[str, Label | None]:
    """The statement that an annotation is about, and the label it gives."""
    text, label = "", None
    for body in _list(bodies):
        value = body if isinstance(body, str) else body.get("value") if isinstance(body, Mapping) else None
        if not isinstance(value, str):
            continue
        purpose = _list(body.get("purpose")) if isinstance(body, Mapping) else []
        if any(name in _LABELLING for name in purpose):
            label = next((known for known in LABELS if known == value), label)
        else:
            text = text or value.strip()
    if not text:
        raise _Unusable("its body has no text, so that it is about no statement")
    return text, label


def _targets(target: Any, text: str, documents: Sequence[Document]) -> Iterator[Citation]:
    """The evidence that a target names; without a selector it is the document as a whole, which is no evidence."""
    document = _document(target.get("source", target) if isinstance(target, Mapping) else target, documents)
    selectors = _list(target.get("selector")) if isinstance(target, Mapping) else []
    selectors = [
        part
        for selector in selectors
        for part in (_list(selector.get("items")) if _is(selector, "Choice") else [selector])
    ]
    if not selectors:
        return
    at = _place(document, selectors)
    segment = document.segment_at(at.start)
    cited = document.cite(at, segment.id, Span(0, len(text)), granularity="window", score=1.0, method=_METHOD)
    yield document.placed(cited)


def _document(source: Any, documents: Sequence[Document]) -> Document:
    """The document that a source names: by the hash of its text, its address or its file's name, or as the only one."""
    known = source if isinstance(source, Mapping) else {"id": source}
    for identifier in _list(known.get("dc:identifier")):
        if isinstance(identifier, str) and identifier.startswith("sha256:"):
            for document in documents:
                if document.sha256 == identifier.removeprefix("sha256:"):
                    return document
            raise _Unusable("it is about a document with another text")
    name = unquote(str(known.get("id") or ""))
    same = [document for document in documents if name in (document.source, f"urn:citewell:{document.id}")]
    same = same or [
        document for document in documents if document.source and PurePath(document.source).name == PurePath(name).name
    ]
    if len(same or documents) != 1:
        raise _Unusable(f"{name[:80] or 'its source'} is {'several' if same else 'none'} of the documents")
    return (same or list(documents))[0]


def _place(document: Document, selectors: Sequence[Any]) -> Span:
    words = next((selector for selector in selectors if _is(selector, "TextQuoteSelector")), None)
    exact = words.get("exact") if words else None
    for selector in selectors:
        if _is(selector, "TextPositionSelector"):
            start, end = selector.get("start"), selector.get("end")
            inside = isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= len(document.text)
            if inside and exact in (None, document.text[start:end]):
                return Span(start, end)
    if not words or not isinstance(exact, str) or not exact:
        raise _Unusable("it has neither a position in the text nor words of it")
    prefix, suffix = (str(words.get(side) or "") for side in ("prefix", "suffix"))
    places = [match.start() for match in re.finditer(f"(?={re.escape(exact)})", document.text)]
    around = [
        start
        for start in places
        if document.text.endswith(prefix, 0, start) and document.text.startswith(suffix, start + len(exact))
    ]
    if len(around or places) != 1:
        raise _Unusable(f"its words stand in {len(around or places) or 'no'} places of the document")
    start = (around or places)[0]
    return Span(start, start + len(exact))


def _is(selector: Any, kind: str) -> bool:
    return isinstance(selector, Mapping) and kind in _list(selector.get("type"))


def _touch(first: Citation, other: Citation) -> bool:
    same = first.document_id == other.document_id
    return same and spans.overlap(Span(first.start, first.end), Span(other.start, other.end)) > 0


def _words(text: str) -> str:
    return " ".join(text.split())
