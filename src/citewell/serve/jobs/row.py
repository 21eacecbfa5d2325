"""The work for a row of a job: the same code as for a request of its kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import ValidationError

from citewell.library.batch.rows import Row, failure, line
from citewell.library.batch.schedule import Lines
from citewell.serve import bodies, libraries, work
from citewell.serve.faults import Fault
from citewell.serve.jobs.folders import Kind
from citewell.serve.offered import NOTHING, Offered
from citewell.serve.owners import Caller
from citewell.serve.pool import Job
from citewell.text import safe

_BODIES: dict[Kind, Any] = {
    "ask": bodies.Ask,
    "attribute": bodies.Attribute,
    "check": bodies.Check,
    "audit": bodies.Audit,
}
_NOT = ("stream", "keep")  # a job has no stream, and keeps its results itself


@dataclass(frozen=True)
class Rows:
    """The work of a job, as it is sent to the processes that do it."""

    kind: Kind  # what is done with each row
    by: Caller  # who asked
    libraries: tuple[str, ...]  # that the caller may use, by name
    places: Mapping[str, str]  # of the libraries by name
    llm: str | None  # the service's language model
    seconds: float  # that reading one document may take
    offered: Offered = NOTHING  # models and promises that rows may name

    def record(self) -> dict[str, Any]:
        """The fields that two equal batches share."""
        return {"kind": self.kind, "labels": list(self.by.labels), "llm": self.llm and safe.redact_spec(self.llm)}

    def worker(self, files: Mapping[str, bytes] | None = None) -> _Worker:  # noqa: ARG002  (rows name no files)
        """A worker for the rows."""
        return _Worker(self)


class _Worker:
    def __init__(self, batch: Rows) -> None:
        self._batch = batch

    @cached_property
    def _desk(self) -> work.Desk:
        return work.Desk(self._batch.places, self._batch.llm, self._batch.seconds, self._batch.offered)

    def lines(self, rows: Sequence[Row]) -> Lines:
        return [self._line(row) for row in rows]

    def _line(self, row: Row) -> tuple[bytes, bool]:
        if row.wrong:
            return failure(row, "InputError", row.wrong), False
        try:
            job = self._job(row)
        except Fault as fault:
            return _failed(row, fault), False
        kind, value = work.done(self._desk, job, lambda _: None)
        if kind == "fault":
            return _failed(row, value), False
        result = safe.loads(value.decode())
        result.get("usage", {}).pop("seconds", None)  # the same rows give the same bytes
        return line({"id": row.id, "result": result}), True

    def _job(self, row: Row) -> Job:
        """A row as a job of a worker."""
        payload = {name: value for name, value in row.data.items() if name != "id"}
        if names := [name for name in _NOT if payload.get(name)]:
            raise Fault(422, "UsageError", f"a row of a job has no {names[0]}", names[0])
        try:
            body = _BODIES[self._batch.kind].model_validate(payload)
        except ValidationError as error:
            problems = error.errors(include_url=False, include_context=False, include_input=False)
            raise bodies.invalid(problems) from error
        library = libraries.chosen(self._batch.libraries, body.library)
        fields = {**body.model_dump(), "settings": body.settings(self._batch.offered), "keep": None}
        return Job(self._batch.kind, self._batch.by.labels, fields, library=library, by=self._batch.by)


def _failed(row: Row, fault: Fault) -> bytes:
    place = f"{fault.field}: " if fault.field else ""
    return failure(row, fault.kind, f"{place}{fault.message}")
