"""A JSON schema inferred from an example, so that the description's schemas and examples always agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_NULLABLE = frozenset(  # properties that may be null, wherever they stand
    "abstention author citation citations confidence date error failed field finish_reason first_id formula "
    "language last_id libraries llm next next_page note page pages param period precision problem question recall "
    "refusal remark scale score sha256 source stop_reason thread threshold title unit value workspace year label "
    "number file_id document_title until".split()
)
_OPEN = frozenset("data fixed labels request result usage".split())  # objects whose properties are not the same always


def schema(example: Any, name: str = "") -> dict[str, Any]:
    """The schema of an example; all properties of the example are required."""
    kind = _kind(example)
    if kind is None:
        return {}
    described: dict[str, Any] = {"type": [kind, "null"] if name in _NULLABLE else kind}
    if isinstance(example, Mapping) and name not in _OPEN:
        described["properties"] = {key: schema(value, key) for key, value in example.items()}
        described["required"] = sorted(example)
    elif isinstance(example, Sequence) and not isinstance(example, str):
        described["items"] = _items(example) if example else {}  # generators of clients want items in any case
    return described


def _items(examples: Sequence[Any]) -> dict[str, Any]:
    """The schema of the items. Objects require only the properties that all examples have."""
    kinds = {_kind(example) for example in examples}
    if kinds <= {"integer", "number"}:
        return {"type": "number" if "number" in kinds else "integer"}
    if len(kinds) != 1:
        return {}
    described = schema(examples[0])
    if kinds == {"object"} and "required" in described:
        for example in examples[1:]:
            described["properties"] = schema(example)["properties"] | described["properties"]
            described["required"] = sorted(example.keys() & set(described["required"]))
    return described


def _kind(example: Any) -> str | None:
    if example is None:
        return None
    if isinstance(example, bool):
        return "boolean"
    for types, kind in ((int, "integer"), (float, "number"), (str, "string"), (Mapping, "object")):
        if isinstance(example, types):
            return kind
    return "array"
