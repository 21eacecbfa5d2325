"""The library on the command line: taken in, listed, asked, taken out."""

import json
from pathlib import Path

import pytest

from citewell.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli")
    (folder / "harbour.md").write_text("# Harbour report 2023\n\nThe harbour froze in January.\n")
    files = [str(folder / "harbour.md"), str(EXAMPLES / "annual-report.md")]
    assert main(["library", "add", *files, "--library", str(folder / "lib"), "--data", "region=north"]) == 0
    return str(folder / "lib")


def run_command(capsys, *args):
    code = main([str(arg) for arg in args])
    out, err = capsys.readouterr()
    return code, out, err


def test_documents_are_listed_with_their_fields(place, capsys):
    code, out, _ = run_command(capsys, "library", "list", "--library", place, "--where", "year = 2023", "--json")
    (document,) = json.loads(out)["documents"]
    assert code == 0
    assert (document["title"], document["data"], document["pages"]) == (
        "Harbour report 2023",
        {"region": "north"},
        None,
    )
    assert "Northwater" in run_command(capsys, "library", "list", "--library", place)[1]


def test_a_library_is_asked_without_a_document(place, capsys):
    code, out, _ = run_command(capsys, "ask", "--library", place, "When did the harbour freeze?", "--json")
    answer = json.loads(out)
    assert code == 0
    assert "January" in answer["citations"][0]["quote"]
    assert {document["title"] for document in answer["documents"]} >= {"Harbour report 2023"}


def test_conditions_choose_what_is_asked(place, capsys):
    _, out, _ = run_command(
        capsys, "ask", "--library", place, "--where", "title ~ northwater", "When did it freeze?", "--json"
    )
    assert [document["title"] for document in json.loads(out)["documents"]] == [
        "Northwater Ferries: Annual report 2025"
    ]


def test_claims_answers_and_responses_are_held_against_a_library(place, capsys, tmp_path):
    _, out, _ = run_command(capsys, "check", "--library", place, "The harbour froze in January.", "--json")
    assert json.loads(out)["verdicts"][0]["label"] in ("supported", "quoted")
    _, out, _ = run_command(capsys, "attribute", "--library", place, "The harbour froze in January.", "--json")
    assert json.loads(out)["citations"][0]["quote"] == "The harbour froze in January."
    response = tmp_path / "response.txt"
    response.write_text("The harbour froze in January [1].\n\nSources:\n[1] Harbour report 2023\n")
    code, out, _ = run_command(capsys, "audit", response, "--library", place)
    assert (code, "1 citations, 1 exist, 1 support" in out) == (0, True)
    response.write_text("The harbour froze in January [1].")
    code, _, err = run_command(capsys, "audit", response, "--library", place)
    assert code == 2
    assert "the mark [1] counts sources that the response does not list, and a library has no order" in err


def test_a_saved_answer_is_verified_in_the_library(place, capsys, tmp_path):
    _, out, _ = run_command(capsys, "ask", "--library", place, "When did the harbour freeze?", "--json")
    saved = tmp_path / "answer.json"
    saved.write_text(out)
    assert run_command(capsys, "verify", saved, "--library", place)[0] == 0
    saved.write_text(out.replace("January", "February"))
    assert run_command(capsys, "verify", saved, "--library", place)[0] == 3


def test_what_cannot_be_read_is_named_and_the_exit_code_says_so(capsys, tmp_path):
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.7 nothing")
    (tmp_path / "good.md").write_text("The harbour froze.")
    code, out, _ = run_command(capsys, "library", "add", tmp_path, "--library", tmp_path / "lib")
    assert code == 3
    assert "bad.pdf" in out
    assert "1 added" in out
    _, out, _ = run_command(capsys, "library", "list", "--library", tmp_path / "lib")
    assert "✗" in out
    (tmp_path / "bad.pdf").unlink()
    assert run_command(capsys, "library", "refresh", "--library", tmp_path / "lib")[0] == 0
    assert (
        run_command(capsys, "library", "remove", "good.md", "--library", tmp_path / "lib", "--json")[1]
        == '{"removed": 1}\n'
    )


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["ask", "--library", "nothing/here", "Why?"], "is no library"),
        (["ask", "a.pdf", "Why?", "--where", "year = 3"], "choose among the documents of a --library"),
        (["library", "remove", "x", "--library", "{place}"], "has no document 'x'"),
        (["library", "add", "x.pdf", "--library", "{place}"], "there is no file 'x.pdf'"),
        (["library", "add", "README.md", "--library", "{place}", "--data", "x"], "a field is written as NAME=VALUE"),
        (["library", "list", "--library", "{place}", "--where", "year"], "ends where"),
        (["library", "list", "--library", "mysql://host/db"], "a library is in a folder or at postgresql://"),
    ],
)
def test_what_is_wrong_is_one_line_and_exit_code_2(place, capsys, args, message):
    code, _, err = run_command(capsys, *(arg.replace("{place}", place) for arg in args))
    assert code == 2
    assert message in err
    assert err.count("\n") == 1
