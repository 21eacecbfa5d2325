"""The pool of processes: a bounded queue, deadlines, cancellation, lost workers, a graceful end."""

import asyncio
from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from citewell.errors import BackendError
from citewell.serve import forking
from citewell.serve.faults import Fault
from citewell.serve.pool import Job, Pool
from serve_workers import end, work

pytestmark = pytest.mark.slow  # starts processes


def pooled(scenario, workers=1, waiting=2, seconds=60.0):
    async def run():
        pool = Pool(work, (), workers, waiting, seconds)
        await pool.start()
        try:
            return await scenario(pool)
        finally:
            await pool.stop(10)

    return asyncio.run(run())


def job(verb, arguments=None, *, long=False):
    return Job(verb, (), arguments, long)


def gone(process):
    """Whether a process has ended, or is only not yet taken note of."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


async def ended(process):
    for _ in range(200):
        if gone(process):
            return True
        await asyncio.sleep(0.05)
    return False


def test_a_worker_that_comes_up_while_the_service_stops_is_ended():
    async def scenario(pool):
        pool._stopping = True
        before = set(pool._all)
        new = await asyncio.to_thread(pool._new)
        late = pool._all - before
        return new, [process.process.is_alive() for process in late]

    assert pooled(scenario) == (None, [False])


def test_an_ended_worker_leaves_its_pipe_to_whoever_still_reads_it():
    async def scenario(pool):
        (worker,) = pool._all
        worker.kill()
        with pytest.raises(EOFError):
            worker.pipe.recv()
        return worker.pipe.closed

    assert pooled(scenario) is False


def test_what_finds_no_room_is_refused_at_once_and_told_when_to_come_back():
    async def scenario(pool):
        tasks = [asyncio.create_task(pool.run(job("sleep", 0.5))) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(Fault) as refused:
            await pool.run(job("echo"))
        await asyncio.gather(*tasks)
        return refused.value.status, refused.value.headers, await pool.run(job("echo"))

    status, headers, after = pooled(scenario)
    assert (status, headers) == (429, {"Retry-After": "1"})
    assert after > 0


def test_a_job_that_takes_too_long_is_ended_with_what_it_started(monkeypatch):
    limits, limit = [], asyncio.timeout

    def timeout(seconds):
        limits.append((seconds, limit(None)))
        return limits[-1][1]

    async def scenario(pool):
        queue = asyncio.Queue()
        with monkeypatch.context() as patch:
            patch.setattr(asyncio, "timeout", timeout)
            task = asyncio.create_task(pool.run(job("child"), queue.put_nowait))
            child = await queue.get()
        (seconds, running) = limits[0]
        assert seconds == 7.0
        running.reschedule(0)  # its time is over, however long it took to begin
        with pytest.raises(Fault, match="more than 7 seconds") as late:
            await task
        return late.value.status, await ended(child)

    status, over = pooled(scenario, seconds=7.0)
    assert (status, over) == (504, True)


def test_a_request_that_is_gone_is_ended_in_its_worker():
    async def scenario(pool):
        queue = asyncio.Queue()
        task = asyncio.create_task(pool.run(job("child"), queue.put_nowait))
        child = await queue.get()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await ended(child), pool.busy.questions, await pool.run(job("echo"))

    over, question, after = pooled(scenario)
    assert (over, question) == (True, 0)
    assert after > 0


def test_a_job_that_ends_in_a_moment_does_not_cost_its_process_when_its_request_is_gone(monkeypatch):
    monkeypatch.setattr("citewell.serve.pool._MOMENT", 60.0)  # a busy machine makes every moment longer

    async def scenario(pool):
        before = await pool.run(job("echo"))
        task = asyncio.create_task(pool.run(job("sleep", 0.2)))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return before, await pool.run(job("echo"))

    before, after = pooled(scenario)
    assert before == after


def test_a_request_that_is_gone_while_it_waits_takes_no_worker():
    async def scenario(pool):
        busy = asyncio.create_task(pool.run(job("sleep", 0.3)))
        await asyncio.sleep(0)
        waiting = asyncio.create_task(pool.run(job("sleep", 50)))
        await asyncio.sleep(0)
        waiting.cancel()
        return await busy == await pool.run(job("echo"))

    assert pooled(scenario)


def test_a_lost_worker_costs_only_its_own_job():
    async def scenario(pool):
        lost, kept = await asyncio.gather(pool.run(job("die")), pool.run(job("sleep", 0.2)), return_exceptions=True)
        while pool._idle.qsize() < 2:  # noqa: ASYNC110  (the new process is on its way)
            await asyncio.sleep(0.01)
        return lost, kept, await asyncio.gather(*(pool.run(job("sleep", 0.2)) for _ in range(2)))

    lost, kept, after = pooled(scenario, workers=2)
    assert (lost.status, lost.kind) == (500, "InternalError")
    assert kept > 0
    assert len(set(after)) == 2


def test_a_worker_that_was_lost_while_it_waited_costs_no_job():
    async def scenario(pool):
        for process in list(pool._all):
            process.process.kill()
            process.process.join()
        return await pool.run(job("echo"))

    assert pooled(scenario) > 0


def test_long_jobs_leave_a_worker_free(tmp_path):
    gate = tmp_path / "gate"

    async def scenario(pool):
        long = [asyncio.create_task(pool.run(job("wait", str(gate), long=True))) for _ in range(2)]
        await pool.run(job("echo"))
        before = [task.done() for task in long]
        gate.touch()
        await asyncio.gather(*long)
        return before

    assert pooled(scenario, workers=2) == [False, False]


def test_what_a_job_says_comes_in_order():
    async def scenario(pool):
        requests = []
        await pool.run(job("tell", 50), requests.append)
        return requests

    assert pooled(scenario) == list(range(50))


def test_a_pool_that_stops_lets_work_end_and_takes_nothing_more():
    async def scenario(pool):
        task = asyncio.create_task(pool.run(job("sleep", 0.5)))
        await asyncio.sleep(0.05)
        stopping = asyncio.create_task(pool.stop(10))
        await asyncio.sleep(0)
        with pytest.raises(Fault) as refused:
            await pool.run(job("echo"))
        await stopping
        return refused.value.status, task.done() and task.result() > 0

    assert pooled(scenario) == (503, True)


def test_a_pool_whose_processes_cannot_begin_says_so(monkeypatch):
    monkeypatch.setattr("citewell.serve.pool._PATIENCE", 0.2)

    async def start():
        pool = Pool(end, (), 2, 2, 60.0)
        try:
            await pool.start()
        finally:
            await pool.stop(1)

    with pytest.raises(BackendError, match="end before they begin"):
        asyncio.run(start())


@pytest.mark.parametrize("folder", ["gone", "kept"])
def test_processes_work_in_the_folder_of_the_service_unless_it_is_gone(tmp_path, monkeypatch, folder):
    monkeypatch.setattr("multiprocessing.forkserver.ensure_running", lambda: None)
    (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path / folder)
    if folder == "gone":
        (tmp_path / folder).rmdir()
    forking.begin()
    assert Path.cwd() == (Path("/") if folder == "gone" else tmp_path / folder)
