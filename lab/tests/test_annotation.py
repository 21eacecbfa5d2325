"""Annotation: labels are kept through a kill, annotators do not read each other, and a finished project is a data set."""

import json
import subprocess
import sys
from dataclasses import replace
from itertools import combinations

import pytest

from bench import benchdata
from browsers import chromium
from citewell.cli import main
from citewell.errors import InputError, UsageError
from citewell_lab.annotation import project as projects
from citewell_lab.annotation import protocol as protocols
from citewell_lab.annotation.export import export
from citewell_lab.annotation.project import ADJUDICATOR, Annotation
from citewell_lab.bench.metrics.agreement import alpha, cohen
from citewell_lab.bench.run import run

ITEMS = [
    {"id": "a", "claim": "Rain fell.", "segments": ["Rain fell there.", "Snow melts."], "context": "What fell?"},
    {"id": "b", "claim": "Snow stays.", "segments": ["Snow melts."]},
    {"id": "c", "claim": "Wind blows.", "segments": ["Rain fell there."]},
]


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "items.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ITEMS))
    assert main(["bench", "annotate", "new", str(tmp_path / "p"), "--items", str(path)]) == 0
    return tmp_path / "p"


def say(project, annotator, key, label, *evidence):
    project.save(Annotation(annotator, key, label, evidence))


def finish(project):
    """Two annotators, who differ on the last item."""
    for name, last in (("ann", "partially_supported"), ("ben", "not_supported")):
        say(project, name, "a", "supported", 0)
        say(project, name, "b", "not_supported")
        say(project, name, "c", last)


def test_labels_are_there_after_a_kill_and_a_line_that_was_cut_off_is_not(folder):
    project = projects.load(folder)
    say(project, "ann", "a", "supported", 0)
    say(project, "ann", "b", "supported")
    say(project, "ann", "b", "not_supported")
    journal = folder / "labels.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole + whole.splitlines()[0][:25])
    again = projects.load(folder)
    assert again.by_annotator == project.by_annotator
    assert again.by_annotator["ann"]["b"].label == "not_supported"
    assert journal.read_bytes() == whole
    say(again, "ann", "c", "supported")
    assert projects.load(folder).by_annotator["ann"].keys() == {"a", "b", "c"}


@pytest.mark.parametrize("line", ["{}", "no JSON", '{"annotator": "ann", "item": "z", "label": "supported"}'])
def test_a_damaged_journal_is_refused_with_its_line(folder, line):
    (folder / "labels.jsonl").write_text(line + "\n")
    with pytest.raises(InputError, match="line 1"):
        projects.load(folder)


@pytest.mark.parametrize(
    "wrong",
    [
        {"item": "z"},
        {"label": "true"},
        {"evidence": (2,)},
        {"evidence": (-1,)},
        {"evidence": (0, 0)},
        {"annotator": " "},
        {"annotator": "a" * 61},
        {"annotator": "a\nb"},
        {"note": "n" * 2001},
        {"note": "\ud800"},
    ],
)
def test_a_label_that_the_protocol_does_not_know_leaves_no_trace(folder, wrong):
    project = projects.load(folder)
    say(project, "ann", "b", "supported")
    with pytest.raises(InputError):
        project.save(replace(Annotation("ann", "a", "supported", (0,)), **wrong))
    assert projects.load(folder).by_annotator["ann"].keys() == {"b"}


def test_each_item_has_two_annotators_and_a_dispute_goes_to_the_adjudicator(folder):
    project = projects.load(folder)
    assert project.next("ann").id == "a"
    with pytest.raises(UsageError, match="lacks labels"):
        say(project, ADJUDICATOR, "a", "supported")
    finish(project)
    assert project.next("cid") is None
    with pytest.raises(UsageError, match="all its 2"):
        say(project, "cid", "a", "supported")
    assert [project.decided(key) for key in "abc"] == ["supported", "not_supported", None]
    assert project.next(ADJUDICATOR).id == "c"
    say(project, ADJUDICATOR, "c", "partially_supported", 0)
    assert (project.decided("c"), project.next(ADJUDICATOR)) == ("partially_supported", None)


