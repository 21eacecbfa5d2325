"""Reads a study's data: the published SALAD layout, or JSON lines with one question per line.

SALAD: `answers.json`, `docs/docs-SET.json`, `annotations/annotations-SETTING.json`. JSON lines, every field but `id`
and `question` optional:

    {"id": "q1", "question": "...",
     "documents": {"SET": [{"title": "...", "text": "..."}]},
     "sufficient": {"SET": true or false},
     "answers": [{"model": "m", "evidence": "SET" or null, "samples": ["...", "..."]}],
     "annotations": [{"model": "m", "evidence": "SET" or null, "against": "SET",
                      "sentences": [{"text": "...", "labels": ["supported", ...],
                                     "support": [[document, sentence], ...], "errors": ["..."]}]}]}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from citewell.errors import InputError
from citewell.types import Label
from citewell_lab.bench.datasets import files
from citewell_lab.bench.items import Broken
from citewell_lab.bench.tasks.salad import SETTINGS as JUDGED_AGAINST
from citewell_lab.bench.tasks.salad import by_question, clean, documents_of
from citewell_lab.papers.lfqa.data import SUPPORT, Annotated, Labelled, Question, Response, Setting, Study

# The ends of the published names of settings, and the document set that each stands for.
_SUFFIXES = {"_wdoc": "webgpt", "_whudoc": "human", "_wbingdoc": "bing", "_wranddoc": "random"}
_ALONE = {"webgpt": Setting("webgpt", "webgpt"), "human": Setting("human", "human")}
_ORDER = ("human", "webgpt", "bing", "random")
_LABELS: Mapping[str, Label] = {**{label: label for label in SUPPORT}, "partially": "partially_supported"}


def load(path: Path, limit: int | None = None) -> Study:
    """The study that lies at a path: a SALAD folder, its parent, a file of JSON lines or a folder of such files.

    Raises:
        InputError: nothing of the kind lies there, or a row is not as described; the text says which.
    """
    for folder in (path, path / "salad"):
        if (folder / "answers.json").is_file():
            return salad(folder, limit)
    paths = [path] if path.is_file() else sorted(path.glob("*.jsonl")) if path.is_dir() else []
    if not paths:
        raise InputError(f"{path} holds no study: neither answers.json (the SALAD layout) nor a .jsonl file")
    return lines(paths, limit)


def salad(folder: Path, limit: int | None = None) -> Study:
    """The published layout.

    Raises:
        InputError: a file is damaged or a label is not known.
    """
    sets = {file.stem.removeprefix("docs-"): file for file in (folder / "docs").glob("docs-*.json")}
    names = sorted(sets, key=lambda name: (_ORDER.index(name) if name in _ORDER else len(_ORDER), name))
    documents = {name: by_question(sets[name]) for name in names}
    annotated = _annotations(folder / "annotations")
    questions, warnings = [], []
    for row in files.whole(folder / "answers.json")[:limit]:
        number = row["question_id"]
        responses = []
        for key, text in row.items():
            if not key.endswith("_answer"):
                continue
            setting = _setting(key.removesuffix("_answer"))
            if not clean(text):
                warnings.append(f"question {number}: the answer of {setting} is empty and was left out")
                continue
            responses.append(Response(setting, (clean(text),)))
        documents_by_name = {name: documents[name][number] for name in names if documents[name].get(number)}
        questions.append(
            Question(
                str(number), row["question"], documents_by_name, tuple(responses), tuple(annotated.get(number, ()))
            )
        )
    return Study(tuple(questions), "salad", tuple(warnings))


def _setting(name: str) -> Setting:
    if name in _ALONE:
        return _ALONE[name]
    for suffix, evidence in _SUFFIXES.items():
        if name.endswith(suffix):
            return Setting(name.removesuffix(suffix), evidence)
    return Setting(name)


def _annotations(folder: Path) -> dict[Any, list[Annotated]]:
    result: dict[Any, list[Annotated]] = {}
    for name, against in JUDGED_AGAINST.items():
        path = folder / f"annotations-{name}.json"
        if not path.is_file():
            continue
        for row in files.whole(path):
            where = f"{path.name}, question {row['question_id']}"
            sentences = tuple(
                _labelled({**annotation, "text": annotation["answer"]}, where) for annotation in row["annotations"]
            )
            result.setdefault(row["question_id"], []).append(Annotated(_setting(name), against, sentences))
    return result


def _labelled(row: Mapping[str, Any], where: str) -> Labelled:
    unknown = [label for label in row["labels"] if label not in _LABELS]
    if unknown or not row["labels"]:
        message = f"unknown label {unknown[0]!r}" if unknown else "a sentence without labels"
        raise InputError(f"{where}: {message}; labels are {', '.join(_LABELS)}")
    support = row.get("support")
    return Labelled(
        clean(row["text"]),
        tuple(_LABELS[label] for label in row["labels"]),
        None if support is None else tuple((int(document), int(sentence)) for document, sentence in support),
        tuple(row.get("errors") or ()),
    )


def lines(paths: Iterable[Path], limit: int | None = None) -> Study:
    """JSON lines; a question whose id comes again adds to what was read of it before.

    Raises:
        InputError: a line is not JSON, lacks a field, or names a document set that its question has not.
    """
    questions: dict[str, Question] = {}
    for path in paths:
        for number, row in files.parsed(path):
            where = f"{path.name}, line {number + 1}"
            if isinstance(row, Broken):
                raise InputError(f"{where} is not JSON: {row.reason}")
            try:
                question = _question(row, where)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise InputError(f"{where} is not a question of a study: {type(error).__name__} {error}") from error
            questions[question.id] = _merged(questions[question.id], question) if question.id in questions else question
    kept = tuple(questions.values())[:limit]
    for question in kept:
        _check_sets(question)
    return Study(kept)


def _question(row: Mapping[str, Any], where: str) -> Question:
    return Question(
        str(row["id"]),
        row["question"],
        {name: documents_of(rows) for name, rows in row.get("documents", {}).items()},
        tuple(Response(_setting_of(answer), tuple(map(clean, answer["samples"]))) for answer in row.get("answers", ())),
        tuple(
            Annotated(
                _setting_of(answer),
                answer["against"],
                tuple(_labelled(sentence, where) for sentence in answer["sentences"]),
            )
            for answer in row.get("annotations", ())
        ),
        {name: bool(is_sufficient) for name, is_sufficient in row.get("sufficient", {}).items()},
    )


def _setting_of(row: Mapping[str, Any]) -> Setting:
    return Setting(row["model"], row.get("evidence"))


def _merged(first: Question, second: Question) -> Question:
    """Both; samples of a setting that comes twice are put together."""
    samples: dict[Setting, tuple[str, ...]] = {}
    for response in (*first.responses, *second.responses):
        samples[response.setting] = samples.get(response.setting, ()) + response.samples
    return first._replace(
        documents={**first.documents, **second.documents},
        responses=tuple(Response(setting, texts) for setting, texts in samples.items()),
        annotated=first.annotated + second.annotated,
        sufficient={**first.sufficient, **second.sufficient},
    )


def _check_sets(question: Question) -> None:
    wanted = {*question.sufficient, *(answer.against for answer in question.annotated)} | {
        answer.setting.evidence for answer in question.responses if answer.setting.evidence is not None
    }
    missing = sorted(wanted - set(question.documents))
    if missing:
        raise InputError(f"question {question.id!r} has no document set {missing[0]!r}")
