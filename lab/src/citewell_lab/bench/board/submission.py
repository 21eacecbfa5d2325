"""Submissions: a system's predictions for every item of a split and its description, without figures.

    write(pack(Path("runs/wice"), "my system"), Path("wice.json"))

Whoever keeps a leaderboard has the gold labels and scores the predictions with them, so that a submission cannot say
how good it is. A submission is one JSON file; what is not listed here is refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citewell import registry
from citewell.errors import InputError, SpecError, UsageError
from citewell.text import files
from citewell_lab.bench import records
from citewell_lab.bench.run import called
from citewell_lab.bench.tasks import task as find_task

FORMAT = 1
SYSTEM = ("resolved", "parameters", "seed", "versions", "git", "text")  # of a run's spec, what made its predictions
MOST_BYTES = 512 * 2**20


@dataclass(frozen=True, slots=True)
class Submission:
    """The predictions of a system for a split.

    Attributes:
        name: what the system is called on the board.
        system: back ends with all their parameters (texts of prompts and the examples among them), seed, versions.
        checksums: SHA-256 of every data file that the system read, by its path below the data folder.
        predictions: an object an item, with its `id` and the fields that its task lets a system predict.
    """

    task: str
    split: str
    name: str
    system: Mapping[str, Any]
    checksums: Mapping[str, str]
    predictions: tuple[Mapping[str, Any], ...]

    def text(self) -> str:
        """The file: the same bytes for the same submission."""
        content = {
            "format": FORMAT,
            "task": self.task,
            "split": self.split,
            "name": self.name,
            "system": self.system,
            "checksums": self.checksums,
            "predictions": self.predictions,
        }
        return json.dumps(content, ensure_ascii=True, indent=1, sort_keys=True) + "\n"

    @property
    def sha256(self) -> str:
        """The hash of its file."""
        return hashlib.sha256(self.text().encode()).hexdigest()


def pack(folder: Path, name: str | None = None) -> Submission:
    """The submission of a whole run. Items that failed have no prediction, which a board refuses if they can be read.

    Raises:
        InputError: the folder is not a run, is damaged, or was changed after the run.
        UsageError: the run is limited or sampled, or did not end.
    """
    spec, rows = records.counted(folder)
    _check_untouched(folder)
    for option, value in (("--limit", spec.limit), ("--sample", spec.sample)):
        if value is not None:
            raise UsageError(f"{folder} was run with {option} {value}: a submission is of all items of a split")
    wanted = ("id", *find_task(spec.task).predicted)
    predictions = tuple({key: row[key] for key in wanted if key in row} for row in map(dict, records.good(rows)))
    system = {key: getattr(spec, key) for key in SYSTEM}
    label = name or called(dict(spec.resolved), spec.given.get("preset"))
    return Submission(spec.task, spec.split, label, system, dict(spec.checksums), predictions)


def _check_untouched(folder: Path) -> None:
    """A run's files must be those that its summary was made from.

    Raises:
        UsageError: the run did not end.
        InputError: a file was changed.
    """
    try:
        known = json.loads((folder / "summary.json").read_text(encoding="utf-8"))["sha256"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        again = "start the run again, it goes on where it stopped"
        raise UsageError(f"{folder} has no summary.json of a run that ended: {again}") from error
    for name, digest in records.digests(folder).items():
        if known.get(name) != digest:
            raise InputError(f"{folder}/{name} is not the file that the run wrote: it was changed afterwards")


def write(submission: Submission, path: Path) -> None:
    """Write the file of a submission."""
    files.write(path, submission.text())


def read(path: Path) -> Submission:
    """A submission from its file, which others may have written.

    Raises:
        InputError: it is no submission; the text says what is wrong.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path} has more than {MOST_BYTES} bytes: it is no submission")
        data = json.loads(path.read_bytes(), parse_constant=_not_a_number, object_pairs_hook=_distinct)
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path} is no submission: {error}") from error
    wanted = {"format": int, "task": str, "split": str, "name": str, "system": dict, "checksums": dict,
              "predictions": list}  # fmt: skip
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(f"{path} is no submission of format {FORMAT}")
    if data.keys() != wanted.keys():
        differing = ", ".join(sorted(data.keys() ^ wanted.keys()))
        raise InputError(f"{path}: a submission has {', '.join(wanted)} and nothing else; it differs in {differing}")
    for key, kind in wanted.items():
        if not isinstance(data[key], kind):
            raise InputError(f"{path}: {key} is no {kind.__name__}")
    if not data["name"].strip():
        raise InputError(f"{path}: the submission has no name")
    if data["system"].keys() != set(SYSTEM):
        raise InputError(f"{path}: system has {', '.join(SYSTEM)} and nothing else")
    _check_system(path, data["system"])
    _check_prompts(path, data["system"]["parameters"])
    if not all(isinstance(row, dict) and isinstance(row.get("id"), str) for row in data["predictions"]):
        raise InputError(f"{path}: a prediction is an object with an id")
    del data["format"]
    return Submission(**{**data, "predictions": tuple(data["predictions"])})


def _check_system(path: Path, system: Mapping[str, Any]) -> None:
    """Back ends by their specs and by their parameters must be the same ones."""
    resolved, parameters = system["resolved"], system["parameters"]
    if not isinstance(parameters, dict) or not all(isinstance(values, dict) for values in parameters.values()):
        raise InputError(f"{path}: system.parameters is no object of objects")
    if not isinstance(resolved, dict) or not all(isinstance(spec, str) for spec in resolved.values()):
        raise InputError(f"{path}: system.resolved is no object of specs")
    if odd := sorted(parameters.keys() ^ (resolved.keys() - {"llm", "retriever"})):
        raise InputError(f"{path}: system.resolved and system.parameters are of other back ends ({', '.join(odd)})")
    for family in sorted(parameters.keys() - {"approach"}):
        known = parameters[family]
        for name, value in _params(resolved[family]):
            if name in known and str(known[name]) != str(value):
                raise InputError(
                    f"{path}: {family} has {name}={value} by its spec, and {known[name]} by its parameters"
                )
    shown = parameters.get("approach", {}).get("shown", [])
    if parameters.get("approach", {}).get("examples", len(shown)) != len(shown):
        raise InputError(f"{path}: the approach shows {len(shown)} examples, and tells another number")


def _params(spec: str) -> tuple[tuple[str, Any], ...]:
    try:
        return registry.parse(spec).params
    except SpecError:  # an object, by its name
        return ()


def _check_prompts(path: Path, parameters: Mapping[str, Mapping[str, Any]]) -> None:
    """A prompt must be told by its text, whose hash is the one that the run recorded."""
    for family, settings in parameters.items():
        if "sha256" not in settings:
            continue
        texts = settings.get("prompt_text")
        if not isinstance(texts, str) or hashlib.sha256(texts.encode()).hexdigest() != settings["sha256"]:
            raise InputError(f"{path}: the text of the prompt of {family} is not the one whose hash it names")


def _not_a_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different."""
    names = dict(pairs)
    if len(names) != len(pairs):
        raise ValueError("a key stands twice in an object")
    return names
