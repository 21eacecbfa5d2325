"""A run's model as the package citewell-mini: its folder put in place, and the model card written over it."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any

from citewell.errors import InputError, UsageError
from citewell.models import mini
from citewell.models.onnx import folder
from citewell.text import files
from citewell.text.data import read_json, read_text
from citewell_lab.bench.tasks import task
from citewell_lab.train.checker.sets import SETS
from citewell_lab.train.mini import data

FIGURES = "figures.json"  # beside the graph: what was measured with the model, as the benchmarks wrote it
_TRAINED_ON = {
    # Sentences of passages that questions are asked about become claims over themselves.
    "claim": tuple(dict.fromkeys((*data.ENTAILMENT, *data.CONTRAST, "squad2", "covidqa", "policyqa"))),
    "reader": data.QUESTIONS,
    "relevance": data.QUESTIONS,
}
# A spec's folder is where the model lay when it was measured, which says nothing to others.
_FOLDER = re.compile(r"""\(model=(?:"[^"]*"|[^,()]*)\)|\bmodel=(?:"[^"]*"|[^,()]*),\s*|,\s*model=(?:"[^"]*"|[^,()]*)""")


def package(model: Path, target: Path) -> Path:
    """Put a model into the folder of its package; where its model lies then.

    Args:
        model: the folder that `citewell train mini` made.
        target: the folder of the package, `packages/citewell-mini` of the repository.

    Raises:
        UsageError: one of them is not what it should be.
        BackendError: the model's settings are damaged.
        InputError: its figures are damaged.
    """
    home = target / "src" / mini.PACKAGE
    if not (home / "__init__.py").is_file() or not (target / "pyproject.toml").is_file():
        raise UsageError(
            f"{target} is not the folder of a package {mini.PACKAGE}: the repository has packages/citewell-mini"
        )
    heads = mini.heads(model)
    if not (model / folder.SMALL[0]).is_file():
        raise UsageError(f"{model} has no {folder.SMALL[0]}: citewell train mini writes it")
    text = card(model, heads)
    place = home / "model"
    with tempfile.TemporaryDirectory(dir=home, prefix=".model-") as scratch:
        copied = Path(scratch) / "model"
        copied.mkdir()
        for file in sorted(model.iterdir()):
            if file.is_file():
                shutil.copyfile(file, copied / file.name)
        if place.exists():
            place.rename(Path(scratch) / "before")
        copied.rename(place)
    files.write(target / "README.md", text)
    return place


def card(model: Path, heads: Sequence[str]) -> str:
    """The model card: what the heads are for, data and licences, how it was made, what was measured, limits.

    Raises:
        BackendError: a file of the model is damaged.
        InputError: its figures do not have the form that the benchmarks write.
    """
    json = read_json(__package__, "card.json")
    settings = folder.read(model, mini.SETTINGS)
    measured = folder.read(model, FIGURES)
    size = sum(file.stat().st_size for file in model.iterdir()) / 1e6
    messages = [
        f"- {key.replace('_', ' ')}: {_value(value)}"
        for key, value in settings.items()
        if key not in ("heads", "claim")
    ]
    if "claim" in settings:  # else half of each, which nothing was fitted for
        messages.append(f"- {json['blend']}: {_value(settings['claim'])}")
    return Template(read_text(__package__, "card.md")).substitute(
        size=f"{size:.0f}",
        heads=", ".join(heads),
        uses="\n".join(json["uses"][head] for head in heads),
        says="\n".join(f"| {head} | {json['says'][head]} |" for head in heads),
        sets="\n".join(f"| {head} | {', '.join(map(_licensed, _TRAINED_ON[head]))} |" for head in heads),
        left_out=", ".join((*data.LEFT_OUT, *data.LEFT_OUT_QUESTIONS)),
        made="\n".join(messages) or "It is not said.",
        limit=mini.LIMIT,
        figures="\n\n".join(_figures(measured, json["figures"])),
    )


def _licensed(name: str) -> str:
    """A set with its licence."""
    known: Mapping[str, str] = read_json(__package__, "card.json")["licences"]
    licence = SETS[name].permits() if name in SETS else known.get(name) or task(name).data.published.licence
    return f"{name} ({licence})"


def _figures(measured: Any, names: Mapping[str, str]) -> Iterator[str]:
    """Every measurement with the command that made it, in tables; that there is none, where nothing was measured."""
    if measured is None:
        yield f"None: the model has no `{FIGURES}`, so nothing was measured with it."
        return
    try:
        for run in measured:
            yield f"Measured by `{_plain(run['command'])}`."
            yield from _by_set(run["systems"], names) if "systems" in run else _of_task(run)
    except (TypeError, KeyError, AttributeError) as error:
        raise InputError(f"{FIGURES} does not have the form that the benchmarks write: {error!r}") from error


def _by_set(systems: Mapping[str, Mapping[str, Mapping[str, Any]]], names: Mapping[str, str]) -> Iterator[str]:
    """A table a figure: sets down, systems across."""
    sets = {name: figures["n"] for members in systems.values() for name, figures in members.items() if "n" in figures}
    for figure, words in names.items():
        having = [system for system, members in systems.items() if any(figure in row for row in members.values())]
        rows = [
            f"| {name}, {count} | "
            + " | ".join(_value(systems[system].get(name, {}).get(figure)) for system in having)
            + " |"
            for name, count in sets.items()
            if any(figure in systems[system].get(name, {}) for system in having)
        ]
        if rows:
            head = f"| {words} | " + " | ".join(map(_plain, having)) + " |"
            yield "\n".join((head, "|---" * (len(having) + 1) + "|", *rows))


def _of_task(run: Mapping[str, Any]) -> Iterator[str]:
    """The summary that `citewell bench run --json` prints."""
    head = f"| {run['task']}, {run['split']}, {run['n']} | {_plain(run['method'])} |"
    rows = [f"| {name} | {_value(value)} |" for name, value in run["metrics"].items()]
    yield "\n".join((head, "|---|---|", *rows))


def _plain(spec: str) -> str:
    return _FOLDER.sub("", spec)


def _value(value: Any) -> str:
    """A share in per cent with its interval; what is not measured is a dash."""
    if value is None or value != value:  # noqa: PLR0124  (not a number)
        return "-"
    if isinstance(value, list) and len(value) == 3 and all(isinstance(part, float) for part in value):
        return f"{100 * value[0]:.1f} ({100 * value[1]:.1f} to {100 * value[2]:.1f})"
    if isinstance(value, float) and 0 <= value <= 1:
        return f"{100 * value:.1f}"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
