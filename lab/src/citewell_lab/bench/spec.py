"""The description of a run: arguments, resolved specs, checksums, versions; stored with its items."""

from __future__ import annotations

import functools
import json
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields, is_dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from citewell import readers
from citewell.errors import InputError, UsageError
from citewell.text import files, safe, segments

FORMAT = 1
_KINDS: Mapping[str, type] = {"str": str, "int": int, "Mapping": dict}  # what a field's type is in JSON
# What may differ between two calls that continue one run.
_FREE = ("limit", "given", "versions", "git", "format")
_PACKAGES = ("citewell", "numpy", "torch", "transformers", "sentence-transformers", "tokenizers", "peft", "scipy")


@dataclass(frozen=True, slots=True)
class Spec:
    """Everything that decides a run's items.

    Attributes:
        given: the arguments as they were given.
        resolved: the back ends in canonical form, with their defaults left out.
        parameters: all parameters of the back ends, defaults included.
        checksums: SHA-256 of every data file, by its path below the data folder.
        sample: how many items were drawn with the seed, None where all were taken.
        text: versions of the reader and of the segmenter, which decide what documents and their segments are.
    """

    task: str
    split: str
    limit: int | None
    seed: int
    given: Mapping[str, Any]
    resolved: Mapping[str, str]
    parameters: Mapping[str, Mapping[str, Any]]
    checksums: Mapping[str, str]
    versions: Mapping[str, str]
    git: str | None
    text: Mapping[str, str] = field(default_factory=dict)
    sample: int | None = None
    format: int = FORMAT


def parameters(backend: Any) -> dict[str, Any]:
    """All parameters of a back end as they are in use; values that JSON does not know as text."""
    if not is_dataclass(backend):
        return {}
    values = {parameter.name: getattr(backend, parameter.name) for parameter in fields(backend) if parameter.init}
    plain: dict[str, Any] = json.loads(json.dumps(values, default=str))
    return plain


@functools.cache
def versions() -> Mapping[str, str]:
    """Versions of Python and of the packages that can change a result, those that are installed."""
    by_name = {"python": platform.python_version()}
    for name in _PACKAGES:
        try:
            by_name[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return by_name


def text() -> dict[str, str]:
    """Versions of what makes documents of bytes and segments of documents."""
    return {"reader": readers.VERSION, "segmenter": segments.VERSION}


@functools.cache  # of the source that runs, which was loaded once
def revision() -> str | None:
    """The git revision of citewell's own source, with `+` where it has changes; None for an installed package."""
    here = Path(__file__).resolve().parent
    try:
        known = ["git", "-C", str(here), "ls-files", "--error-unmatch", Path(__file__).name]
        if subprocess.run(known, capture_output=True, timeout=10, check=False).returncode:  # noqa: S603
            return None  # another project's repository around an installed package says nothing about us
        command = ["git", "-C", str(here), "describe", "--always", "--abbrev=40", "--dirty=+", "--exclude=*"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None


def write(folder: Path, spec: Spec) -> None:
    """Write `spec.json`, or check that it says the same.

    Raises:
        UsageError: the folder holds another run; the text names what differs.
    """
    path = folder / "spec.json"
    if path.exists():
        old = read(folder)
        differs = [
            entry.name
            for entry in fields(Spec)
            if entry.name not in _FREE
            and _plain(getattr(spec, entry.name)) != getattr(old, entry.name)
            and (old.text or entry.name != "text")  # runs of before this was told
        ]
        if differs:
            raise UsageError(f"{folder} holds another run (it differs in {', '.join(differs)}): choose another --out")
    content = json.dumps(_plain(asdict(spec)), ensure_ascii=False, indent=1, sort_keys=True)
    files.write(path, content + "\n")


def _plain(value: Any) -> Any:
    """A value as it stands in JSON, without what specs and addresses may hold of keys and passwords."""
    return safe.mapped(json.loads(json.dumps(value)), safe.redact_spec)


def read(folder: Path) -> Spec:
    """The spec of a run.

    Raises:
        InputError: the folder is not a run.
    """
    path = folder / "spec.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{folder} is not a run: {error}") from error
    except (ValueError, RecursionError) as error:
        raise _damaged(path, str(error)) from error
    if not isinstance(data, dict):
        raise _damaged(path, "it holds no object")
    for entry in fields(Spec):
        wanted = next(kind for start, kind in _KINDS.items() if str(entry.type).startswith(start))
        if entry.name not in data and entry.default is MISSING and entry.default_factory is MISSING:
            raise _damaged(path, f"{entry.name!r} is missing")
        value = data.get(entry.name)
        if entry.name in data and not (isinstance(value, wanted) or (value is None and "None" in str(entry.type))):
            raise _damaged(path, f"{entry.name!r} is {json.dumps(value)[:40]}")
    return Spec(**{entry.name: data[entry.name] for entry in fields(Spec) if entry.name in data})


def _damaged(path: Path, why: str) -> InputError:
    return InputError(f"{path} is damaged ({why}): it says what the run was; restore it, or choose another folder")
