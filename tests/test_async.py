"""The verbs for async code: the same results, several at once, as they come, and ended where nobody waits."""

import asyncio
import threading

import pytest

import citewell
from citewell.errors import DocumentError, UsageError

REPORT = citewell.Document.from_text(
    "The harbour froze in January 2021. Revenue rose to $5.9bn in 2022.\n\nTwo ferries were sold."
)


def same(first, second):
    return (first.text, first.statements, first.citations) == (second.text, second.statements, second.citations)


def test_they_give_what_the_others_give_several_at_once():
    async def run():
        return await asyncio.gather(
            citewell.aask(REPORT, "What was revenue in 2022?", k=1),
            citewell.aattribute(REPORT, "Two ferries were sold."),
            citewell.acheck(REPORT, ["Two ferries were sold.", "It was hot."]),
        )

    answer, attributed, verdicts = asyncio.run(run())
    assert same(answer, citewell.ask(REPORT, "What was revenue in 2022?", k=1))
    assert same(attributed, citewell.attribute(REPORT, "Two ferries were sold."))
    assert verdicts == citewell.check(REPORT, ["Two ferries were sold.", "It was hot."])


def test_an_answer_is_streamed_by_statements_and_ends_with_the_whole():
    reply = "Revenue was $5.9bn [1]. Two ferries were sold [1]."

    async def run():
        return [part async for part in citewell.astream(REPORT, "What?", llm=lambda prompt: reply)]

    *parts, answer = asyncio.run(run())
    assert [part.statement for part in parts] == list(answer.statements)
    assert same(answer, citewell.ask(REPORT, "What?", llm=lambda prompt: reply))


def test_errors_come_through():
    async def run():
        with pytest.raises(DocumentError):
            await citewell.aask("nothing.pdf", "What?")
        with pytest.raises(UsageError, match="a pipeline has no colour"):
            async for _ in citewell.astream(REPORT, "What?", colour=1):
                pass

    asyncio.run(run())


class Slow:
    """A language model that replies when it may; and a checker that notes when it is asked."""

    def __init__(self):
        self.called, self.may, self.checked, self.ended = (threading.Event() for _ in range(4))

    def __call__(self, prompt):
        self.called.set()
        assert self.may.wait(60)
        threading.Timer(0, self.ended.set).start()
        return "Revenue was $5.9bn [1]."

    def check(self, claim, evidence):
        self.checked.set()
        return True


async def cancelled(slow, task):
    await asyncio.to_thread(slow.called.wait, 60)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    slow.may.set()


def test_a_task_that_is_cancelled_goes_no_further_than_the_request_it_was_in():
    slow = Slow()

    async def run():
        await cancelled(slow, asyncio.create_task(citewell.aask(REPORT, "What?", llm=slow, checker=slow.check)))

    asyncio.run(run())  # waits for its threads
    assert slow.ended.wait(60)
    assert not slow.checked.is_set()


def test_a_stream_that_is_cancelled_stops_the_work():
    slow = Slow()

    async def first():
        return [part async for part in citewell.astream(REPORT, "What?", llm=slow, checker=slow.check)]

    async def run():
        await cancelled(slow, asyncio.create_task(first()))

    asyncio.run(run())
    assert not slow.checked.is_set()


def test_one_that_is_cancelled_stops_no_other():
    slow, other = Slow(), []

    async def run():
        task = asyncio.create_task(citewell.aask(REPORT, "What?", llm=slow, checker=slow.check))
        await asyncio.to_thread(slow.called.wait, 60)
        beside = asyncio.create_task(citewell.aask(REPORT, "What?", llm=lambda prompt: "Revenue was $5.9bn [1]."))
        task.cancel()
        slow.may.set()
        other.append(await beside)

    asyncio.run(run())
    assert other[0].text == "Revenue was $5.9bn."
