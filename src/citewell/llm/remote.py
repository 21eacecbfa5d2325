"""Shared by clients of services: settings, the key, calls within limits, and conversion of errors.

A client says how its protocol writes a request and reads a reply. The official SDKs have the same errors under the
same names, and are only asked to send: retries and limits are ours, the same for all.
"""

from __future__ import annotations

import os
import re
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar

from citewell.errors import AuthenticationError, BackendError, deadline, notes
from citewell.llm import faults
from citewell.llm.calls import Again, Caller
from citewell.llm.costs import cost
from citewell.llm.faults import Call
from citewell.protocols import Completion, Request
from citewell.text import safe
from citewell.text.tokens import estimate

OnText = Callable[[str], None] | None


class Heard:
    """The text that came in so far, handed over piece by piece. What was handed over cannot be asked for again."""

    def __init__(self, on_text: OnText) -> None:
        self.on_text, self.text, self.pending = on_text, "", ""
        self.failed: Exception | None = None

    def __call__(self, piece: str) -> None:
        """Take in a piece; what may be the beginning of a key is held back until it is known.

        Raises TimedOutError: the whole call has no time left.
        """
        deadline.check()
        self.pending += piece
        self.pending = safe.without_keys(self.pending)
        size = len(self.pending) - _beginning(self.pending, safe.keys())
        piece, self.pending = self.pending[:size], self.pending[size:]
        self._hand_over(piece)

    def end(self) -> None:
        """Hand over what was held back: the reply has ended."""
        piece, self.pending = self.pending, ""
        self._hand_over(piece)

    def _hand_over(self, piece: str) -> None:
        self.text += piece
        if piece and self.on_text:
            try:
                self.on_text(piece)
            except Exception as error:
                self.failed = error
                raise

    def fault(self, error: BackendError | Again, call: Call) -> BackendError | Again:
        """What to raise."""
        if self.on_text and self.text and isinstance(error, Again):
            return faults.broken(call, len(self.text), str(error))
        return error


def _beginning(text: str, keys: tuple[str, ...]) -> int:
    """How many characters at a text's end may be the beginning of a key."""
    longest = max((len(key) for key in keys), default=1)
    sizes = range(min(len(text), longest - 1), 0, -1)
    return next((size for size in sizes if any(key.startswith(text[-size:]) for key in keys)), 0)


@cache
def _transports() -> tuple[Any, ...]:
    """The HTTP packages that versions of the services' packages send by, as far as they are installed."""
    return tuple(import_module(name) for name in ("httpx2", "httpx") if find_spec(name) is not None)


