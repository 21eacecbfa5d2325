"""Asking a language model: the model of a back end, and many requests at once with the replies in order."""

from __future__ import annotations

import contextvars
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from citewell import notes, registry
from citewell.errors import BackendError
from citewell.protocols import LLM, Completion, Request


@dataclass(frozen=True, kw_only=True)
class AsksModel:
    """A back end that asks a language model.

    Attributes:
        llm: the spec of the model (or a model).
    """

    llm: Any = "openai"

    @cached_property
    def model(self) -> LLM:
        """The model, built once: its limits and connections are kept."""
        client: LLM = registry.build("llm", self.llm)
        return client


def complete_all(llm: LLM, requests: Sequence[Request], concurrency: int | None = None) -> list[Completion]:
    """The replies to all requests, in order; equal requests are asked once.

    `concurrency` is the model's own where None, 1 without one.

    Raises:
        BackendError: the first failure. Requests that were not begun are not made then.
    """
    replies = complete_each(llm, requests, concurrency)
    return [reply for reply in replies if isinstance(reply, Completion)]  # errors are kept only where one asks


def complete_each(
    llm: LLM,
    requests: Sequence[Request],
    concurrency: int | None = None,
    keep: tuple[type[BackendError], ...] = (),
    on_done: Callable[[int, Completion | BackendError], None] | None = None,
) -> list[Completion | BackendError]:
    """As `complete_all`, with errors that concern one request alone in its place.

    Errors that are not to `keep` end everything. `on_done` is told the position and the reply of each request, in the
    order of the requests, by the caller's thread.

    Raises:
        BackendError: one that is not kept.
    """
    size = concurrency if concurrency is not None else int(getattr(llm, "concurrency", 1))
    distinct = list(dict.fromkeys(requests))
    places: dict[Request, list[int]] = {}
    for place, request in enumerate(requests):
        places.setdefault(request, []).append(place)
    replies: dict[Request, Completion | BackendError] = {}

    def ask(request: Request) -> Completion | BackendError:
        try:
            return llm.complete(request)
        except keep as error:
            return error

    def done(request: Request, reply: Completion | BackendError) -> None:
        replies[request] = reply
        _count(reply)
        for place in places[request] if on_done else ():
            on_done(place, reply)  # type: ignore[misc]

    if size <= 1 or len(distinct) <= 1:
        for request in distinct:
            done(request, ask(request))
        return [replies[request] for request in requests]
    with ThreadPoolExecutor(min(size, len(distinct)), thread_name_prefix="citewell-llm") as pool:
        # Each thread sees the caller's context, so that notes made while asking reach the caller.
        futures = [(request, pool.submit(contextvars.copy_context().run, ask, request)) for request in distinct]
        try:
            for request, future in futures:
                done(request, future.result())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [replies[request] for request in requests]


def _count(reply: Completion | BackendError) -> None:
    notes.count("llm requests")
    if isinstance(reply, Completion):
        notes.count("llm input tokens", reply.input_tokens or 0)
        notes.count("llm output tokens", reply.output_tokens or 0)
