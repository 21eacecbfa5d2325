"""Recorded replies: the same request is never paid for twice, and runs can be repeated without a network.

A file is JSON lines, one a reply: `{"key", "model", "completion"}`. The key is the SHA-256 of the model's spec (without
what does not change replies, such as timeouts) and the request. Lines are only ever appended, each written at once and
synced, so that a killed run loses at most the reply that was being written.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from citewell import registry
from citewell.errors import BackendError, notes
from citewell.llm import asking
from citewell.llm.scripted import pieces
from citewell.protocols import LLM, Completion, Request, ToolCall
from citewell.text.safe import redact_spec, scrub

MODES = ("auto", "record", "replay")
# Settings of clients that change how a reply is fetched, and not what it says.
_PASSING = frozenset(
    "timeout retries requests_per_minute tokens_per_minute concurrency key_env prices batch device".split()
)

# Fields of requests that came later: at rest they are left out, so that what was recorded before is still found.
_LATER: dict[str, Any] = {"options": (), "tools": (), "steps": (), "may_call": True}


@dataclass(kw_only=True, eq=False)
class Replay:
    """A model whose replies are recorded. A client and no value: it holds what it has read of its file.

    Attributes:
        path: the file of replies.
        llm: the spec of the model (or a model). In mode `replay` it is never built: its package and key may lack.
        mode: `auto` asks only what is not in the file; `record` always asks, and the newest reply counts; `replay`
            never asks.
    """

    path: str = ""
    llm: Any = "openai"
    mode: str = "auto"
    name: ClassVar[str] = "replay"
    _known: dict[str, Completion] = field(default_factory=dict, init=False, repr=False)
    _position: int = field(default=0, init=False, repr=False)  # in bytes: what of the file was read
    _lock: Any = field(default_factory=threading.Lock, init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.path:
            raise ValueError("name a file: replay(path=..., llm=...)")
        if self.mode not in MODES:
            raise ValueError(f"mode is one of {', '.join(MODES)}, not {self.mode!r}")

    @property
    def options(self) -> frozenset[str]:
        """Those of the model."""
        return getattr(self._inner, "options", frozenset())

    @property
    def calls_tools(self) -> bool:
        """Whether the model does; in mode `replay` what was recorded says so."""
        return self.mode == "replay" or bool(getattr(self._inner, "calls_tools", False))

    @property
    def concurrency(self) -> int:
        """That of the model."""
        return 8 if self.mode == "replay" else int(getattr(self._inner, "concurrency", 1))

    def complete(self, request: Request, on_text: Callable[[str], None] | None = None) -> Completion:
        """The recorded reply, or the model's, which is recorded before it is returned.

        Raises BackendError: nothing is recorded for the request and the mode forbids to ask, the file cannot be read or
        written, or the model failed.
        """
        key = self.key(request)
        if self.mode != "record":
            recorded = self._recorded(key)
            if recorded is not None:
                notes.count("llm replies replayed")
                for piece in pieces(recorded.text) if on_text else ():
                    on_text(piece)  # type: ignore[misc]
                return recorded
        if self.mode == "replay":
            spec = redact_spec(self._spec)
            raise BackendError(
                f"no reply is recorded in {self.path!r} for this request to {spec} (key {key[:12]}); "
                "record it with mode=auto"
            )
        completion = self._inner.complete(request, on_text)
        self._append(key, completion)
        return completion

    def key(self, request: Request) -> str:
        """The hash under which the reply to a request is kept."""
        fields = {name: value for name, value in asdict(request).items() if name not in _LATER or value != _LATER[name]}
        content = json.dumps([self._spec, fields], ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()

    @cached_property
    def _inner(self) -> LLM:
        return asking.client(self.llm)

    @cached_property
    def _spec(self) -> str:
        """The model, by what changes its replies."""
        if not isinstance(self.llm, str):
            return f"{getattr(self.llm, 'name', type(self.llm).__name__)}({getattr(self.llm, 'model', '')})"
        parsed = registry.parse(self.llm)
        kept = sorted((key, value) for key, value in parsed.params if key not in _PASSING)
        return str(registry.Spec(parsed.name, tuple(kept)))

    def _recorded(self, key: str) -> Completion | None:
        with self._lock:
            if key not in self._known:
                self._refresh()
            return self._known.get(key)

    def _refresh(self) -> None:
        """Read what was appended since the last time, by this or another process."""
        path = Path(self.path).expanduser()
        try:
            if not path.exists() or path.stat().st_size <= self._position:
                return
            with path.open("rb") as file:
                file.seek(self._position)
                content = file.read()
        except OSError as error:
            raise BackendError(f"the replies in {self.path!r} cannot be read: {error}") from error
        whole = content.rfind(b"\n") + 1
        self._position += whole
        damaged = 0
        for line in content[:whole].splitlines():
            try:
                entry = json.loads(line)
                calls = tuple(ToolCall(*call) for call in entry["completion"].get("calls", ()))
                annotations = tuple(entry["completion"]["annotations"])
                completion = {**entry["completion"], "annotations": annotations, "calls": calls}
                self._known[entry["key"]] = Completion(**completion)
            except (ValueError, TypeError, KeyError):
                damaged += bool(line.strip())
        if damaged:
            notes.warn(f"{damaged} lines of {self.path} are damaged and were skipped")

    def _append(self, key: str, completion: Completion) -> None:
        entry = {"key": key, "model": redact_spec(self._spec), "completion": asdict(completion)}
        line = scrub(json.dumps(entry, ensure_ascii=False, separators=(",", ":"))).encode("utf-8", "replace")
        path = Path(self.path).expanduser()
        with self._lock:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
                try:
                    if os.fstat(handle).st_size:
                        os.lseek(handle, -1, os.SEEK_END)
                        if os.read(handle, 1) != b"\n":
                            # What a kill left of a line is closed off, so that it does not swallow this one.
                            line = b"\n" + line
                    os.write(handle, line + b"\n")
                    os.fsync(handle)
                finally:
                    os.close(handle)
            except OSError as error:
                raise BackendError(f"a reply cannot be written to {self.path!r}: {error}") from error
            self._known[key] = completion
