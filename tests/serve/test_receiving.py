"""The front door: bodies on disk, limits by route, who is turned away, and what never runs on the event loop."""

import asyncio
import json
import threading
import tracemalloc

import pytest

from citewell.library.batch import rows
from citewell.serve import receiving

FORM = "multipart/form-data; boundary=b"
PART = b"x" * 65_536
MEGABYTE = 1 << 20


class Client:
    """Sends bodies to an application part by part, in the loop that it runs in."""

    def __init__(self, service):
        self.app, self.door = service.app, service.app.door
        self.sending = []

    async def post(self, path, parts, kind="application/json", headers=()):
        """The status of a reply, and its body."""
        parts, status, body = iter(parts), 0, b""

        async def receive():
            part = next(parts, None)
            if part is None:
                await asyncio.Event().wait()  # stands still
            if part == "gone":
                return {"type": "http.disconnect"}
            data, more = part
            return {"type": "http.request", "body": data, "more_body": more}

        async def send(message):
            nonlocal status, body
            status = message.get("status", status)
            body += message.get("body", b"")

        named = [(b"host", b"127.0.0.1"), (b"content-type", kind.encode()), *headers]
        scope = {
            "type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b"kind=check",
            "headers": named, "scheme": "http", "server": ("127.0.0.1", 80), "root_path": "", "http_version": "1.1",
        }  # fmt: skip
        await self.app(scope, receive, send)
        return status, body

    async def stall(self, count, path, kind, size=0):
        """So many bodies that stop after some bytes; the tasks that wait for their replies."""
        self.sending = [
            asyncio.create_task(self.post(path, [(PART, True)] * (size // len(PART)), kind)) for _ in range(count)
        ]
        for _ in range(6000):
            if self.door.coming == count and sum(body.size for body in self.door._coming) == count * size:
                return self.sending
            await asyncio.sleep(0.01)
        raise AssertionError("the bodies did not come")

    async def leave(self):
        for task in self.sending:
            task.cancel()
        await asyncio.gather(*self.sending, return_exceptions=True)


@pytest.fixture
def client(serving):
    return lambda **settings: Client(serving(**settings).service)


@pytest.mark.parametrize(("path", "kind"), [("/v1/files", FORM), ("/v1/ask", "application/json"),
                                            ("/v1/messages", "application/json"), ("/v1/jobs", "application/jsonl")])  # fmt: skip
def test_half_sent_bodies_take_no_memory_and_leave_nothing(client, tmp_path, path, kind):
    async def run():
        sender = client()
        tracemalloc.start()
        try:
            before = tracemalloc.get_traced_memory()[0]
            await sender.stall(10, path, kind, 8 * MEGABYTE)
            growth = tracemalloc.get_traced_memory()[0] - before
        finally:
            tracemalloc.stop()
        await sender.leave()
        return growth, sender.door.coming, sender.door.memory

    grown, coming, there = asyncio.run(run())
    assert grown < 4 * MEGABYTE
    assert coming == there == 0
    assert [file for file in tmp_path.rglob("*") if file.is_file() and "library" not in str(file)] == []


def test_uploads_that_stand_still_turn_nobody_away(client):
    async def run():
        sender = client(uploads=1)
        await sender.stall(16, "/v1/documents", FORM, 2 * len(PART))
        reply = await sender.post("/v1/documents", [(b'{"text": "The harbour froze."}', False)])
        body = b'--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nShips sank.\r\n--b--\r\n'
        upload = await sender.post("/v1/documents", [(body, False)], FORM)
        await sender.leave()
        return reply[0], upload[0]

    assert asyncio.run(run()) == (201, 201)


def test_where_there_is_no_more_room_the_body_that_stands_still_longest_makes_it(client, monkeypatch):
    monkeypatch.setattr(receiving, "_STANDS", 0.0)

    async def run():
        sender = client(receiving=4)
        first, second = await sender.stall(2, "/v1/files", FORM, len(PART))
        reply = await sender.post("/v1/documents", [(b'{"text": "The harbour froze."}', False)])
        status, _ = await first
        waits = not second.done()
        await sender.leave()
        return reply[0], status, waits

    assert asyncio.run(run()) == (201, 408, True)


@pytest.mark.parametrize("limits", [{"patience": 0.02}, {"receive": 0.02}])
def test_a_body_that_comes_too_slowly_is_refused(client, limits):
    async def run():
        return await client(**limits).post("/v1/ask", [(b"{", True)])

    status, body = asyncio.run(run())
    assert (status, json.loads(body)["error"]["type"]) == (408, "TimedOutError")


def test_who_goes_away_in_the_middle_is_no_fault_of_ours(client, capsys):
    async def run():
        return await client().post("/v1/ask", [(b"{", True), "gone"])

    assert asyncio.run(run())[0] == 499
    line = json.loads(capsys.readouterr().err.splitlines()[-1])
    assert (line["status"], line["level"], "error" in line) == (499, "info", False)


@pytest.mark.parametrize(
    "path", ["/v1/ask", "/v1/check", "/v1/audit", "/v1/verify", "/v1/chat/completions", "/v1/jobs"]
)
def test_what_a_client_calls_its_body_opens_no_larger_door(client, path):
    async def run():
        return await client().post(path, [], FORM)  # nothing of it is received

    assert asyncio.run(run())[0] in (400, 415)


def test_bodies_on_disk_count_against_their_caller(client):
    async def run():
        sender = client(spooled=4 * MEGABYTE)
        return (await sender.post("/v1/files", [(PART, True)] * 40, FORM))[0]

    assert asyncio.run(run()) == 429


def test_rows_of_a_job_are_counted_beside_the_event_loop(client, monkeypatch):
    threads = []
    shards = rows.shards

    def counted(*arguments):
        threads.append(threading.current_thread())
        return shards(*arguments)

    monkeypatch.setattr(rows, "shards", counted)
    body = b'{"id": 1, "library": true, "claims": ["It froze."]}\n' * 2000

    async def run():
        sender = client()
        parts = [(body[start : start + 8192], True) for start in range(0, len(body), 8192)]
        return await sender.post("/v1/jobs", [*parts, (b"", False)], "application/jsonl"), threading.current_thread()

    (status, reply), loop = asyncio.run(run())
    assert (status, json.loads(reply)["rows"]) == (202, 2000)
    assert loop not in threads
    assert threads


@pytest.mark.parametrize("depth", [101, 900, 100_000])
def test_json_that_is_nested_too_deeply_cannot_be_used(client, depth):
    deep = b"[" * depth + b"]" * depth
    wanted = {
        "/v1/audit": b'{"library": true, "response": ' + deep + b"}",
        "/v1/documents": b'{"text": ' + deep + b"}",
        "/v1/chat/completions": b'{"model": "citewell", "messages": ' + deep + b"}",
    }

    async def run():
        sender = client()
        return [(await sender.post(path, [(body, False)]))[0] for path, body in wanted.items()]

    assert asyncio.run(run()) == [422, 422, 400]
