"""Hugging Face datasets: answers or verdicts as a `Dataset`, and back.

dataset = to_dataset(answers)                      # a row an answer; `answers_of(dataset) == answers`
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from citewell.errors import UsageError, needing
from citewell.export.columns import rows
from citewell.types import Answer, Verdict

with needing("citewell.adapters.datasets", "datasets", "datasets"):
    import datasets as hf


def to_dataset(results: Answer | Iterable[Answer] | Iterable[Verdict]) -> hf.Dataset:
    """A row an answer, or a row a verdict; the column `json` has all of it.

    `statements` and `citations` of an answer are lists of mappings with labels, offsets, pages and scores.

    Raises:
        UsageError: something else is among them, or there is none.
    """
    values = [results] if isinstance(results, Answer) else list(results)
    answers = [answer for answer in values if isinstance(answer, Answer)]
    if answers and len(answers) == len(values):
        return hf.Dataset.from_list([_answer(answer) for answer in answers], features=_ANSWER)
    verdicts = [answer for answer in values if isinstance(answer, Verdict)]
    if verdicts and len(verdicts) == len(values):
        return hf.Dataset.from_list([_verdict(answer) for answer in verdicts], features=_VERDICT)
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
            {
                "text": statement.text,
                "start": statement.start,
                "end": statement.end,
                "label": statement.label,
                "score": float(statement.score),
            }
            for statement in answer.statements
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
