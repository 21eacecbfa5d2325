"""The verbs for `async` code: the same work in a thread, which stops soon after the caller stops waiting.

answer = await citewell.aask("report.pdf", "What was revenue in 2022?")
async for part in citewell.astream("report.pdf", "What was revenue in 2022?", llm="openai(model=gpt-4o-mini)"):
    print(part)   # each statement as soon as it is final, at the end the whole answer
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any, ParamSpec, TypeVar

from citewell.errors import deadline
from citewell.pipeline import ask, attribute, check
from citewell.pipeline.sources import Documents
from citewell.types import Answer, Partial, Verdict

_T = TypeVar("_T")
_P = ParamSpec("_P")


async def aask(documents: Documents, question: str, **settings: Any) -> Answer:
    """`citewell.ask` for `async` code; a cancelled task stops before the next stage or request."""
    return await _off(ask, documents, question, **settings)


async def aattribute(documents: Documents, answer: str, question: str | None = None, **settings: Any) -> Answer:
    """`citewell.attribute` for `async` code."""
    return await _off(attribute, documents, answer, question, **settings)


async def acheck(documents: Documents, claims: str | Iterable[str], **settings: Any) -> list[Verdict]:
    """`citewell.check` for `async` code."""
    return await _off(check, documents, claims, **settings)


async def astream(documents: Documents, question: str, **settings: Any) -> AsyncIterator[Partial | Answer]:
    """Yields each statement of an answer as soon as it is final, and finally the whole answer.

    The work stops when the caller stops iterating.
    """
    loop, queue = asyncio.get_running_loop(), asyncio.Queue[Partial]()

    def tell(part: Partial) -> None:
        loop.call_soon_threadsafe(queue.put_nowait, part)

    working = asyncio.create_task(_off(ask, documents, question, **settings, tell=tell))
    try:
        while True:
            waiting = asyncio.create_task(queue.get())
            await asyncio.wait({working, waiting}, return_when=asyncio.FIRST_COMPLETED)
            if not waiting.done():
                waiting.cancel()
                break
            yield waiting.result()
        yield await working
    finally:
        working.cancel()


async def _off(work: Callable[_P, _T], *args: _P.args, **settings: _P.kwargs) -> _T:
    """The result of work in a thread, with this task's context; the work stops when the task is cancelled."""
    with deadline.stoppable() as stop:
        try:
            return await asyncio.to_thread(work, *args, **settings)
        except asyncio.CancelledError:
            stop()
            raise
