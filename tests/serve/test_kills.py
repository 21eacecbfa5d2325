"""Four clients that add and ask while the service is killed twice: nothing that was confirmed is lost or changed."""

import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from serve_process import Running

httpx = pytest.importorskip("httpx2")
pytestmark = [pytest.mark.slow, pytest.mark.rare]
CLIENTS, VISITS, CONFIRMED = 4, 10, 3  # clients at once, visits between two kills, how many are confirmed before a kill


def visit(client, year, confirmed, statuses):
    """Add a document, ask it, keep the answer; what was confirmed is noted at once."""
    text = f"The ship of {year} sank in {year}."
    try:
        added = client.post("/v1/documents", json={"text": text, "title": f"Ship {year}"})
        statuses.append(added.status_code)
        name = added.json()["id"]
        body = {"documents": [name], "question": f"When did the ship of {year} sink?", "keep": True}
        reply = client.post("/v1/ask", json=body)
    except httpx.HTTPError:  # the connection is gone with the service
        return
    statuses.append(reply.status_code)
    confirmed[name] = (text, reply.headers["x-citewell-history"], reply.json())


def test_clients_lose_nothing_over_two_kills(tmp_path):
    confirmed, statuses = {}, []
    for kill in (True, True, False):
        service, before = Running("--library", tmp_path / "library"), len(confirmed)
        year = 1500 + 100 * (before > 0) + len(statuses)
        with ThreadPoolExecutor(CLIENTS) as pool:
            visits = [pool.submit(visit, service.client, year + n, confirmed, statuses) for n in range(VISITS)]
            while kill and len(confirmed) < before + CONFIRMED:
                assert not all(done.done() for done in visits), statuses
                time.sleep(0.01)
            if kill:
                service.stop(signal.SIGKILL)
        if kill:
            service.close()
        for done in visits:
            done.result()
    assert set(statuses) == {200, 201}
    assert len(confirmed) >= 2 * CONFIRMED + VISITS
    for name, (text, history, answer) in confirmed.items():
        assert service.client.get(f"/v1/documents/{name}").status_code == 200
        assert service.client.get(f"/v1/history/{history}").json()["result"] == answer
        assert all(text[each["start"] : each["end"]] == each["quote"] for each in answer["citations"])
    assert service.stop() == 0
    service.close()
