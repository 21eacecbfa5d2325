"""Result files of other programs: answers with their source passages, checked statement by statement.

Read are RAGChecker's input (`results` with `response` and `retrieved_context`), ragas' samples (`user_input`,
`retrieved_contexts`, `response`; its older names too) and ALCE's outputs (`data` with `output` and `docs`, whose marks
[1][2] name documents). `check` gives recall, the share of statements that are supported by what was cited for them
(by all passages where nothing is marked), and precision, the share of marks that are to the point (see `precision`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citewell.abstain.declining import Declining
from citewell.audit.precision import Cited, Evidence, judged, share
from citewell.document import Document
from citewell.errors import BackendError, InputError
from citewell.pipeline import Pipeline
from citewell.protocols import Pair
from citewell.text.replies.parsing import parse
from citewell.text.safe import loads
from citewell.types import Verdict

FORMS = ("ragchecker", "ragas", "alce")


@dataclass(frozen=True, slots=True)
class Result:
    """One answer."""

    id: str
    question: str
    text: str  # without marks
    # (statement, numbers of its passages); None where the file has no marks
    statements: tuple[tuple[str, tuple[int, ...] | None], ...]
    passages: tuple[tuple[str, str], ...]  # (title, text) of each
    reference: str = ""  # the gold answer, if the file has one
    warnings: tuple[str, ...] = ()


def load(path: Path, form: str = "auto") -> list[Result]:
    """The answers of a file: JSON, or JSON lines. Raises InputError: it cannot be read, or is of none of the forms."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    try:
        data = loads(text)
    except ValueError:
        try:
            data = [loads(line) for line in text.splitlines() if line.strip()]
        except ValueError as error:
            raise InputError(f"{path} is neither JSON nor JSON lines: {error}") from error
    detected = _form(data) if form == "auto" else form
    if detected not in FORMS:
        raise InputError(f"{path} is of none of the forms {', '.join(FORMS)}")
    key, make = _READERS[detected]
    rows = data.get(key) if isinstance(data, dict) else data
    if not isinstance(rows, list):
        raise InputError(f"{path} has no list of {key}")
    results = []
    for number, row in enumerate(rows):
        try:
            results.append(make(str(number), row))
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{path}, {key} {number}: {type(error).__name__} {error}") from error
    return results


def _form(data: Any) -> str | None:
    if isinstance(data, dict) and "results" in data:
        return "ragchecker"
    if isinstance(data, dict) and "data" in data:
        return "alce"
    rows = data.get("samples") if isinstance(data, dict) else data
    first = rows[0] if isinstance(rows, list) and rows and isinstance(rows[0], dict) else {}
    if "retrieved_context" in first:
        return "ragchecker"
    if "output" in first and "docs" in first:
        return "alce"
    return "ragas" if {"response", "answer"} & set(first) else None


def _entry(
    key: str, question: str, reply: str, passages: Sequence[tuple[str, str]], reference: str, *, marks: bool
) -> Result:
    read = parse(reply, len(passages) if marks else 0, "\n".join(text for _, text in passages))
    statements = []
    for start, end in read.statements:
        named = {n for cite in read.cites if cite.span.start < end and start < cite.span.end for n in cite.numbers}
        statements.append((read.text[start:end], tuple(sorted(named)) if marks else None))
    return Result(key, question, read.text, tuple(statements), tuple(passages), reference, read.warnings)


def _ragchecker(key: str, row: Mapping[str, Any]) -> Result:
    passages = [
        (str(retrieved_context.get("doc_id") or ""), retrieved_context["text"])
        for retrieved_context in row.get("retrieved_context") or ()
    ]
    name = str(row.get("query_id", key))
    return _entry(name, row["query"], row["response"], passages, row.get("gt_answer") or "", marks=False)


def _ragas(key: str, row: Mapping[str, Any]) -> Result:
    def either(new: str, old: str) -> Any:
        return row[new] if row.get(new) is not None else row.get(old)

    question, reply = either("user_input", "question"), either("response", "answer")
    if not isinstance(question, str) or not isinstance(reply, str):
        raise TypeError("user_input and response are not texts")
    passages = [("", text) for text in either("retrieved_contexts", "contexts") or ()]
    reference = either("reference", "ground_truth") or ""
    return _entry(key, question, reply, passages, reference if isinstance(reference, str) else "", marks=False)


