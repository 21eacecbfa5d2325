"""`citewell.batch`: rows from Python or a file, results as values, on and on."""

import json
from pathlib import Path

import pytest

import citewell
from citewell.errors import CorruptDocumentError, InputError, SpecError, UsageError

TEXT = "The harbour froze in January 2021. Revenue rose to $5.9bn in 2022.\n\nTwo ferries were sold."
REPORT = Path(__file__).parents[2] / "examples" / "annual-report.pdf"


@pytest.fixture
def report(tmp_path):
    path = tmp_path / "report.txt"
    path.write_text(TEXT)
    return path


def test_rows_of_mappings_become_answers_in_their_order(report, tmp_path):
    read = citewell.Document.from_text("Whales sing.", "Whales")
    rows = [
        {"id": "a", "documents": report, "question": "What was revenue in 2022?"},
        {"documents": [read, {"text": TEXT, "title": "T"}], "question": "How many ferries were sold?"},
        {"id": "c", "documents": "gone.txt", "question": "What?"},
        {"id": "d", "documents": str(report)},
    ]
    done = citewell.batch("ask", iter(rows), tmp_path / "out")
    assert (len(done), done.summary.failed, done.summary.done_before) == (4, 2, 0)
    first, second, third, fourth = done
    assert [row.id for row in done] == ["a", 2, "c", "d"]
    assert (first.result.question, first.error) == ("What was revenue in 2022?", None)
    assert first.result.citations == citewell.ask(report, "What was revenue in 2022?").citations
    assert [info.title for info in second.result.documents] == ["Whales", "T"]
    assert isinstance(third.error, InputError)
    assert str(third.error) == "gone.txt cannot be read: No such file or directory"
    assert (third.result, str(fourth.error)) == (None, "the row has no 'question'")


def test_every_verb_gives_its_own_result(report, tmp_path):
    (attributed,) = citewell.batch(
        "attribute", [{"documents": report, "answer": "Two ferries were sold."}], tmp_path / "1"
    )
    assert attributed.result.statements[0].label == "supported"
    (checked,) = citewell.batch("check", [{"documents": report, "claims": ["Two ferries were sold."]}], tmp_path / "2")
    assert checked.result == citewell.check(report, ["Two ferries were sold."])
    (audited,) = citewell.batch(
        "audit", [{"documents": report, "response": "Two ferries were sold [2]."}], tmp_path / "3"
    )
    assert audited.result["recall"] == 1.0


def test_a_batch_goes_on_where_it_stopped_and_tells_how_far_it_is(report, tmp_path):
    rows = [{"id": n, "documents": report, "question": f"What was revenue in 202{n}?"} for n in range(5)]
    calls, events = [], []

    def model(prompt):
        calls.append(prompt)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return "Revenue rose to $5.9bn [1]."

    with pytest.raises(KeyboardInterrupt):
        citewell.batch("ask", rows, tmp_path / "out", llm=model, shard=1)
    done = citewell.batch("ask", rows, tmp_path / "out", llm=model, shard=1, progress=lambda *at: events.append(at))
    assert done.summary.done_before == 3
    assert len(calls) == 6  # none of the three again
    assert events == [(3, 5), (4, 5), (5, 5)]
    assert [row.result.text for row in done] == ["Revenue rose to $5.9bn."] * 5
    again = citewell.batch("ask", rows, tmp_path / "out", llm=model, shard=1)
    assert (again.summary.done_before, len(calls)) == (5, 6)


def test_other_rows_or_settings_are_refused(report, tmp_path):
    row = {"documents": report, "question": "What was revenue in 2022?"}
    citewell.batch("ask", [row], tmp_path / "out")
    for rows, settings in (([row, row], {}), ([], {}), ([row], {"abstain": 0.9})):
        with pytest.raises(UsageError, match="contains another batch"):
            citewell.batch("ask", rows, tmp_path / "out", **settings)


