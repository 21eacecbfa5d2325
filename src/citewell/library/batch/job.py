"""The work for one row: a pure function from the row, its documents and the settings to a line of JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from citewell import pipeline, registry
from citewell.document import Document
from citewell.errors import CitewellError, CorruptDocumentError, MissingExtraError, UsageError, of_files
from citewell.library.batch.rows import Row, failure, line
from citewell.pipeline import Pipeline, promise
from citewell.readers import cache
from citewell.text import safe
from citewell.text.memo import Recent
from citewell.types import checked

if TYPE_CHECKING:
    from citewell.library.library import Library

Kind = Literal["ask", "attribute", "check", "audit"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_SUBJECT = {"ask": "question", "attribute": "answer", "check": "claims", "audit": "response"}
_KEPT = 64  # documents that a worker holds


@dataclass(frozen=True)
class Job:
    """What a batch does with every row."""

    kind: Kind  # the verb
    # Where documents are found that a row names by their ids, and all that a row without documents is about
    library: str | None = None
    labels: tuple[str, ...] = ()  # what the caller carries; see `Library`
    where: str | None = None  # a condition on the library's documents
    # How its documents are ranked, `lexical`, `dense` or `hybrid`; see `Library`
    retrieval: Literal["lexical", "dense", "hybrid"] = "lexical"
    scan: bool = False  # by meaning, compare all paragraphs
    settings: Mapping[str, Any] = field(default_factory=dict)  # of the verb, as for `citewell.ask`

    def record(self) -> dict[str, Any]:
        """What makes two batches the same, without keys."""
        library = safe.scrub(self.library) if self.library else None
        settings = {name: _recorded(value) for name, value in self.settings.items()}
        ranked = {"retrieval": self.retrieval, "scan": self.scan}
        chosen = {"library": library, "labels": list(self.labels), "where": self.where, **ranked}
        return {"kind": self.kind, **chosen, **settings}

    def generation(self) -> int:
        """How often the library has changed. Raises LibraryError: there is none, or it cannot be used."""
        from citewell.library.library import Library

        with Library(self.library or "", labels=self.labels) as library:
            return library.generation()

    def pipeline(self) -> Pipeline:
        """What works on the rows.

        Raises UsageError: a setting is not known, or out of range; SpecError: a back end is not known.
        """
        settings = dict(self.settings)
        if self.kind == "ask":
            return pipeline.answering(**settings)
        if self.kind == "attribute" and "method" in settings:
            settings["attributor"] = settings.pop("method")
        return pipeline.assembled(**settings)

    def refuse(self, *, elsewhere: bool) -> None:
        """Say what would be wrong with every row, before any is worked on.

        `elsewhere`: the work is done on other machines, which may have packages that this one lacks. Raises
        CitewellError: a setting, or a back end.
        """
        chosen = self.pipeline()
        for stage in ("generator", "attributor", "checker"):
            with suppress(*((MissingExtraError,) if elsewhere else ())):
                registry.build(stage, getattr(chosen, stage))

    def worker(self, files: Mapping[str, bytes] | None = None) -> Worker:
        """One who does it; `files` are those that rows name, where they lie on another machine."""
        return Worker(self, files)


class Worker:
    """Works on rows, one after the other; documents that were read are kept for the next row."""

    def __init__(self, job: Job, files: Mapping[str, bytes] | None = None) -> None:
        self._job, self._files = job, files
        self._kept = Recent[str, Document](_KEPT)

    def lines(self, rows: Sequence[Row]) -> list[tuple[bytes, bool]]:
        """For each row a line of JSON, and whether it holds a result."""
        return [self._line(row) for row in rows]

    def _line(self, row: Row) -> tuple[bytes, bool]:
        if row.wrong:
            return failure(row, "InputError", row.wrong), False
        try:
            payload = {"id": row.id, "result": self._result(row.data)}
        except CitewellError as error:
            return failure(row, type(error).__name__, str(error)), False
        except Exception as error:  # noqa: BLE001  (one row's fault, ours or a back end's, is that row's result)
            return failure(row, type(error).__name__, f"internal error: {error}"), False
        return line(payload), True

    def _result(self, row: Mapping[str, Any]) -> dict[str, Any]:
        kind = self._job.kind
        response = row.get(_SUBJECT[kind])
        if response is None:
            raise UsageError(f"the row has no {_SUBJECT[kind]!r}")
        if kind == "check":
            claims = [response] if isinstance(response, str) else response
            if not isinstance(claims, list) or not all(isinstance(claim, str) for claim in claims):
                raise UsageError("claims are a list of texts")
            documents = self._documents(row, claims)
            return checked.to_dict(self._pipeline.check(documents, claims), documents)
        if kind == "audit":
            return self._audit(row, response)
        if not isinstance(response, str):
            raise UsageError(f"{_SUBJECT[kind]} is a text")
        documents = self._documents(row, [response])
        if kind == "ask":
            library = None if _named(row) is not None else self._library
            doubt = library.doubt(response, documents, self._job.where) if library else None
            answer = self._pipeline.run(documents, response, doubt=doubt)
        else:
            question = row.get("question")
            answer = self._pipeline.attribute(documents, response, question if isinstance(question, str) else None)
        result = answer.to_dict()
        result["usage"].pop("seconds", None)  # the same rows give the same bytes; times stand in run.json
        return result

    def _audit(self, row: Mapping[str, Any], response: Any) -> dict[str, Any]:
        from citewell.audit import scores

        question = row.get("question")
        documents = self._documents(row, [response if isinstance(response, str) else safe.dumps(response)])
        ordered = _named(row) is not None
        return scores.audit(response, documents, question=question, pipeline=self._pipeline, ordered=ordered).to_dict()

    def _documents(self, row: Mapping[str, Any], texts: Sequence[str]) -> list[Document]:
        named = _named(row)
        if named is None:
            if self._library is None:
                raise UsageError("the row has no 'documents', and there is no library")
            return self._library.documents(self._library.about(texts, self._job.where))
        if not isinstance(named, list) or not named:
            raise UsageError("documents are a list of paths, ids or {text, title}")
        return [self._document(entry) for entry in named]

    def _document(self, named: Any) -> Document:
        if isinstance(named, dict) and isinstance(named.get("text"), str):
            title = named.get("title")
            return Document.from_text(named["text"], title if isinstance(title, str) else None)
        if not isinstance(named, str):
            raise UsageError("a document is a path, an id or {text, title}")
        return self._kept.get(named, partial(self._read, named))

    def _read(self, name: str) -> Document:
        if self._files is not None and name in self._files:
            return cache.read(self._files[name], name)
        if self._library is not None and not Path(name).is_file():
            return self._library.document(name)
        if self._library is None and name.lower().endswith(".json"):
            with suppress(CorruptDocumentError):  # one that was saved: with its rectangles
                return Document.load(name)
        with of_files(f"{name} cannot be read"):
            return cache.read(Path(name).read_bytes(), name)

    @cached_property
    def _pipeline(self) -> Pipeline:
        return self._job.pipeline()

    @cached_property
    def _library(self) -> Library | None:
        job = self._job
        if job.library is None:
            return None
        from citewell.library.library import Library

        return Library(job.library, labels=job.labels, retrieval=job.retrieval, scan=job.scan)


def _recorded(value: Any) -> Any:
    """A setting without keys; a back end that is no spec is told by its name."""
    if value is None or isinstance(value, str | int | float | list | tuple | Mapping):
        return safe.mapped(value, safe.redact_spec)
    return asdict(value) if isinstance(value, promise.Promise) else registry.name(value)


def with_promise(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings with the promise that they name by its file: workers may be on machines without it."""
    named = settings.get("abstain")
    if isinstance(named, str) and named != promise.DEFAULT:
        return {**settings, "abstain": promise.read(named)}
    return dict(settings)


def _named(row: Mapping[str, Any]) -> Any:
    """The documents that a row names, None where it leaves them to the library."""
    named = row.get("documents", row.get("document"))
    return [named] if isinstance(named, str | dict) else named