@dataclass(kw_only=True, eq=False)
class Remote(ABC):
    """A model of a service. The key is read from the environment when it is needed and kept out of every text.

    A client and no value: it holds connections, what its limits have left, and what the model has refused to take.

    Attributes:
        model: its name at the service.
        base_url: the service's address, where it is not the official one or the environment's.
        key_env: the environment variable that holds the key.
        timeout: seconds without an answer, after which a request is given up and made again.
        retries: further tries where the service is busy, broken or out of reach.
        requests_per_minute: most requests a minute.
        tokens_per_minute: most tokens a minute.
        concurrency: requests under way at a time, where many are asked.
        prices: a file of prices, in the form of the package's `prices.json`.
    """

    model: str = ""
    base_url: str | None = None
    key_env: str = ""
    timeout: float = 120.0
    retries: int = 5
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    concurrency: int = 8
    prices: str | None = None
    shared: ClassVar[bool] = True  # one client a process for each spec
    name: ClassVar[str]
    service: ClassVar[str]
    official: ClassVar[str]
    address_env: ClassVar[str]
    optional: ClassVar[frozenset[str]]  # parameters that a model may refuse, and can do without
    _caller: Caller = field(init=False, repr=False, compare=False)
    _clients: dict[tuple[str, str], Any] = field(default_factory=dict, init=False, repr=False)
    _refused: set[str] = field(default_factory=set, init=False, repr=False)
    _missed: set[str] = field(default_factory=set, init=False, repr=False)  # refused, and what was wanted is not done
    _own: Any = field(default=None, init=False, repr=False)
    _lock: Any = field(default_factory=threading.Lock, init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.model:
            raise ValueError(f"name a model: {self.name}(model=...)")
        if self.base_url and re.search(r"[@?#]", self.base_url):
            raise ValueError("base_url contains a name, a password or a query: put keys into the environment")
        safe.holds_key(self.key_env)
        if self.timeout <= 0 or self.concurrency < 1:
            raise ValueError("timeout is above 0 and concurrency at least 1")
        self._caller = Caller(self.retries, self.requests_per_minute, self.tokens_per_minute)

    @property
    def address(self) -> str:
        """Where requests go."""
        return safe.address(self.base_url or os.environ.get(self.address_env) or self.official)

    def complete(self, request: Request, on_text: OnText = None) -> Completion:
        """The reply; with `on_text` it is streamed. One that is or counts as a refusal has `finish` "refused".

        Raises MissingExtraError: the service's package is not installed; BackendError: one of AuthenticationError,
        UnknownModelError, ContextTooLongError, RefusedError, UnreachableError, RateLimitError, TimedOutError and
        ReplyError, or itself for other faults.
        """
        tokens = sum(estimate(message.content) + 4 for message in request.messages)
        tokens += sum(estimate(block) for document in request.documents for block in document.blocks)
        service = self.service if self.address == self.official else "the service"
        call = Call(service, self.model, self.address, self.key_env, tokens)
        client = self._client()
        started = time.perf_counter()

        def attempt() -> Completion:
            arguments = self._arguments(request, streamed=on_text is not None)
            rest = {key: value for key, value in arguments.items() if key not in self._refused}
            for name in sorted(self._missed & arguments.keys()):  # whoever asks later is told too
                self._tell_missed(name)
            left = deadline.left()
            timed = client if left is None else client.with_options(timeout=min(self.timeout, left))
            return self._attempt(timed, rest, call, Heard(on_text))

        completion = self._caller.run(attempt, tokens + request.max_tokens)
        priced = self.model if self.address == self.official or self.prices else ""
        if completion.finish == "length" and not completion.text.strip():
            raise faults.cut_off(call, request.max_tokens)
        return replace(
            completion,
            text=safe.without_keys(completion.text),
            annotations=tuple(safe.mapped(completion.annotations, safe.without_keys)),
            model=completion.model or self.model,
            cost=cost(self.name, priced, completion.input_tokens, completion.output_tokens, self.prices),
            seconds=round(time.perf_counter() - started, 3),
        )

    def use(self, client: Any) -> None:
        """Send by a client of the service's package that somebody else made, with its key and its transport."""
        self._own = client.with_options(max_retries=0)

    def _client(self) -> Any:
        if self._own is not None:
            return self._own
        sdk = self._sdk()
        address, key = self.address, os.environ.get(self.key_env, "")
        if not key and self._needs_key():
            raise AuthenticationError(f"there is no key for {address}: set the environment variable {self.key_env}")
        with self._lock:
            if (key, address) not in self._clients:
                common = {"api_key": key or "none", "timeout": self.timeout, "max_retries": 0}
                self._clients[key, address] = self._connected(sdk, address, common)
            return self._clients[key, address]

    def _attempt(self, client: Any, arguments: dict[str, Any], call: Call, heard: Heard) -> Completion:
        """One try. A parameter that the model does not take is left out from then on, and told."""
        try:
            return self._send(client, arguments, call, heard)
        except Exception as error:
            if error is heard.failed:  # not ours: whoever listens has a fault
                raise
            refused = faults.parameter(getattr(error, "status_code", 0), getattr(error, "body", None))
            fault = self._fault(error, call)
            if fault is None:
                raise
            if refused not in self.optional or refused not in arguments:
                raise heard.fault(fault, call) from None
        self._leave_out(refused)
        return self._attempt(client, self._without(arguments, refused), call, heard)

    def _fault(self, error: Exception, call: Call) -> BackendError | Again | None:
        """What an exception of the SDK, or of reading its reply, means; None for what is no fault of the service."""
        sdk, transports = self._sdk(), _transports()
        if isinstance(error, Again):
            return error
        if isinstance(error, (sdk.APITimeoutError, *(transport.TimeoutException for transport in transports))):
            deadline.check()
            return faults.unreachable(call, error, self.timeout)
        if isinstance(error, sdk.APIConnectionError):
            return faults.unreachable(call, error)
        if isinstance(error, tuple(transport.HTTPError for transport in transports)):
            return faults.malformed(call, f"the connection ended in the middle: {error}")
        if isinstance(error, sdk.APIResponseValidationError):
            return faults.malformed(call, str(error))
        if isinstance(error, sdk.APIError):
            return self._status(call, error)
        if isinstance(error, ValueError | TypeError | AttributeError | LookupError):
            return faults.malformed(call, f"{type(error).__name__}: {error}")
        return None

    def _leave_out(self, refused: str) -> None:
        self._refused.add(refused)
        self._missed.add(refused)
        self._tell_missed(refused)

    def _tell_missed(self, refused: str) -> None:
        notes.warn(f"the model {self.model!r} takes no {refused}: it was left out")

    def _without(self, arguments: dict[str, Any], refused: str) -> dict[str, Any]:
        return {key: value for key, value in arguments.items() if key != refused}

    def _status(self, call: Call, error: Any) -> BackendError | Again:
        """The fault of an answer that tells an error; one inside a stream has no status of its own."""
        code = getattr(error, "status_code", 200)
        headers = error.response.headers if hasattr(error, "response") else {}
        return faults.status(call, code if code >= 400 else faults.code_of(error.body), error.body, headers)

    def _needs_key(self) -> bool:
        return True

    def _sdk(self) -> Any:
        return import_module(self.name)

    @abstractmethod
    def _connected(self, sdk: Any, address: str, common: dict[str, Any]) -> Any:
        """A client of that package."""

    @abstractmethod
    def _arguments(self, request: Request, *, streamed: bool) -> dict[str, Any]:
        """The request in the service's terms."""

    @abstractmethod
    def _send(self, client: Any, arguments: dict[str, Any], call: Call, heard: Heard) -> Completion:
        """Send, and read the reply."""
