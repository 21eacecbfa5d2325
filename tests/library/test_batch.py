"""Batches: every row once, in its order, the same bytes however many worked on it and whatever ended on the way."""

import errno
import json
import os
import signal
from pathlib import Path

import pytest

from batch_workers import Here, Stillborn
from citewell import Document
from citewell.cli import main
from citewell.errors import BackendError, InputError, InUseError, UsageError
from citewell.library.batch import kept
from citewell.library.batch import rows as reading
from citewell.library.batch import run as running
from citewell.library.batch.job import Job, Worker
from citewell.library.batch.processes import Processes
from citewell.library.batch.rows import Row, Shard, look, shards
from citewell.library.batch.run import run
from citewell.library.batch.schedule import Task
from citewell.library.batch.schedule import run as schedule
from citewell.library.library import Library
from citewell.text import files

DOCUMENT = {"text": "The harbour froze in January. The Eider line lost 1.1 million euros.", "title": "Harbour"}


def rows(count):
    return [
        {"id": f"r{n}", "documents": [DOCUMENT], "answer": f"The Eider line lost {n}.1 million euros."}
        for n in range(count)
    ]


def written(path, arguments):
    path.write_text("".join(json.dumps(row) + "\n" for row in arguments))
    return path


def results(out):
    return [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]


def test_results_stand_in_the_order_of_the_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "SIZE", 3)
    source, job = written(tmp_path / "rows.jsonl", rows(10)), Job("attribute")
    summary = run(job, source, tmp_path / "out", lambda: Here(job))
    assert (summary.rows, summary.failed, summary.done_before) == (10, 0, 0)
    result = results(tmp_path / "out")
    assert [row["id"] for row in result] == [f"r{n}" for n in range(10)]
    assert result[1]["result"]["statements"][0]["label"] in ("supported", "quoted")
    assert result[7]["result"]["statements"][0]["label"] == "contradicted"
    assert "seconds" not in result[0]["result"]["usage"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["batch.json", "results.jsonl", "run.jsonl"]
    shards_done = [json.loads(line) for line in (tmp_path / "out" / "run.jsonl").read_text().splitlines()]
    assert [(shard["number"], shard["rows"], shard["hosts"]) for shard in shards_done] == [
        (0, 3, ["here"]),
        (1, 3, ["here"]),
        (2, 3, ["here"]),
        (3, 1, ["here"]),
    ]


def test_every_verb_has_rows(tmp_path):
    for kind, row, key in (
        ("ask", {"question": "When did the harbour freeze?"}, "statements"),
        ("attribute", {"answer": "The harbour froze in January.", "question": "When?"}, "citations"),
        ("check", {"claims": ["The harbour froze.", "It burned."]}, "verdicts"),
        ("audit", {"response": "The harbour froze in January [1]."}, "statements"),
    ):
        ((line, good),) = Worker(Job(kind)).lines([Row(0, {**row, "documents": [DOCUMENT]})])
        assert good, line
        assert key in json.loads(line)["result"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"documents": [DOCUMENT]}, "the row has no 'answer'"),
        ({"answer": "x"}, "the row has no 'documents', and there is no library"),
        ({"answer": "x", "documents": []}, "documents are a list"),
        ({"answer": "x", "documents": [3]}, "a document is a path, an id or"),
        ({"answer": "x", "documents": ["nowhere.pdf"]}, "nowhere.pdf cannot be read"),
        ({"answer": 3, "documents": [DOCUMENT]}, "answer is a text"),
        ({"answer": " ", "documents": [DOCUMENT]}, "the answer is empty"),
    ],
)
def test_what_is_wrong_with_a_row_is_its_result(row, message):
    ((line, good),) = Worker(Job("attribute")).lines([Row(4, row)])
    assert not good
    payload = json.loads(line)
    assert payload["id"] == 5
    assert message in payload["error"]["message"]