def _alce(key: str, row: Mapping[str, Any]) -> Result:
    passages = [(doc.get("title") or "", doc["text"]) for doc in row["docs"]]
    name = str(row.get("sample_id", row.get("id", key)))
    return _entry(name, row["question"], row["output"], passages, row.get("answer") or "", marks=True)


_READERS: Mapping[str, tuple[str, Callable[[str, Mapping[str, Any]], Result]]] = {  # the field of the rows, and a row's
    "ragchecker": ("results", _ragchecker),
    "ragas": ("samples", _ragas),
    "alce": ("data", _alce),
}


def check(results: Sequence[Result], checker: Any = "lexical") -> dict[str, Any]:
    """Every statement judged; answers that decline are counted apart, as what needs no evidence.

    Raises BackendError: the checker failed.
    """
    judge, declining = Pipeline(checker=checker).judge, Declining()
    rows: list[dict[str, Any]] = []
    pending: list[tuple[dict[str, Any], Cited]] = []
    for entry in results:
        declined = declining.declines(entry.text, entry.question)
        row: dict[str, Any] = {"id": entry.id, "question": entry.question, "declined": declined, "statements": []}
        row["warnings"] = list(entry.warnings)
        rows.append(row)
        for text, named in () if declined else entry.statements:
            marks = None if named is None else list(named)
            record: dict[str, Any] = {"text": text, "cited": marks, "label": "not_supported", "score": 0.0}
            row["statements"].append(record)
            every = (_documents(entry, range(1, len(entry.passages) + 1)),) if entry.passages else ()
            evidence = every if named is None else tuple(_documents(entry, [number]) for number in named)
            if evidence:
                pending.append((record, Cited(text, tuple(map(Evidence, evidence)))))
            if named is not None:
                record["good"] = []
    verdicts = judged([cited for _, cited in pending], lambda pairs: _checked(judge, pairs))
    for (record, _), verdict in zip(pending, verdicts, strict=True):
        record |= {"label": verdict.together.label, "score": round(verdict.together.score, 6)}
        if record["cited"] is not None:
            record["good"] = [number for number, fits in zip(record["cited"], verdict.precise, strict=True) if fits]
    return {**_figures(rows), "answers": rows}


def _checked(judge: Callable[[Sequence[Pair]], Sequence[Verdict]], pairs: Sequence[Pair]) -> Sequence[Verdict]:
    verdicts = judge(pairs)
    broken = next((verdict.failed for verdict in verdicts if verdict.failed), None)
    if broken:
        raise BackendError(f"the checker failed: {broken}")
    return verdicts


def _documents(result: Result, numbers: Sequence[int]) -> tuple[Document, ...]:
    texts = (result.passages[number - 1] for number in numbers)
    return tuple(Document.from_text(text, title=title or None) for title, text in texts if text.strip())


def _figures(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    judged = [statement for row in rows for statement in row["statements"] if statement["label"] != "no_claim"]
    marks = [number in statement["good"] for statement in judged for number in statement["cited"] or ()]
    return {
        "n": len(rows),
        "declined": sum(row["declined"] for row in rows),
        "statements": len(judged),
        "recall": share([statement["label"] == "supported" for statement in judged]),
        "marks": len(marks),
        "precision": share(marks),
    }


def text(report: Mapping[str, Any], most: int = 10) -> str:
    """For a terminal: the figures, and the first statements that are not supported."""

    def percent(value: float | None) -> str:
        return "–" if value is None else f"{100 * value:.1f}"

    lines = [
        f"n {report['n']}, declined {report['declined']}, statements {report['statements']}",
        f"  recall     {percent(report['recall']):>6}   statements that what was cited supports",
    ]
    if report["marks"]:
        lines.append(
            f"  precision  {percent(report['precision']):>6}   marks that are to the point ({report['marks']})"
        )
    bad = list(_unsupported(report))
    lines += ["", *bad[:most]] if bad else []
    if len(bad) > most:
        lines.append(f"  {len(bad) - most} more (--json)")
    return "\n".join(lines)


def _unsupported(report: Mapping[str, Any]) -> Iterator[str]:
    for row in report["answers"]:
        for statement in row["statements"]:
            if statement["label"] not in ("supported", "no_claim"):
                text = " ".join(statement["text"].split())[:120]
                yield f"  {row['id']}: {statement['label']} ({statement['score']:.2f}): {text}"
