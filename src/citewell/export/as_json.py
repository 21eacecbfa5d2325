"""The JSON form of an answer or of verdicts: one object, in the schema that `--json` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from citewell.document import Document
from citewell.text.safe import dumps
from citewell.types import SCHEMA_VERSION, Answer, Verdict, digest


def to_dict(
    result: Answer | Sequence[Verdict], documents: Sequence[Document] = (), how: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The object. Verdicts are listed with their documents, with `how` they came about and with a digest of it all."""
    if isinstance(result, Answer):
        return result.to_dict()
    payload = {
        "schema_version": SCHEMA_VERSION,
        "verdicts": [verdict.to_dict() for verdict in result],
        "documents": [document.info.to_dict() for document in documents],
        "warnings": list(dict.fromkeys(warning for document in documents for warning in document.warnings)),
    }
    usage = {"pipeline": how} if how else {}
    return {**payload, "usage": {**usage, "digest": digest({**payload, "usage": usage})}}


def render(
    result: Answer | Sequence[Verdict],
    documents: Sequence[Document] = (),
    how: Mapping[str, Any] | None = None,
    *,
    indent: int | None = None,
) -> str:
    """The object as text. What controls a terminal, and lone surrogates, stay escaped."""
    return dumps(to_dict(result, documents, how), indent=indent)