def test_rows_that_are_no_rows_have_a_place(tmp_path):
    (tmp_path / "rows.jsonl").write_text('{"id": "a"}\n\nnope\n[1]\n{"x": 1e999}\n')
    (shard,) = shards(tmp_path / "rows.jsonl", 9)
    assert [(row.place, row.id, bool(row.wrong)) for row in shard.rows] == [
        (0, "a", False),
        (1, 2, True),
        (2, 3, True),
        (3, 4, True),
    ]


def test_what_is_done_is_not_done_again(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "SIZE", 2)
    source, job, out = written(tmp_path / "rows.jsonl", rows(7)), Job("attribute"), tmp_path / "out"

    class Stops(Here):
        def wait(self):
            if len(self.sent) > 3:
                raise KeyboardInterrupt
            return super().wait()

    with pytest.raises(KeyboardInterrupt):
        run(job, source, out, lambda: Stops(job, count=1))
    assert not (out / "results.jsonl").exists()
    here = Here(job)
    summary = run(job, source, out, lambda: here)
    assert summary.done_before == 6 - sum(len(task.rows) for task in here.sent) + 1
    whole = run(job, source, tmp_path / "whole", lambda: Here(job))
    assert (whole.rows, whole.done_before) == (7, 0)
    assert (out / "results.jsonl").read_bytes() == (tmp_path / "whole" / "results.jsonl").read_bytes()
    again = run(job, source, out, lambda: pytest.fail("there is nothing to do"))
    assert (again.rows, again.done_before) == (7, 7)


@pytest.mark.parametrize("cut", ["results.part", "run.jsonl"])
@pytest.mark.parametrize("bytes_lost", [1, 40, 10_000])
def test_whatever_a_kill_left_half_is_done_again(tmp_path, monkeypatch, cut, bytes_lost):
    monkeypatch.setattr(running, "SIZE", 2)
    source, job, out = written(tmp_path / "rows.jsonl", rows(8)), Job("attribute"), tmp_path / "out"
    run(job, source, tmp_path / "whole", lambda: Here(job))

    class Stops(Here):
        def wait(self):
            if len(self.sent) > 3:
                raise KeyboardInterrupt
            return super().wait()

    with pytest.raises(KeyboardInterrupt):
        run(job, source, out, lambda: Stops(job, count=1))
    with (out / cut).open("r+b") as file:
        file.truncate(max(0, (out / cut).stat().st_size - bytes_lost))
    summary = run(job, source, out, lambda: Here(job))
    assert summary.done_before == (4 if bytes_lost < 100 else 0)
    assert (out / "results.jsonl").read_bytes() == (tmp_path / "whole" / "results.jsonl").read_bytes()


def _stopped(tmp_path, monkeypatch, workers):
    """A batch of six rows that stops after some, and the results of another that did not."""
    monkeypatch.setattr(running, "SIZE", 1)
    source, job, out = written(tmp_path / "rows.jsonl", rows(6)), Job("attribute"), tmp_path / "out"
    run(job, source, tmp_path / "whole", lambda: Here(job))

    class Stops(Here):
        def wait(self):
            if len(self.sent) > 4:
                raise KeyboardInterrupt
            if workers > 1 and self.tasks[-1].shard == 0:
                self.tasks.reverse()
            return super().wait()

    with pytest.raises(KeyboardInterrupt):
        run(job, source, out, lambda: Stops(job, count=workers))
    return job, source, out, (tmp_path / "whole" / "results.jsonl").read_bytes()


@pytest.mark.parametrize("lost", [1, 2])
def test_results_that_a_machine_had_not_written_when_it_lost_its_power_are_made_again(tmp_path, monkeypatch, lost):
    job, source, out, whole = _stopped(tmp_path, monkeypatch, 1)
    ends = [json.loads(line)["end"] for line in (out / "run.jsonl").read_bytes().splitlines()]
    with (out / "results.part").open("r+b") as file:
        file.seek(ends[-1 - lost])
        file.write(bytes(ends[-1] - ends[-1 - lost]))  # of their length, and nothing in them
    assert run(job, source, out, lambda: Here(job)).done_before == len(ends) - lost
    assert (out / "results.jsonl").read_bytes() == whole