@pytest.mark.parametrize(("kind", "rows", "settings", "message"), [
    ("sing", [], {}, "one of ask, attribute, check, audit, not 'sing'"),
    ("ask", ["text"], {}, "row 1 is a str, not a mapping"),
    ("ask", [{"question": object()}], {}, "row 1 is no JSON"),
    ("ask", [], {"workers": -1}, "workers are at least 0"),
    ("ask", [], {"shard": 0}, "a shard is at least 1 row"),
    ("ask", [], {"where": "year = 2022"}, "where is a condition on a library"),
    ("ask", 5, {}, "rows come as a file, or as several mappings, not as a int"),
    ("ask", [], {"workers": True}, "workers is a whole number, not True"),
    ("ask", [], {"shard": "8"}, "shard is a whole number, not '8'"),
    ("ask", [], {"k": "x"}, "k is a whole number or none, not 'x'"),
    ("audit", [], {"granularity": "word"}, "granularity is one of sentence"),
    ("check", [], {"reader": "x"}, "a pipeline has no reader"),
    ("ask", [], {"workers": 2, "llm": lambda prompt: prompt}, "work in this process"),
])  # fmt: skip
def test_what_cannot_be_done_is_said(kind, rows, settings, message, tmp_path):
    with pytest.raises(UsageError, match=message):
        citewell.batch(kind, rows, tmp_path / "out", **settings)


@pytest.mark.parametrize("kind", ["ask", "attribute", "check", "audit"])
def test_a_back_end_that_is_not_known_is_said_once_and_no_folder_is_begun(kind, report, tmp_path):
    rows = [{"documents": report, "question": "a", "answer": "a", "claims": ["a"], "response": "a"}]
    with pytest.raises(SpecError, match="no checker 'nope'"):
        citewell.batch(kind, rows, tmp_path / "out", checker="nope")
    assert not (tmp_path / "out").exists()


def test_documents_that_were_read_keep_their_rectangles(tmp_path):
    document = citewell.read(REPORT)
    (row,) = citewell.batch(
        "attribute",
        [{"documents": document, "answer": "Passenger tickets brought in €24.87 million."}],
        tmp_path / "out",
    )
    assert (
        row.result.citations[0].rects
        == citewell.attribute(document, "Passenger tickets brought in €24.87 million.").citations[0].rects
    )
    assert row.result.citations[0].rects
    with pytest.raises(CorruptDocumentError):  # a JSON that was not saved by us is read as what it is
        citewell.Document.load(written(tmp_path / "data.json", {"a": 1}))
    (row,) = citewell.batch("attribute", [{"documents": tmp_path / "data.json", "answer": "a is 1"}], tmp_path / "2")
    assert row.error is None


def written(path, data):
    path.write_text(json.dumps(data))
    return path


@pytest.mark.slow
def test_processes_give_the_same_bytes(report, tmp_path):
    rows = [{"id": n, "documents": report, "question": f"What was revenue in 202{n}?"} for n in range(4)]
    here = citewell.batch("ask", rows, tmp_path / "here", shard=2)
    there = citewell.batch("ask", rows, tmp_path / "there", shard=2, workers=2, progress=True)
    assert Path(here.summary.out).read_bytes() == Path(there.summary.out).read_bytes()


def test_a_promise_holds_in_a_batch_and_another_promise_is_another_batch(tmp_path):
    import json

    from citewell.cli import main
    from citewell.pipeline import promise

    rows = tmp_path / "rows.jsonl"
    question = "When did the harbour freeze?"
    document = {"text": "The harbour froze in January 2021. The ferries were sold.", "title": "Log"}
    rows.write_text(json.dumps({"id": "1", "documents": [document], "question": question}) + "\n")
    built = promise.default("extractive")
    out = str(tmp_path / "out")
    for threshold, code in ((0.0, 0), (1.0, 2)):  # the folder holds the batch of the first
        file = tmp_path / "promise.json"
        file.write_text(json.dumps(built.to_dict() | {"threshold": threshold}))
        assert main(["batch", "ask", "--in", str(rows), "--out", out, "--abstain", str(file), "--workers", "1"]) == code
    (line,) = (tmp_path / "out" / "results.jsonl").read_text().splitlines()
    assert json.loads(line)["result"]["value"]["text"] == "January 2021"
    assert main(["batch", "ask", "--in", str(rows), "--out", str(tmp_path / "b"), "--abstain", "none.json"]) == 2