def test_two_of_three_decide_by_the_protocol_of_salad(tmp_path):
    entries = [protocols.item(row, "") for row in ITEMS]
    projects.create(tmp_path / "p", protocols.PRESETS["salad"], entries)
    project = projects.load(tmp_path / "p")
    for name, label in zip("xyz", ("supported", "not_supported", "supported"), strict=True):
        assert project.decided("a") is None
        say(project, name, "a", label)
    assert project.decided("a") == "supported"
    for name, label in zip("xyz", protocols.SUPPORT, strict=True):
        say(project, name, "b", label)
    assert project.disputed() == ["b"]


def test_agreement_is_that_of_its_definition():
    first, second = list("aabbc"), list("abbbc")
    # Four of five alike; by chance 2*1 + 2*3 + 1*1 of 25.
    assert cohen(first, second) == pytest.approx((0.8 - 9 / 25) / (1 - 9 / 25))
    assert cohen([], []) is None
    assert cohen("aa", "aa") is None
    pytest.importorskip("nltk", reason="alpha needs nltk: pip install 'citewell-lab[bench]'")
    pooled = first + second
    expected = sum(a != b for a, b in combinations(pooled, 2)) / 45
    units = list(zip(first, second, strict=True))
    assert alpha(units) == pytest.approx(1 - 0.2 / expected)
    assert alpha([*units, ("c",)]) == pytest.approx(alpha(units))


