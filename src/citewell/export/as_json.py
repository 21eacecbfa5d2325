"""The JSON form of an answer or of verdicts: one object, in the schema that `--json` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from citewell.document import Document
from citewell.text.safe import dumps
from citewell.types import Answer, Verdict
from citewell.types.checked import to_dict


def render(
    result: Answer | Sequence[Verdict],
    documents: Sequence[Document] = (),
    how: Mapping[str, Any] | None = None,
    *,
    indent: int | None = None,
) -> str:
    """The object as text. What controls a terminal, and lone surrogates, stay escaped."""
    return dumps(result.to_dict() if isinstance(result, Answer) else to_dict(result, documents, how), indent=indent)
