"""The folder of a fine-tuning run: its record, losses and checkpoints; a killed run resumes from there.

run.json            settings given and resolved, checksums of the examples, versions; never changed by going on
losses.jsonl        a line a step (loss), and a line a development score
checkpoints/        what is needed to go on; each has the file `complete` once all of it is written
adapter/            the result, for `transformers(model=..., adapter=...)`
summary.json        the figures at the end
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from citewell.errors import InputError, UsageError
from citewell.text import files

# What may differ between two calls that continue one run.
_FREE = ("given", "versions", "git")
_COMPLETE = "complete"


class Folder:
    """One run's folder."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.losses = self.path / "losses.jsonl"
        self.checkpoints = self.path / "checkpoints"
        self.adapter = self.path / "adapter"
        self.plot = self.path / "losses.svg"
        self.summary = self.path / "summary.json"

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Make the folder and work in it alone.

        Raises:
            UsageError: the folder cannot be made.
            InUseError: another process trains there.
        """
        new = not self.path.exists()
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"the run's folder cannot be made: {error}") from error
        try:
            with files.locked(self.path):
                yield
        except BaseException:
            if new:
                with suppress(OSError):  # something lies in it: that stays
                    self.path.rmdir()
            raise

    def begin(self, record: Mapping[str, Any]) -> None:
        """Write the record, or check that the run that lies there is the same.

        Raises:
            UsageError: the folder holds another run; the text names what differs.
            InputError: its record is damaged.
        """
        path = self.path / "run.json"
        plain = json.loads(json.dumps(record))
        try:
            if not path.exists():
                if any(inside.name != files.LOCK for inside in self.path.iterdir()):
                    raise UsageError(f"{self.path} is not empty and holds no run: choose another --out")
                files.write(path, json.dumps(plain, ensure_ascii=False, indent=1) + "\n")
                return
            old = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise UsageError(f"{path} cannot be read: {error}") from error
        except ValueError as error:
            raise InputError(f"{path} is damaged: {error}") from error
        differs = sorted(
            f"{key}.{name}" if name else key
            for key in plain
            if key not in _FREE
            for name in _differing(plain[key], old.get(key))
        )
        if differs:
            raise UsageError(
                f"{self.path} holds another run (it differs in {', '.join(differs)}): choose another --out"
            )

    def checkpoint(self) -> tuple[int, Path] | None:
        """The latest complete checkpoint and its step; what a kill left incomplete is removed."""
        collected = []
        for path in self.checkpoints.glob("checkpoint-*"):
            if (path / _COMPLETE).exists():
                collected.append((int(path.name.rpartition("-")[2]), path))
            else:
                shutil.rmtree(path)
        return max(collected, default=None)

    def complete(self, step: int) -> None:
        """Say that all of a step's checkpoint is written."""
        (self.checkpoints / f"checkpoint-{step}" / _COMPLETE).touch()

    def publish(self, *, best: bool) -> None:
        """Copy the adapter of the last checkpoint, or of the one with the best development loss, out of it."""
        matches = self.checkpoint()
        if matches is None:
            raise InputError(f"{self.checkpoints} has no complete checkpoint")
        path = matches[1]
        if best:
            state = json.loads((path / "trainer_state.json").read_text(encoding="utf-8"))
            path = self.checkpoints / f"checkpoint-{state['best_global_step']}"
        temporary = self.adapter.with_suffix(".tmp")
        for folder in (temporary, self.adapter):
            shutil.rmtree(folder, ignore_errors=True)
        temporary.mkdir()
        for file in sorted(path.glob("adapter_*")):
            shutil.copy2(file, temporary / file.name)
        temporary.replace(self.adapter)

    def log(self, row: Mapping[str, Any]) -> None:
        """Append a line to the losses."""
        with self.losses.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def rewind(self, step: int) -> None:
        """Take back the losses after a step, which will be computed again, and a line that a kill cut off."""
        kept = [row for row in self.rows() if row["step"] <= step] if step else []
        files.write(self.losses, "".join(json.dumps(row) + "\n" for row in kept))

    def rows(self) -> list[dict[str, Any]]:
        """The losses; a line that was cut off at the end is left out."""
        if not self.losses.exists():
            return []
        lines = self.losses.read_text(encoding="utf-8").split("\n")[:-1]
        return [json.loads(line) for line in lines if line]

    def finish(self, summary: Mapping[str, Any]) -> None:
        """Write the figures: the run is done."""
        files.write(self.summary, json.dumps(summary, ensure_ascii=False, indent=1) + "\n")

    def finished(self) -> dict[str, Any] | None:
        """The figures of a run that is done."""
        if not self.summary.exists():
            return None
        payload: dict[str, Any] = json.loads(self.summary.read_text(encoding="utf-8"))
        return payload


def _differing(new: Any, old: Any) -> list[str]:
    """The keys in which two objects differ; the empty name where they are no objects."""
    if isinstance(new, dict) and isinstance(old, dict):
        return [name for name in sorted(new.keys() | old.keys()) if new.get(name) != old.get(name)]
    return [] if new == old else [""]