def test_the_commands_measure_and_export_what_the_harness_runs(folder, tmp_path, capsys):
    pytest.importorskip("nltk", reason="alpha needs nltk: pip install 'citewell-lab[bench]'")
    out = tmp_path / "data"
    project = projects.load(folder)
    finish(project)
    assert main(["bench", "annotate", "export", str(folder), "--out", str(out)]) == 2
    assert "1 wait for the adjudicator" in capsys.readouterr().err
    assert not out.exists()
    say(project, ADJUDICATOR, "c", "not_supported")
    assert main(["bench", "annotate", "agreement", str(folder), "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["decided"] == 3
    # Two of three alike; by chance (1*1 + 1*2) of 9.
    assert figures["pairs"][0]["kappa"] == pytest.approx((2 / 3 - 3 / 9) / (1 - 3 / 9))
    assert main(["bench", "annotate", "export", str(folder), "--out", str(out)]) == 0
    rows = [json.loads(line) for line in (out / "annotations.jsonl").read_text().splitlines()]
    assert [row["label"] for row in rows] == ["supported", "not_supported", "not_supported"]
    assert [row["adjudicated"] for row in rows] == [False, False, True]
    result = run("wice", out, "test", out=tmp_path / "run")
    assert result.n == 3
    assert main(["bench", "annotate", "export", str(folder), "--out", str(out)]) == 2


@pytest.mark.parametrize(
    ("name", "make", "labels"),
    [
        ("wice", benchdata.wice, protocols.SUPPORT),
        ("contract-nli", benchdata.contract_nli, None),
        ("attributionbench", benchdata.attributionbench, protocols.SUPPORT),
        ("quotesum", benchdata.quotesum, protocols.SUPPORT),
        ("verifiability", benchdata.verifiability, protocols.SUPPORT),
    ],
)
def test_items_of_a_task_come_with_its_labels_and_without_its_gold(tmp_path, name, make, labels):
    make(tmp_path / "data")
    command = ["bench", "annotate", "new", str(tmp_path / "p"), "--task", name, "--data", str(tmp_path / "data")]
    assert main([*command, "--split", "dev"]) == 0
    project = projects.load(tmp_path / "p")
    assert project.items
    assert labels is None or project.protocol.labels == labels
    assert all(entry.claim and entry.segments for entry in project.items.values())
    content = json.loads((tmp_path / "p" / "project.json").read_text())
    assert {key for row in content["items"] for key in row} == {"id", "claim", "segments", "context"}
    assert main([*command, "--split", "dev"]) == 2


@pytest.fixture
def client(folder):
    pytest.importorskip("starlette", reason="the page needs the service: pip install 'citewell[serve]'")
    from starlette.testclient import TestClient

    from citewell_lab.annotation.server import application

    return TestClient(application(projects.load(folder)), base_url="http://127.0.0.1")


def test_two_annotators_and_an_adjudicator_work_over_http(client, folder):
    assert "<script" in client.get("/").text
    for name in ("ann", "ben"):
        for key, label in (("a", "supported"), ("b", "not_supported"), ("c", f"{'not_' * (name == 'ben')}supported")):
            reply = client.get("/next", params={"annotator": name}).json()
            assert reply["item"]["id"] == key
            assert "labels" not in reply
            row = {"annotator": name, "item": key, "label": label, "evidence": [0], "note": ""}
            assert client.post("/labels", json=row).json() == {"saved": True}
        assert client.get("/next", params={"annotator": name}).json()["item"] is None
    reply = client.get("/next", params={"annotator": ADJUDICATOR}).json()
    assert [row["label"] for row in reply["labels"]] == ["supported", "not_supported"]
    row = {"annotator": ADJUDICATOR, "item": "c", "label": "not_supported"}
    assert client.post("/labels", json=row).status_code == 200
    assert len(export(projects.load(folder), folder / "data")) == 2


def test_what_another_site_or_a_broken_client_sends_is_refused(client, folder):
    good = {"annotator": "ann", "item": "a", "label": "supported"}
    assert client.post("/labels", content=json.dumps(good), headers={"Content-Type": "text/plain"}).status_code == 415
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 400
    headers = {"Content-Type": "application/json"}
    for body in ("", "[]", "{", "[" * 9999, '{"annotator": 1}', json.dumps({**good, "evidence": [True]})):
        assert client.post("/labels", content=body, headers=headers).status_code == 400
    assert client.post("/labels", content=b" " * 70000, headers=headers).status_code == 413
    assert not (folder / "labels.jsonl").exists()


def test_a_label_that_cannot_be_written_leaves_the_journal_as_it_was(folder, monkeypatch):
    project = projects.load(folder)
    say(project, "ann", "a", "supported", 0)
    before = (folder / "labels.jsonl").read_bytes()

    def fail(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(projects.os, "fsync", fail)
    with pytest.raises(InputError, match="No space left"):
        say(project, "ann", "b", "supported")
    assert (folder / "labels.jsonl").read_bytes() == before
    assert project.by_annotator["ann"].keys() == {"a"}


@pytest.mark.browser
def test_a_person_labels_in_the_page_and_the_adjudicator_decides(folder):
    pytest.importorskip("uvicorn", reason="the page needs the service: pip install 'citewell[serve]'")
    command = [sys.executable, "-m", "citewell", "bench", "annotate", "serve", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as served, chromium() as browser:
        try:
            address = served.stdout.readline().strip()
            for name, last in (("ann", "supported"), ("ben", "not supported"), (ADJUDICATOR, "partially supported")):
                page = browser.new_page()
                page.goto(address)
                page.fill("#name", name)
                page.press("#name", "Enter")
                for item in ITEMS[2 if name == ADJUDICATOR else 0 :]:
                    page.wait_for_function("claim => at('claim').textContent === claim", arg=item["claim"])
                    page.check("#segments input >> nth=0")
                    page.get_by_role("button", name=last if item["id"] == "c" else "supported", exact=True).click()
                page.wait_for_function("() => at('message').textContent.startsWith('Nothing is left')")
        finally:
            served.terminate()
    project = projects.load(folder)
    assert [project.decided(key) for key in "abc"] == ["supported", "supported", "partially_supported"]
    assert project.by_annotator["ann"]["a"].evidence == (0,)


def test_what_is_no_project_or_no_item_is_refused(tmp_path):
    with pytest.raises(InputError, match="no annotation project"):
        projects.load(tmp_path)
    path = tmp_path / "items.jsonl"
    for text in ('{"id": "a"}', "no JSON", '{"id": "a", "claim": "b", "segments": [1]}'):
        path.write_text(text + "\n")
        with pytest.raises(InputError, match="line 1"):
            protocols.of_lines(path)
    path.write_text(2 * (json.dumps(ITEMS[0]) + "\n"))
    with pytest.raises(InputError, match="two items"):
        protocols.of_lines(path)
    assert main(["bench", "annotate", "new", str(tmp_path / "p")]) == 2
