"""A user's vocabulary: expressions in questions and their names in reports, from a JSON or TSV file.

    {"expressions": {"same-store growth": "comparable sales increase"}}

A TSV file has an expression and its wording a line, a tab between them; empty lines and lines that begin with # are
skipped.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from citewell.errors import VocabularyError
from citewell.facts.tables.expressions import Expressions

_MOST = 2_000_000  # bytes
_FIELDS = 2


def read_own(path: str) -> Expressions:
    """The expressions of a file.

    Raises:
        VocabularyError: it cannot be read, or is not of this form; the message names line and field.
    """
    file = Path(path)
    try:
        if file.stat().st_size > _MOST:
            raise VocabularyError(f"{path}: larger than {_MOST:,} bytes")
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise VocabularyError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise VocabularyError(f"{path}: not UTF-8 at byte {error.start}") from error
    known = _of_json(path, text) if file.suffix.lower() == ".json" else _of_lines(path, text.splitlines())
    if not known:
        raise VocabularyError(f"{path}: no expression in it")
    return Expressions.of(known)


def _of_json(path: str, text: str) -> Mapping[str, str]:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise VocabularyError(f"{path}, line {error.lineno}: no JSON: {error.msg}") from error
    except RecursionError as error:
        raise VocabularyError(f"{path}: nested too deeply") from error
    entries = data.get("expressions") if isinstance(data, dict) else None
    if not isinstance(entries, dict):
        raise VocabularyError(f'{path}: field "expressions" is missing or no object')
    for expression, wording in entries.items():
        if not expression.strip() or not isinstance(wording, str) or not wording.strip():
            raise VocabularyError(
                f"{path}: field expressions[{json.dumps(expression)}]: words are expected on both sides"
            )
    return {expression.strip().lower(): wording.strip() for expression, wording in entries.items()}


def _of_lines(path: str, lines: Iterable[str]) -> Mapping[str, str]:
    known: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) != _FIELDS:
            raise VocabularyError(
                f"{path}, line {number}: {len(fields)} fields, not an expression, a tab and its wording"
            )
        for name, field in zip(("expression", "wording"), fields, strict=True):
            if not field:
                raise VocabularyError(f"{path}, line {number}, field {name}: empty")
        if fields[0].lower() in known:
            raise VocabularyError(f"{path}, line {number}, field expression: “{fields[0]}” stands there twice")
        known[fields[0].lower()] = fields[1]
    return known
