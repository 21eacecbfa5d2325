"""Makes texts safe to display and store: control characters, keys and addresses; JSON without any raw ones."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, quote_plus, urlsplit

SECRET = "[secret]"  # noqa: S105  (what stands in place of one)
SHORTEST = 8  # characters of a key; shorter values ("none", "test") are no keys and stand in any text

# Escape sequences and marks of the writing direction could make a terminal or a page show what is not there.
_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL", re.IGNORECASE)
_KEY_LIKE = re.compile(r"\b(?:sk|pk|rk)-[\w*.-]{6,}")
_AUTHORITY = re.compile(r"(\b[a-z][a-z0-9+.-]{0,20}://)[^\s/?#\"'<>]*@", re.IGNORECASE)
_ASSIGNED = re.compile(
    r"(\b(?:api[_-]?key|(?:\w{1,30}[_-])?(?:key|token|secret|password|passwd))\s{0,3}=(?!value\b)\s{0,3})(?:\"[^\"]*\"?|[^\s,()'\"]+)",
    re.IGNORECASE,
)
_QUERY = re.compile(r"(\b[a-z][a-z0-9+.-]{0,20}://[^\s?#\"'<>]*)[?#][^\s\"'<>),]*", re.IGNORECASE)
_named: dict[str, str] = {}  # variables that a client reads its key from, whatever they are called


def clean(text: str) -> str:
    """The text with a sign in place of what would control a terminal, or turn the direction of writing."""
    return _CONTROL.sub("\ufffd", text)


def shorten(text: str, most: int = 60) -> str:
    """The text, or its start and an ellipsis: at most `most` characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def dumps(data: Any, *, indent: int | None = None) -> str:
    """JSON with characters as themselves, but for those that control; never NaN, which is not JSON."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, indent=indent)
    # Outside of its strings JSON has no such characters but line breaks, which are none of these.
    return _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def encoded(data: Any) -> bytes:
    """The same as UTF-8."""
    return dumps(data).encode()


def loads(text: str) -> Any:
    """JSON as its standard has it: no infinite or undefined numbers, no depth without end.

    Raises:
        ValueError: it is none.
    """
    try:
        return json.loads(text, parse_float=_finite, parse_constant=_finite)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(f"{number[:40]} is no finite number")
    return value


def mapped(data: Any, change: Callable[[str], str]) -> Any:
    """JSON data with every text in it changed."""
    if isinstance(data, str):
        return change(data)
    if isinstance(data, Mapping):
        return {change(name) if isinstance(name, str) else name: mapped(value, change) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [mapped(value, change) for value in data]
    return data


def holds_key(variable: str) -> None:
    """Remember an environment variable whose value is never shown."""
    if variable:
        _named[variable] = variable


def scrub(text: str) -> str:
    """The text without keys.

    Those are the values of the variables that clients read their keys from or that are named so, each also as it stands
    in an address, and what looks like a key; and of addresses the user, the password and the query.
    """
    values = {
        value
        for name, value in os.environ.items()
        if len(value) >= SHORTEST and (name in _named or _SECRET_NAME.search(name))
    }
    wanted = {form for value in values for form in _forms(value)}
    for secret in sorted(wanted, key=len, reverse=True):
        text = text.replace(secret, SECRET)
    return _KEY_LIKE.sub(SECRET, _AUTHORITY.sub(r"\1", text))


def keys() -> tuple[str, ...]:
    """The values of the variables that clients read their keys from, the longest first."""
    values = {os.environ.get(name, "").strip() for name in _named}
    return tuple(sorted((value for value in values if len(value) >= SHORTEST), key=len, reverse=True))


def without_keys(text: str) -> str:
    """A model's own words without the keys that clients hold; what only looks like a key stays."""
    for key in keys():
        text = text.replace(key, SECRET)
    return text


def _forms(value: str) -> set[str]:
    """A value as it stands in texts, in JSON and in addresses."""
    return {value, value.strip(), json.dumps(value)[1:-1], quote(value, safe=""), quote_plus(value)} - {""}


def address(url: str) -> str:
    """An address without user name, password, query and fragment."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{host}{f':{parts.port}' if parts.port else ''}{parts.path}".rstrip("/")


def redact_spec(spec: str) -> str:
    """A spec as it may be shown and kept: its addresses without user, password and query, and no keys."""
    return scrub(_ASSIGNED.sub(rf"\1{SECRET}", _QUERY.sub(r"\1", spec)))