@pytest.mark.parametrize("left", [0, 30, -5])
def test_a_shard_that_waited_for_its_turn_and_is_not_whole_is_made_again(tmp_path, monkeypatch, left):
    job, source, out, whole = _stopped(tmp_path, monkeypatch, 2)
    waiting = sorted((out / "ahead").iterdir())
    assert len(waiting) == 3
    waiting[1].write_bytes(waiting[1].read_bytes()[:left])
    assert run(job, source, out, lambda: Here(job)).done_before == 2
    assert (out / "results.jsonl").read_bytes() == whole


def test_the_disk_is_waited_for_once_for_many_shards(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "SIZE", 1)
    source, job, clock, synced = written(tmp_path / "rows.jsonl", rows(40)), Job("attribute"), [0.0], []
    monkeypatch.setattr(kept.time, "monotonic", lambda: clock[0])
    sync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(clock[0]) or sync(handle))

    class Timed(Here):
        def wait(self):
            clock[0] += 0.25
            return super().wait()

    run(job, source, tmp_path / "out", lambda: Timed(job, count=1))
    assert sum(at > 0 for at in synced) == 2 * (40 // 5 + 1)  # results and run.jsonl: each fifth shard, and the end


def test_a_shard_that_is_finished_before_its_turn_is_not_done_again(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "SIZE", 1)
    source, job, out = written(tmp_path / "rows.jsonl", rows(6)), Job("attribute"), tmp_path / "out"

    class FirstHangs(Here):
        def wait(self):
            if self.tasks[-1].shard == 0:
                self.tasks.reverse()
            if len(self.sent) > 4:
                raise KeyboardInterrupt
            return super().wait()

    with pytest.raises(KeyboardInterrupt):
        run(job, source, out, lambda: FirstHangs(job))
    here = Here(job)
    summary = run(job, source, out, lambda: here)
    assert summary.done_before == 3
    assert sorted(task.shard for task in here.sent) == [0, 4, 5]
    assert [row["id"] for row in results(out)] == [f"r{n}" for n in range(6)]


def test_results_that_were_changed_are_no_results(tmp_path):
    source, job, out = written(tmp_path / "rows.jsonl", rows(2)), Job("attribute"), tmp_path / "out"
    run(job, source, out, lambda: Here(job))
    (out / "results.jsonl").write_text("{}\n")
    with pytest.raises(InputError, match="is damaged"):
        run(job, source, out, lambda: Here(job))


def test_a_folder_of_another_batch_is_refused(tmp_path):
    source, job, out = written(tmp_path / "rows.jsonl", rows(2)), Job("attribute"), tmp_path / "out"
    run(job, source, out, lambda: Here(job))
    for other, data in ((Job("attribute", settings={"k": 1}), rows(2)), (job, rows(3))):
        with pytest.raises(UsageError, match="contains another batch"):
            run(other, written(tmp_path / "rows.jsonl", data), out, lambda: Here(job))


def test_one_process_works_in_a_folder_at_a_time(tmp_path):
    source, job, out = written(tmp_path / "rows.jsonl", rows(2)), Job("attribute"), tmp_path / "out"
    out.mkdir()
    with files.locked(out), pytest.raises(InUseError):
        run(job, source, out, lambda: Here(job))


def test_a_row_that_ends_its_worker_twice_is_a_row_without_a_result():
    job = Job("attribute")
    here = Here(job, ends=["r1"])
    shard = Shard(0, tuple(Row(place, row) for place, row in enumerate(rows(4))))
    (finished,) = schedule(here, [shard])
    payloads = [json.loads(line) for line, _ in finished.lines]
    assert [row["id"] for row in payloads] == ["r0", "r1", "r2", "r3"]
    assert finished.failed == 1
    assert payloads[1]["error"] == {
        "type": "WorkerLost",
        "message": "the worker ended 2 times on this row (signal SIGSEGV)",
    }
    assert [task for task in here.sent if task.rows[0].data["id"] == "r1"] == [Task(0, 1, (shard.rows[1],), 1)]


def test_no_more_is_read_than_there_are_workers_for():
    job, read = Job("attribute"), []

    def coming():
        for number in range(20):
            read.append(number)
            yield Shard(number, (Row(number, rows(1)[0]),))

    for done, _ in enumerate(schedule(Here(job, count=2), coming()), start=1):
        assert len(read) <= done + 2


def test_an_input_that_cannot_be_read_is_told(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        run(Job("ask"), tmp_path / "nothing.jsonl", tmp_path / "out", lambda: Here(Job("ask")))


def test_parquet_rows_are_rows(tmp_path):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(
        pa.table({"id": ["a", "b"], "answer": ["x", None], "documents": [["a.md"], ["b.md"]]}),
        tmp_path / "rows.parquet",
    )
    (shard,) = shards(tmp_path / "rows.parquet", 9)
    assert [dict(row.data) for row in shard.rows] == [
        {"id": "a", "answer": "x", "documents": ["a.md"]},
        {"id": "b", "documents": ["b.md"]},
    ]


@pytest.mark.slow
def test_results_are_a_parquet_table_on_demand(tmp_path, capsys):
    parquet = pytest.importorskip("pyarrow.parquet")
    source, out = written(tmp_path / "rows.jsonl", [*rows(2), {"id": [1]}, {"id": "\ud800"}]), tmp_path / "out"
    command = ["batch", "attribute", "--in", str(source), "--out", str(out), "--shard", "3", "--format", "parquet"]
    assert main([*command, "--json"]) == 3
    payload = json.loads(capsys.readouterr().out)
    assert (payload["rows"], payload["failed"], payload["out"]) == (4, 2, str(out / "results.parquet"))
    table = parquet.read_table(out / "results.parquet").to_pylist()
    assert [row["id"] for row in table] == ["r0", "r1", "[1]", "\\ud800"]
    whole = results(out)[1]["result"]
    assert table[1]["text"] == whole["text"]
    (statement,), (first, *_) = table[1]["statements"], whole["statements"]
    assert (statement["text"], statement["label"]) == (first["text"], first["label"])
    wanted = [whole["citations"][place] for place in first["citations"]]
    assert [(c["start"], c["end"], c["quote"]) for c in statement["citations"]] == [
        (c["start"], c["end"], c["quote"]) for c in wanted
    ]
    assert [row["error"] for row in table] == [None, None, "UsageError", "UsageError"]
    assert table[2]["message"] == "the row has no 'answer'"


def test_a_table_that_cannot_be_written_is_told_before_anything_is_done(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("citewell.library.batch.table.find_spec", lambda _: None)
    source, out = written(tmp_path / "rows.jsonl", rows(2)), tmp_path / "out"
    assert main(["batch", "attribute", "--in", str(source), "--out", str(out), "--format", "parquet"]) == 2
    assert "results as Parquet needs the package 'pyarrow': pip install 'citewell[parquet]'" in capsys.readouterr().err
    assert not out.exists()


def test_rows_go_on_in_the_middle_of_a_file(tmp_path):
    source = written(tmp_path / "rows.jsonl", rows(7))
    assert list(shards(source, 2, 2)) == list(shards(source, 2))[2:]


def test_a_line_without_an_end_is_a_row_that_is_wrong(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "_LONGEST", 20)
    (tmp_path / "rows.jsonl").write_bytes(b'{"id": 1}\n{"id": "' + b"x" * 90 + b'"}\n{"id": 3}\n\xff\n')
    (shard,) = shards(tmp_path / "rows.jsonl", 9)
    assert [row.id for row in shard.rows] == [1, 2, 3, 4]
    assert [row.wrong for row in shard.rows] == ["", "a row of more than 20 bytes", "", "not UTF-8"]


def test_a_pipe_is_no_input(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for name in ("-", tmp_path / "pipe"):
        with pytest.raises(InputError, match="is no file"):
            look(Path(name))


def test_a_full_disk_is_told_and_the_batch_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "SIZE", 2)
    source, job, out = written(tmp_path / "rows.jsonl", rows(8)), Job("attribute"), tmp_path / "out"
    monkeypatch.setattr(kept, "_EVERY", -1)  # the disk is waited for after each shard
    sync, synced = os.fsync, []

    def full(handle):
        synced.append(handle)
        if len(synced) == 5:
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="out cannot be written: No space left"):
        run(job, source, out, lambda: Here(job, count=1))
    assert 0 < run(job, source, out, lambda: Here(job)).done_before < 8
    assert [row["id"] for row in results(out)] == [f"r{n}" for n in range(8)]


@pytest.mark.rare
@pytest.mark.slow
def test_processes_that_cannot_begin_are_an_error_and_no_rows():
    workers = Processes(Stillborn(), 1)
    try:
        with pytest.raises(BackendError, match=r"processes exit before they start to work \(exit code 3\)"):
            list(schedule(workers, [Shard(0, (Row(0, {}),))]))
    finally:
        workers.close()


def test_rows_without_documents_are_asked_of_a_library(tmp_path):
    (tmp_path / "harbour.md").write_text("# Harbour report\n\nThe harbour froze in January.\n")
    with Library(tmp_path / "lib", create=True) as library:
        library.add([tmp_path / "harbour.md"])
        name = library.entries()[0].id
    worker = Worker(Job("ask", str(tmp_path / "lib")))
    arguments = [
        {"question": "When did the harbour freeze?"},
        {"question": "When did the harbour freeze?", "documents": [name]},
    ]
    lines = worker.lines([Row(place, row) for place, row in enumerate(arguments)])
    assert [json.loads(line)["result"]["documents"][0]["id"] for line, _ in lines] == [name, name]


def test_marks_of_plain_text_need_documents_that_are_named_and_a_list_of_sources_needs_none(tmp_path):
    with Library(tmp_path / "lib", create=True) as library:
        library.add(
            [Document.from_text(DOCUMENT["text"], title="Harbour"), Document.from_text("A road.", title="Roads")]
        )
    worker, text = Worker(Job("audit", str(tmp_path / "lib"))), "The harbour froze in January [1]."
    result = [
        {"response": text},
        {"response": f"{text}\n\nSources:\n[1] Harbour\n"},
        {"response": text, "documents": [DOCUMENT]},
    ]
    payloads = [json.loads(line) for line, _ in worker.lines([Row(place, row) for place, row in enumerate(result)])]
    assert payloads[0]["error"]["type"] == "UsageError"
    assert "a library has no order" in payloads[0]["error"]["message"]
    assert [row["result"]["counts"]["support"] for row in payloads[1:]] == [1, 1]


@pytest.mark.rare
@pytest.mark.slow
def test_processes_give_the_bytes_of_one_and_a_killed_one_is_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "SIZE", 2)
    source, job = written(tmp_path / "rows.jsonl", rows(30)), Job("attribute")
    monkeypatch.setenv("PYTHONHASHSEED", "1")  # of the workers: sets go another way with each
    run(job, source, tmp_path / "one", lambda: Processes(job, 1))
    monkeypatch.setenv("PYTHONHASHSEED", "2")

    class Killed(Processes):
        def start(self, task):
            super().start(task)
            if task.shard in (2, 9) and not task.tried:
                busy = next(worker for worker in self._workers if worker.task is task)
                os.kill(busy.process.pid, signal.SIGKILL)

    run(job, source, tmp_path / "two", lambda: Killed(job, 2))
    assert (tmp_path / "one" / "results.jsonl").read_bytes() == (tmp_path / "two" / "results.jsonl").read_bytes()
