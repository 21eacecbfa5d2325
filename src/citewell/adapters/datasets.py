"""Hugging Face datasets: our tasks as a `Dataset`, and answers or verdicts as one and back.

rows = load("qasper", "dev", data="data")          # questions, documents, gold evidence as offsets
dataset = to_dataset(answers)                      # a row an answer; `answers_of(dataset) == answers`
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from citewell.bench.items import Broken
from citewell.bench.tasks import task as named
from citewell.document import Document
from citewell.errors import MissingExtraError, UsageError
from citewell.export.columns import rows
from citewell.types import Answer, Verdict

try:
    import datasets as hf
except ImportError as error:
    raise MissingExtraError("citewell.adapters.datasets", "datasets", "datasets") from error


def load(task: str, split: str = "dev", *, data: str | Path, limit: int | None = None) -> hf.Dataset:
    """The items of a task, a row each, as `citewell bench run TASK` reads them.

    Documents are mappings with `id`, `title` and `text`; spans are `[start, end]` in code points of the text that they
    belong to; gold evidence counts `segments` from 0. Rows that cannot be read are left out, and the description of the
    data set names them.

    Raises:
        UsageError: there is no such task, no row can be read, or the limit is below 1.
        InputError: the folder or the split is not there.
    """
    if limit is not None and limit < 1:
        raise UsageError(f"the limit is at least 1, not {limit}")
    wanted, kept, broken = named(task), list[dict[str, Any]](), list[str]()
    source = wanted.data
    for item in source.picked(source.files(Path(data), split), limit=limit):
        if isinstance(item, Broken):
            broken.append(f"{item.id}: {item.reason}")
        else:
            kept.append(_plain(item))
    if not kept:
        raise UsageError(f"no row of {task} {split} can be read" + (f": {broken[0]}" if broken else ""))
    dataset = hf.Dataset.from_list(kept)
    published = source.published
    left_out = f" Left out, as they cannot be read: {'; '.join(broken)}." if broken else ""
    dataset.info.description = f"{wanted.summary} ({task}, {split}).{left_out}"
    dataset.info.homepage, dataset.info.license = published.home, published.licence
    return dataset


def to_dataset(results: Answer | Iterable[Answer] | Iterable[Verdict]) -> hf.Dataset:
    """A row an answer, or a row a verdict; the column `json` has all of it.

    `statements` and `citations` of an answer are lists of mappings with labels, offsets, pages and scores.

    Raises:
        UsageError: something else is among them, or there is none.
    """
    given = [results] if isinstance(results, Answer) else list(results)
    answers = [one for one in given if isinstance(one, Answer)]
    if answers and len(answers) == len(given):
        return hf.Dataset.from_list([_answer(one) for one in answers], features=_ANSWER)
    verdicts = [one for one in given if isinstance(one, Verdict)]
    if verdicts and len(verdicts) == len(given):
        return hf.Dataset.from_list([_verdict(one) for one in verdicts], features=_VERDICT)
    raise UsageError("a data set is made of answers, or of verdicts, at least one")


def answers_of(dataset: Any) -> list[Answer]:
    """The answers that `to_dataset` was given, from its column `json`.

    Raises:
        UsageError: there is no such column.
        AnswerFormatError: it holds something else.
    """
    return [Answer.from_json(text) for text in _kept(dataset)]


def verdicts_of(dataset: Any) -> list[Verdict]:
    """The verdicts that `to_dataset` was given, likewise."""
    return [Verdict.from_json(text) for text in _kept(dataset)]


def _kept(dataset: Any) -> Iterable[str]:
    if "json" not in (dataset.column_names or ()):
        raise UsageError("the data set has no column 'json', which `to_dataset` makes")
    whole: Iterable[str] = dataset["json"]
    return whole


def _answer(answer: Answer) -> dict[str, Any]:
    table = list(rows(answer))
    return {
        "question": answer.question,
        "text": answer.text,
        "abstained": answer.abstained,
        "confidence": answer.confidence,
        "method": answer.method,
        "statements": [
            {"text": one.text, "start": one.start, "end": one.end, "label": one.label, "score": float(one.score)}
            for one in answer.statements
        ],
        "citations": [{name: row[name] for name in _CITED} for row in table if row["citation"] is not None],
        "json": answer.to_json(),
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    table = list(rows([verdict]))
    return {
        "claim": verdict.claim,
        "label": verdict.label,
        "score": float(verdict.score),
        "reasons": [reason.message for reason in verdict.reasons],
        "citations": [{name: row[name] for name in _CITED} for row in table if row["citation"] is not None],
        "json": verdict.to_json(),
    }


_CITED = {
    "statement": hf.Value("int64"),
    "citation": hf.Value("int64"),
    "document_id": hf.Value("string"),
    "document_title": hf.Value("string"),
    "source": hf.Value("string"),
    "quote": hf.Value("string"),
    "start": hf.Value("int64"),
    "end": hf.Value("int64"),
    "answer_start": hf.Value("int64"),
    "answer_end": hf.Value("int64"),
    "page": hf.Value("int64"),
    "score": hf.Value("float64"),
}
_STATEMENT = {
    "text": hf.Value("string"),
    "start": hf.Value("int64"),
    "end": hf.Value("int64"),
    "label": hf.Value("string"),
    "score": hf.Value("float64"),
}
_ANSWER = hf.Features(
    {
        "question": hf.Value("string"),
        "text": hf.Value("string"),
        "abstained": hf.Value("bool"),
        "confidence": hf.Value("float64"),
        "method": hf.Value("string"),
        "statements": [_STATEMENT],
        "citations": [_CITED],
        "json": hf.Value("string"),
    }
)
_VERDICT = hf.Features(
    {
        "claim": hf.Value("string"),
        "label": hf.Value("string"),
        "score": hf.Value("float64"),
        "reasons": [hf.Value("string")],
        "citations": [_CITED],
        "json": hf.Value("string"),
    }
)


def _plain(value: Any) -> Any:
    """An item in what a data set can hold."""
    if isinstance(value, Document):
        return {"id": value.id, "title": value.title, "source": value.source, "text": value.text}
    if dataclasses.is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return [{"name": str(key), "value": _plain(inner)} for key, inner in value.items()]
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value
