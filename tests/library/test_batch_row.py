"""`citewell.batch.row`: one row as a function, with the result that it has in a batch, whoever hands it the row."""

import json
import os
import pickle
import shutil
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context

import pytest

import citewell
from citewell import Document
from citewell.errors import SpecError, UsageError
from citewell.library.library import Library

ROWS = [
    {"id": "ferry", "question": "How many ferries sailed to Norrey in 2023?"},
    {"id": "mill", "question": "When was the mill of Sudd built?"},
    {"id": "none"},
    {"id": 4, "documents": {"text": "The harbour froze in 1963."}, "question": "When did the harbour freeze?"},
]


@pytest.fixture
def place(tmp_path):
    with Library(tmp_path / "lib", create=True) as library:
        library.add([
            Document.from_text("Twelve ferries sailed to Norrey in 2023.", "Ferries"),
            Document.from_text("The mill of Sudd was built in 1871.", "Mills"),
        ])  # fmt: skip
    return str(tmp_path / "lib")


@pytest.fixture
def wanted(place, tmp_path):
    """The lines of a batch."""
    citewell.batch("ask", ROWS, tmp_path / "out", library=place)
    return [json.loads(line) for line in (tmp_path / "out" / "results.jsonl").read_text().splitlines()]


def test_a_plain_loop_gives_what_a_batch_gives(place, wanted):
    work = partial(citewell.batch.row, "ask", library=place)
    assert [work(row) for row in ROWS] == wanted
    assert "error" in wanted[2]
    assert work({"question": "Who?", "documents": None})["id"] is None


def test_threads_and_a_work_that_was_sent_give_the_same(place, wanted):
    work = pickle.loads(pickle.dumps(partial(citewell.batch.row, "ask", library=place)))  # noqa: S301  (its own)
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(work, ROWS * 2)) == wanted * 2


@pytest.mark.rare
@pytest.mark.slow
def test_processes_and_dask_give_the_same(place, wanted):
    work = partial(citewell.batch.row, "ask", library=place)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert list(pool.map(work, ROWS)) == wanted
    bag = pytest.importorskip("dask.bag")
    for scheduler in ("synchronous", "threads"):
        assert bag.from_sequence(ROWS, npartitions=2).map(work).compute(scheduler=scheduler) == wanted


@pytest.mark.rare
def test_ray_gives_the_same(place, wanted):
    ray = pytest.importorskip("ray")
    ray.init(address="local", num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="error")
    try:
        remote = ray.remote(citewell.batch.row)
        assert ray.get([remote.remote("ask", row, library=place) for row in ROWS]) == wanted
    finally:
        ray.shutdown()


@pytest.mark.rare
def test_spark_gives_the_same(place, wanted, monkeypatch):
    sql = pytest.importorskip("pyspark.sql")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    session = sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        work = partial(citewell.batch.row, "ask", library=place)
        assert session.sparkContext.parallelize(ROWS, 2).map(work).collect() == wanted
    finally:
        session.stop()


def test_a_library_sees_what_was_added_since(place):
    work = partial(citewell.batch.row, "ask", {"question": "Who owns the brewery of Ostvik?"}, library=place)
    assert work()["result"]["abstained"]
    with Library(place) as library:
        library.add([Document.from_text("The brewery of Ostvik is owned by Ada Lind.", "Breweries")])
    assert "Ada Lind" in work()["result"]["text"]


def test_what_is_wrong_with_every_row_is_an_error_and_no_result(place):
    with pytest.raises(UsageError, match="a batch is one of ask, attribute, check, audit"):
        citewell.batch.row("sing", ROWS[0])
    with pytest.raises(SpecError):
        citewell.batch.row("check", ROWS[0], checker="nothing")
    with pytest.raises(UsageError, match="a row is a mapping, not a str"):
        citewell.batch.row("ask", "row")
    with pytest.raises(UsageError, match="give a spec"):
        citewell.batch.row("ask", ROWS[0], llm=lambda prompt: prompt)
