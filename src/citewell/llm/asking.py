"""Sends requests to a language model: one client per spec, replies without thoughts, many requests in order."""

from __future__ import annotations

import contextvars
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from citewell import registry
from citewell.errors import BackendError, ContextTooLongError, RefusedError, ReplyError, UsageError, notes
from citewell.protocols import LLM, Completion, Request
from citewell.text.replies import thinking
from citewell.text.tokens import estimate

SINGLE = (ContextTooLongError, RefusedError, ReplyError)  # what concerns one request alone


@dataclass(frozen=True, kw_only=True)
class AsksModel:
    """A back end that asks a language model.

    Attributes:
        llm: the spec of the model (or a model).
    """

    llm: Any = "openai"

    @cached_property
    def model(self) -> LLM:
        """The model: its limits and connections are kept."""
        return client(self.llm)


_CLIENTS: dict[tuple[int, str], LLM] = {}
_LOCK = threading.Lock()


def client(llm: Any) -> LLM:
    """The client of a spec; anything that is no spec is a client already.

    One of a service is built once a process, so that whoever names it shares its limits, its connections and what it
    has learned of the model. A process that was forked has clients of its own. Raises SpecError: the name or a
    parameter is not known, or a value is refused; MissingExtraError: a package is not installed.
    """
    built: LLM = registry.build("llm", llm)  # refuses what is wrong with the spec before anything is kept
    if not isinstance(llm, str | registry.Spec):
        return built
    name = (registry.parse(llm) if isinstance(llm, str) else llm).name
    if not getattr(registry.factory("llm", name), "shared", False):
        return built
    with _LOCK:
        return _CLIENTS.setdefault((os.getpid(), registry.canonical("llm", str(llm))), built)


def complete(llm: LLM, request: Request, on_text: Callable[[str], None] | None = None) -> Completion:
    """A model's reply without what it thought aloud, whose tokens are counted, by an estimate where it tells none.

    Raises UsageError: the request has tools or options that the model's client does not know; BackendError: the model
    or its service failed.
    """
    name = getattr(llm, "name", type(llm).__name__)
    if unknown := sorted(dict(request.options).keys() - getattr(llm, "options", frozenset())):
        raise UsageError(f"{name} takes no {', '.join(unknown)}: leave it out")
    if request.tools and not getattr(llm, "calls_tools", False):
        raise UsageError(f"{name} calls no tools: the approach 'tools' needs openai(...), anthropic(...) or their like")
    with notes.stage("llm", client=type(llm).__name__) as about:
        reply = llm.complete(request, on_text)
        tokens = {"input_tokens": reply.input_tokens, "output_tokens": reply.output_tokens}
        about |= {"model": reply.model, "finish": reply.finish, **tokens}
    reply_text, thought = thinking.apart(reply.text)
    if not thought:
        return reply
    return replace(reply, text=reply_text.lstrip(), reasoning_tokens=reply.reasoning_tokens or estimate(thought))


def complete_all(llm: LLM, requests: Sequence[Request]) -> list[Completion]:
    """The replies to all requests, in order; equal requests are asked once.

    So many at a time as the model's `concurrency` says, one without it. Raises BackendError: the first failure.
    Requests that were not begun are not made then.
    """
    return [reply for reply in complete_each(llm, requests) if isinstance(reply, Completion)]  # nothing else is kept


def complete_each(
    llm: LLM, requests: Sequence[Request], keep: tuple[type[BackendError], ...] = ()
) -> list[Completion | BackendError]:
    """As `complete_all`, with errors that concern one request alone in its place.

    Errors that are not to `keep` end everything. Raises BackendError: one that is not kept.
    """
    size, distinct = int(getattr(llm, "concurrency", 1)), list(dict.fromkeys(requests))
    replies: dict[Request, Completion | BackendError] = {}

    def ask(request: Request) -> Completion | BackendError:
        try:
            return complete(llm, request)
        except keep as error:
            return error

    def done(request: Request, reply: Completion | BackendError) -> None:
        replies[request] = reply
        _count(reply)

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
        notes.count("llm reasoning tokens", reply.reasoning_tokens or 0)
        notes.pay(reply.model, reply.cost)


def used(completion: Completion) -> dict[str, Any]:
    """What the model used, as far as it is known."""
    return {
        "model": completion.model or None,
        "input_tokens": completion.input_tokens,
        "output_tokens": completion.output_tokens,
        "reasoning_tokens": completion.reasoning_tokens,
        "cost": completion.cost,
        "finish": completion.finish,
    }
