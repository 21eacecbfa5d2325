"""A service whose jobs are done here, without processes, and clients that ask it."""

import asyncio
import time
from contextlib import ExitStack

import pytest

pytest.importorskip("fastapi")

from starlette.testclient import TestClient

from browsers import chromium
from citewell.serve.app import Service
from citewell.serve.metrics import Busy
from citewell.serve.offered import NOTHING
from citewell.serve.pool import Job
from citewell.serve.settings import Settings
from citewell.serve.work import Desk, done
from serve_tokens import LINES


class Here:
    """What a pool does, in a thread of this process."""

    ready, full, busy = True, False, Busy(1, 0, 0)

    def __init__(self, place, llm=None, offered=NOTHING, files=None):
        self.place, self.desk, self.jobs = place, Desk({"library": place}, llm, 60.0, offered, files), []

    async def start(self):
        """Begin."""

    async def stop(self, seconds):
        """End."""

    async def run(self, job: Job, tell=lambda _: None):
        self.jobs.append(job)
        loop = asyncio.get_running_loop()
        kind, value = await asyncio.to_thread(
            done, self.desk, job, lambda message: loop.call_soon_threadsafe(tell, message)
        )
        if kind == "fault":
            raise value
        return value


@pytest.fixture(scope="session")
def here():
    return Here


@pytest.fixture
def serving(tmp_path):
    def make(**settings):
        service = Service(Settings(str(tmp_path / "library"), tmp_path, **settings))
        known = service.settings
        service.pool = Here(known.library, known.llm, known.offered, known.files)
        client = TestClient(service.app, base_url="http://127.0.0.1", raise_server_exceptions=False)
        client.service = service
        return client

    return make


@pytest.fixture
def client(serving):
    return serving()


@pytest.fixture
def tenants(serving, tmp_path):
    file = tmp_path / "tokens"
    file.write_text(LINES, encoding="utf-8")
    return serving(token_file=file)


class Served:
    """A service on a socket of its own, in a thread; its jobs are done one by one in this process."""

    def __init__(self, folder, **settings):
        import threading

        import uvicorn

        self.service = Service(Settings(str(folder / "library"), folder, **settings))
        settings = self.service.settings
        self.service.pool = InTurn(settings.library, settings.llm, settings.offered)
        self.service.pool.desk = Desk(settings.places, settings.llm, 60.0, settings.offered)
        options = {"port": 0, "log_config": None, "ws": "none", "timeout_graceful_shutdown": 10}
        self.server = uvicorn.Server(uvicorn.Config(self.service.app, **options))
        self.thread = threading.Thread(target=self.server.run)

    def __enter__(self):
        self.thread.start()
        while not self.server.started:
            assert self.thread.is_alive(), "the service did not start"
            time.sleep(0.01)
        port = self.server.servers[0].sockets[0].getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        return self

    def __exit__(self, *_):
        self.service.hearing.closing = True  # streams of pages that are open end
        self.server.should_exit = True
        self.thread.join()


class InTurn(Here):
    """A pool of one."""

    def __init__(self, place, llm=None, offered=NOTHING):
        super().__init__(place, llm, offered)
        self.turn = asyncio.Lock()

    async def run(self, job: Job, tell=lambda _: None):
        async with self.turn:
            return await super().run(job, tell)


@pytest.fixture(scope="session")
def served():
    return Served


@pytest.fixture
def online(tmp_path):
    """A service on a socket of its own; its address."""
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(Served(tmp_path, **settings)).address


@pytest.fixture(scope="module")
def browser():
    with chromium() as launched:
        yield launched


@pytest.fixture(scope="module")
def service(served, tmp_path_factory):
    with served(tmp_path_factory.mktemp("page")) as running:
        yield running


def _gone(message):
    """Whether a document was removed while its overview was being made."""
    return message.location.get("url", "").partition("?")[0].endswith("/v1/overview")


@pytest.fixture
def visit(browser, service):
    """Open the page; complaints, dialogs and requests to elsewhere end up in `page.problems`."""
    opened = []

    def opened_at(address, **options):
        context = browser.new_context(
            reduced_motion="reduce", **{"viewport": {"width": 1300, "height": 800}, **options}
        )
        opened.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.problems = []
        page.on("console", lambda message: None if _gone(message) else page.problems.append(message.text))
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("dialog", lambda dialog: (page.problems.append(dialog.message), dialog.dismiss()))
        page.on(
            "request",
            lambda request: (
                page.problems.append(request.url) if not request.url.startswith((address, "blob:")) else None
            ),
        )
        page.goto(address)
        return page

    def visit(**options):
        page = opened_at(service.address, **options)
        page.wait_for_selector("body[data-ready]")
        return page

    visit.open = opened_at

    yield visit
    for context in opened:
        assert [problem for page in context.pages for problem in page.problems] == []
        context.close()
    library = service.service.pool.desk._library("library", ())
    library.remove([entry.source for entry in library.entries()])
