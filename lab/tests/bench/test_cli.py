import hashlib
import http.server
import json
import threading
from types import SimpleNamespace

import pytest

from bench import benchdata
from citewell.cli import main
from citewell.errors import BackendError
from citewell_lab.bench import fetch as fetching
from citewell_lab.bench.datasets.dataset import Dataset, File, Published
from citewell_lab.bench.tasks import task

pytestmark = pytest.mark.rare


def called(capsys, *args):
    code = main(["bench", *map(str, args)])
    out = capsys.readouterr()
    return SimpleNamespace(code=code, out=out.out, err=out.err)


@pytest.mark.slow
def test_the_default_methods_run_from_the_command_line(tmp_path, capsys):
    benchdata.veri_gran(tmp_path, 3)
    benchdata.wice(tmp_path)
    args = ("run", "verifiability-granular", "--data", tmp_path, "--split", "dev", "--limit", 2, "--json")
    output = called(capsys, *args)
    assert (output.code, output.err) == (0, "")
    data = json.loads(output.out)
    assert (data["n"], data["method"], data["metrics"]["span_accuracy"]) == (2, "lexical", 1)
    output = called(capsys, "run", "wice", "--data", tmp_path, "--split", "dev", "--out", tmp_path / "r")
    assert output.code == 0
    assert "lexical | lexical" in output.out
    report = called(capsys, "report", tmp_path / "r", "--markdown", "--html", tmp_path / "r.html")
    assert "| **lexical \\| lexical** |" in report.out
    assert (tmp_path / "r.html").read_text().startswith("<!doctype html>")
    assert "0 predictions changed" in called(capsys, "compare", tmp_path / "r", tmp_path / "r").out


@pytest.mark.slow
def test_one_command_runs_every_task_that_has_data_and_prints_all_tables(tmp_path, capsys):
    for write in (benchdata.veri_gran, benchdata.salad, benchdata.wice, benchdata.evidence_inference):
        write(tmp_path)
    out = tmp_path / "runs"
    args = ("tables", "--data", tmp_path, "--out", out, "--html", tmp_path / "t.html", "--json")
    output = called(capsys, *args, "--method", "lexical", "--method", "lexical(limit=1)")
    assert output.code == 0
    assert "hagrid: skipped: there is no hagrid/ in" in output.err
    tables = {table["id"]: table for table in json.loads(output.out)["tables"]}
    assert {"hidden-states-2-verifiability-granular", "salad-7", "lab-3-wice"} <= set(tables)
    ours = [row["name"] for row in tables["lab-3-wice"]["rows"] if row["kind"] == "ours"]
    assert ours == ["lexical | lexical", "lexical | lexical(limit=1)"]
    assert sorted(path.name for path in out.iterdir()) == [
        "evidence-inference-lexical",
        "evidence-inference-lexical-lexical-limit=1",
        "salad-lexical",
        "verifiability-granular-lexical",
        "verifiability-granular-lexical-limit=1",
        "wice-lexical",
        "wice-lexical-lexical-limit=1",
    ]
    assert called(capsys, *args[:-1], "--split", "none", "--task", "wice").err.count("no split 'none'") == 1


def test_the_tasks_are_listed_with_what_they_run(tmp_path, capsys):
    benchdata.wice(tmp_path)
    payload = json.loads(called(capsys, "list", "--json", "--data", tmp_path).out)
    assert payload["wice"]["needs"] == ["checker", "attributor"]
    assert payload["wice"]["there"] is True
    assert payload["salad"]["there"] is False
    assert "no salad/ in" in called(capsys, "list", "--data", tmp_path).out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("run", "wise", "--data", "."), "did you mean 'wice'"),
        (("run", "wice", "--data", "nowhere"), "is not a folder"),
        (("run", "salad", "--data", ".", "--method", "lexical"), "does not use --method"),
        (("run", "wice", "--data", ".", "--checker", "nothing(x=1)"), "--data names"),
        (("report", "nowhere"), "is not a run"),
        (("report", "--html", "no/such/folder/r.html"), "r.html cannot be written"),
        (("compare", "nowhere", "nowhere"), "is not a run"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_two(args, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    output = called(capsys, *args)
    assert output.code == 2
    assert output.err.count("\n") == 1
    if "--data names" not in message:
        assert message in output.err


def test_a_run_in_which_everything_failed_is_a_fault(tmp_path, capsys):
    benchdata.lines(tmp_path / "wice" / "claim" / "dev.jsonl", [{"claim": "x"}])
    output = called(capsys, "run", "wice", "--data", tmp_path, "--json")
    assert output.code == 1
    assert json.loads(output.out)["failed"] == 1
    assert "every item failed, the first with dev:0: KeyError" in output.err


@pytest.fixture
def server(tmp_path):
    root = tmp_path / "served"
    root.mkdir()
    (root / "dev.jsonl").write_text("{}\n")

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, directory=str(root), **kwargs)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


@pytest.mark.slow
def test_files_are_fetched_once_and_checked(tmp_path, server):
    right = hashlib.sha256(b"{}\n").hexdigest()

    def fetched(remote="dev.jsonl", digest=right, address=f"{server}/"):
        files = (File("claim/dev.jsonl", remote, digest),)
        source = Dataset("wice", (), list, Published("W", "H", "L", {}, address, files))
        return list(fetching.fetch(source, tmp_path))

    assert fetched()[-1].endswith("3 bytes")
    assert fetched()[-1].endswith("there already")
    path = tmp_path / "wice" / "claim" / "dev.jsonl"
    path.write_text("other")
    assert fetched()[-1].endswith("not the published file")
    path.unlink()
    with pytest.raises(BackendError, match="checksum differs"):
        fetched(digest="0" * 64)
    assert not list(path.parent.iterdir())
    with pytest.raises(BackendError, match="cannot be fetched"):
        fetched("none")
    with pytest.raises(BackendError, match="only https"):
        fetched(address="ftp://127.0.0.1/")


def test_a_data_set_that_cannot_be_fetched_says_where_it_is(tmp_path):
    first, second = fetching.fetch(task("contract-nli").data, tmp_path)
    assert "https://stanfordnlp.github.io/contract-nli/" in first
    assert str(tmp_path / "contractnli") in second


def test_a_folder_of_data_that_is_not_there_is_an_error(tmp_path, capsys):
    words = ["bench", "tables", "--data", str(tmp_path / "none"), "--out", str(tmp_path / "runs")]
    assert main(words) == 2
    assert "is not a folder" in capsys.readouterr().err
