"""What happens on the shelf is heard by those whom it is there for, once, in order, and also after a break."""

import asyncio
import contextlib
import json
import socket
import threading
import time
import urllib.parse

import pytest

import pdfs
from citewell.library.library import Library
from citewell.serve import shelf as shelves
from citewell.serve.owners import Caller, Owned
from citewell.serve.shelf import Shelf, Thing

httpx = pytest.importorskip("httpx2")
LABELS = ("workspace:red",)
RED, BLUE = (Caller(name, labels=(f"workspace:{name}",), admin=False) for name in ("red", "blue"))
PATIENCE = 60  # seconds after which a test gives up


class Ear:
    """Hears a stream in a thread."""

    def __init__(self, address, since=None, headers=None, **query):
        self.heard, self.ended = [], threading.Event()
        host, port = address.removeprefix("http://").split(":")
        self.socket = socket.create_connection((host, int(port)), PATIENCE)
        fields = {"Host": "127.0.0.1", **(headers or {}), **({} if since is None else {"Last-Event-ID": since})}
        target = f"/v1/events?{urllib.parse.urlencode(query)}"
        lines = [f"GET {target} HTTP/1.0", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
        self.socket.sendall("\r\n".join(lines).encode())
        self.thread = threading.Thread(target=self._hear)
        self.thread.start()

    def _hear(self):
        fields = {}
        with contextlib.suppress(OSError), self.socket.makefile(encoding="utf-8") as lines:
            for line in map(str.strip, lines):
                if line.startswith(("id:", "event:", "data:")):
                    name, _, value = line.partition(": ")
                    fields[name] = value
                elif not line and "data" in fields:
                    self.heard.append((fields["event"], json.loads(fields["data"]), fields["id"]))
                    fields = {}
        self.ended.set()

    def wait(self, event, **data):
        """The first event of this name with these data."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            for kind, value, name in list(self.heard):
                if kind == event and all(value.get(key) == wanted for key, wanted in data.items()):
                    return value, name
            time.sleep(0.02)
        raise AssertionError((event, data, self.heard))

    def close(self):
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.socket.close()


@pytest.fixture
def ears():
    with contextlib.ExitStack() as stack:
        yield lambda *args, **query: stack.enter_context(contextlib.closing(Ear(*args, **query)))


def test_a_document_that_comes_and_goes_is_heard_by_everybody_who_listens(online, ears):
    address = online()
    client = httpx.Client(base_url=address, timeout=PATIENCE)
    both = [ears(address), ears(address)]
    for ear in both:
        ear.wait("reset")
    added = client.post("/v1/documents", json={"text": "The harbour froze.", "title": "Harbour"}).json()
    for ear in both:
        told, _ = ear.wait("document", change="added", id=added["id"])
        assert told["document"] == client.get(f"/v1/documents/{added['id']}").json()
    client.delete(f"/v1/documents/{added['id']}")
    for ear in both:
        assert ear.wait("document", change="removed")[0] == {"change": "removed", "id": added["id"], "document": None}
        assert [kind for kind, _, _ in ear.heard] == ["reset", "document", "document"]


def test_a_document_that_goes_before_anybody_looked_is_heard_of_too(served, tmp_path, ears):
    with served(tmp_path) as service, httpx.Client(base_url=service.address, timeout=PATIENCE) as client:
        ear = ears(service.address)
        ear.wait("reset")
        service.service.hearing.eye("library")._looked = float("inf")  # nobody looks again by themselves
        name = client.post("/v1/documents", json={"text": "The harbour froze."}).json()["id"]
        client.delete(f"/v1/documents/{name}")
        ear.wait("document", change="added", id=name)
        ear.wait("document", change="removed", id=name)
        ear.close()


def test_an_upload_is_heard_while_it_is_read_and_gone_thereafter(online, ears):
    address = online()
    ear = ears(address)
    ear.wait("reset")
    client = httpx.Client(base_url=address, timeout=PATIENCE)
    client.post("/v1/documents", files={"file": ("harbour.txt", b"The harbour froze in 2021.")})
    told, _ = ear.wait("upload", change="added")
    assert (told["upload"]["name"], told["upload"]["size"]) == ("harbour.txt", 26)
    ear.wait("upload", change="removed", id=told["id"])
    assert ear.wait("document", change="added")[0]["document"]["source"] == "harbour.txt"


@pytest.mark.slow
def test_pages_so_far_are_heard_while_a_file_is_read(online, ears):
    address = online()
    ear = ears(address)
    ear.wait("reset")
    data = pdfs.make_pdf([pdfs.prose(60)] * 40)
    client = httpx.Client(base_url=address, timeout=PATIENCE)
    pages = client.post("/v1/documents", files={"file": ("long.pdf", data)}).json()["pages"]
    told, _ = ear.wait("upload", change="added")
    assert told["upload"]["pages"] is None
    ear.wait("upload", change="removed", id=told["id"])
    so_far = [data["upload"] for kind, data, _ in ear.heard if kind == "upload" and data["change"] == "changed"]
    assert [one["of"] for one in so_far] == [pages] * len(so_far)
    assert [one["pages"] for one in so_far] == list(range(1, pages + 1))


def test_a_worker_that_goes_on_for_somebody_who_is_gone_tells_nobody(served, tmp_path):
    hearing = served(tmp_path).service.hearing
    with hearing.upload("library", RED, {"name": "a.pdf", "size": 1}) as tell:
        pass
    tell({"pages": 1, "of": 2})
    assert hearing.eye("library").shelf.known("upload") == {}


def test_what_others_do_to_the_library_is_heard_too(served, tmp_path, ears):
    with served(tmp_path) as service, Library(service.service.settings.library, create=True) as library:
        ear = ears(service.address)
        ear.wait("reset")
        good, bad = tmp_path / "good.txt", tmp_path / "bad.pdf"
        good.write_text("The harbour froze in 2021.")
        bad.write_bytes(b"%PDF-1.7 nothing")
        library.add([good, bad])
        told, _ = ear.wait("document", change="added")
        failed, _ = ear.wait("failure", change="added")
        assert failed["failure"]["name"] == "bad.pdf"
        assert str(tmp_path) not in json.dumps(failed)
        good.write_text("The harbour froze in 2022.")
        bad.unlink()
        library.refresh()
        ear.wait("document", change="removed", id=told["id"])
        ear.wait("failure", change="removed", id=failed["id"])
        ear.close()


def test_a_job_is_heard_from_its_beginning_to_its_end(online, ears):
    address = online()
    client = httpx.Client(base_url=address, timeout=PATIENCE)
    name = client.post("/v1/documents", json={"text": "The harbour froze."}).json()["id"]
    ear = ears(address)
    ear.wait("reset")
    rows = json.dumps({"id": 1, "documents": [name], "claims": ["The harbour froze."]})
    headers = {"content-type": "application/jsonl"}
    job = client.post("/v1/jobs?kind=check", content=rows, headers=headers).json()["id"]
    ear.wait("job", change="added", id=job)
    until = time.monotonic() + PATIENCE
    while not any(kind == "job" and data["job"]["state"] == "done" for kind, data, _ in ear.heard):
        assert time.monotonic() < until, ear.heard
        time.sleep(0.05)
    client.delete(f"/v1/jobs/{job}")
    ear.wait("job", change="removed", id=job)


def test_whoever_comes_back_hears_what_they_missed_and_nothing_twice(online, ears):
    address = online()
    client = httpx.Client(base_url=address, timeout=PATIENCE)
    first = ears(address)
    _, since = first.wait("reset")
    client.post("/v1/documents", json={"text": "The harbour froze."})
    _, last = first.wait("document")
    first.close()
    name = client.post("/v1/documents", json={"text": "Ships sail."}).json()["id"]
    again = ears(address, last)
    again.wait("document", change="added", id=name)
    assert [kind for kind, _, _ in again.heard] == ["document"]
    whole = ears(address, since, seconds=0)
    assert whole.ended.wait(PATIENCE)
    assert [kind for kind, _, _ in whole.heard] == ["document", "document"]
    unknown = ears(address, "f" * 16, seconds=0)
    assert unknown.ended.wait(PATIENCE)
    assert [kind for kind, _, _ in unknown.heard] == ["reset"]


def test_a_stream_ends_with_the_right_to_hear_it(served, tmp_path, ears):
    file = tmp_path / "tokens"
    file.write_text("ann-0123456789abcdef name=ann\nben-0123456789abcdef name=ben\n")
    ann, ben = ({"Authorization": f"Bearer {name}-0123456789abcdef"} for name in ("ann", "ben"))
    with served(tmp_path, token_file=file) as service:
        ears_of = [ears(service.address, headers=headers) for headers in (ann, ben)]
        for ear in ears_of:
            ear.wait("reset")
        file.write_text("ann-0123456789abcdef name=ann\n")
        service.service.access.reload()
        httpx.post(f"{service.address}/v1/documents", json={"text": "The harbour froze."}, headers=ann)
        ears_of[0].wait("document", change="added")
        assert ears_of[1].ended.wait(PATIENCE)
        assert [kind for kind, _, _ in ears_of[1].heard] == ["reset"]
        ears_of[0].close()


def test_a_client_that_takes_nothing_is_let_go(served, tmp_path):
    with served(tmp_path, patience=0.5) as service, socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        host, port = service.address.removeprefix("http://").split(":")
        slow.connect((host, int(port)))
        slow.sendall(b"GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        hearing = service.service.hearing
        until = time.monotonic() + PATIENCE
        while not hearing.listeners:
            assert time.monotonic() < until
            time.sleep(0.02)
        shelf = hearing.eye("library").shelf
        for number in range(10**9):
            if not hearing.listeners:
                break
            assert time.monotonic() < until
            thing = Thing((Owned(None, ()),), number, {"words": "x" * 100_000})
            service.server.servers[0].get_loop().call_soon_threadsafe(shelf.put, "upload", "one", thing)
            time.sleep(0.002)


def test_too_many_listeners_are_told_to_come_back(online, ears):
    address = online(listeners=16)
    for _ in range(2):
        ears(address).wait("reset")
    reply = httpx.get(f"{address}/v1/events", params={"seconds": 0})
    assert (reply.status_code, reply.headers["retry-after"]) == (429, "1")


def test_a_change_of_labels_is_a_removal_for_those_who_lack_them():
    shelf = Shelf()
    shelf.take(shelf.differing("document", {"d": Thing((Owned("red", LABELS, shared=True),), (1,))}))
    assert shelf.behind(0) == []  # what was there before somebody listened has not happened
    board = Owned("red", (*LABELS, "board"), shared=True)
    shelf.take(shelf.differing("document", {"d": Thing((board,), (2,), {"title": "T"})}))
    (event,) = shelf.behind(0)
    assert event.told(RED) == ("document", {"change": "removed", "id": "d", "document": None})
    with_board = RED._replace(labels=(*LABELS, "board"))
    assert event.told(with_board) == ("document", {"change": "changed", "id": "d", "document": {"title": "T"}})
    assert event.told(BLUE) is None


def test_many_changes_at_once_send_to_the_lists_those_who_see_some_of_them():
    shelf = Shelf()
    shelf.take(shelf.differing("document", {}))
    owned = (Owned("red", LABELS, shared=True),)
    shelf.take(shelf.differing("document", {str(number): Thing(owned, number) for number in range(shelves.MANY + 1)}))
    (event,) = shelf.behind(0)
    assert (event.told(RED), event.told(BLUE)) == (("reset", {}), None)


def test_a_shelf_remembers_so_much_and_no_more():
    shelf = Shelf(remembered=3)
    first = shelf.last
    for number in range(5):
        shelf.put("upload", "one", Thing((Owned(None, ()),), number, {}))
    assert (shelf.place(first), shelf.behind(1)) == (None, None)
    assert shelf.place(shelf.behind(2)[0].name) == 3
    assert [event.kind for event in shelf.behind(shelf.end - 3)] == ["upload"] * 3
    assert shelf.place(shelf.last) == shelf.end


@pytest.mark.rare
def test_a_stop_ends_the_streams(tmp_path):
    from serve_process import Running

    service = Running("--library", tmp_path / "library")
    ear = Ear(str(service.client.base_url).rstrip("/"))
    ear.wait("reset")
    assert service.stop() == 0  # within 30 s, which is how long streams without an end would be waited for
    assert ear.ended.wait(PATIENCE)
    assert "Traceback" not in service.logged()
    service.close()
    ear.close()


def test_a_library_that_cannot_be_looked_at_ends_no_stream(here, tmp_path):
    from citewell.serve.app import Service
    from citewell.serve.faults import busy
    from citewell.serve.settings import Settings

    service = Service(Settings(str(tmp_path / "library"), tmp_path))

    class Lost(here):
        async def run(self, job, tell=None):
            raise busy()

    service.pool = Lost(service.settings.library)
    eye = service.hearing.eye("library")

    async def heard():
        async def same():
            return True

        return [part async for part in service.hearing.told(eye, Caller(), None, 0, same)]

    assert b"event: reset" in asyncio.run(heard())[1]
