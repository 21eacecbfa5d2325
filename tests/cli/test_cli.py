"""The command line: every command on real files, exit codes, and one clear line when something is wrong."""

import importlib
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from citewell import cli, pipeline
from citewell.cli import inputs
from citewell.readers import read

TEXT = """# Northwater

Revenue rose to 41.3 million in 2025. Costs fell by two per cent.

The fleet has five ships. MV Eider runs on batteries – quietly.
"""


@pytest.fixture
def report(tmp_path):
    path = tmp_path / "report.md"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


@pytest.fixture
def run(capsys, monkeypatch):
    """Run a command; returns its exit code, what it printed, and what it complained about."""

    def run(*args, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = cli.main(list(args))
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def process(*args, **kwargs):
    """Run the command in a process of its own."""
    environment = {**os.environ, **kwargs.pop("env", {})}
    command = [sys.executable, "-m", "citewell", *args]
    return subprocess.run(command, capture_output=True, env=environment, timeout=60, check=False, **kwargs)


def test_attribute_prints_the_answer_with_its_evidence(run, report):
    code, out, err = run("attribute", report, "The fleet has five ships.")
    assert (code, err) == (0, "")
    assert out.startswith("The fleet has five ships. [1]\n")
    assert "“The fleet has five ships.”" in out


def test_attribute_reads_the_answer_from_standard_input(run, report):
    code, out, _ = run("attribute", report, "-", "--json", stdin="Eider runs on batteries – quietly.".encode())
    assert code == 0
    assert json.loads(out)["citations"][0]["quote"] == "MV Eider runs on batteries – quietly."


def test_parts_of_the_answer_are_attributed_by_words_or_offsets_in_the_order_of_the_answer(run, report):
    answer = "Five ships sail; the fleet has five ships, five ships in all."
    parts = ["--span", "five ships", "--span", "0:10", "--span", "five ships", "--granularity", "window"]
    code, out, _ = run("attribute", report, answer, *parts, "--json")
    assert code == 0
    cited = {
        (citation["answer_start"], citation["answer_end"], citation["quote"])
        for citation in json.loads(out)["citations"]
    }
    # The second "five ships" of the options is the second of the answer.
    assert cited == {(0, 10, "five ships"), (31, 41, "five ships"), (43, 53, "five ships")}
    for wrong, text in (("six ships", "do not stand in the answer"), ("50:99", "the answer has the offsets 0 to 61")):
        code, _, complaint = run("attribute", report, answer, "--span", wrong)
        assert code == 2
        assert text in complaint


def test_a_file_name_is_not_attributed_as_if_it_were_the_answer(run, report, tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text("Revenue rose.")
    code, result, complaint = run("attribute", report, str(path))
    assert (code, result) == (2, "")
    assert "is a file: write - and <" in complaint
    assert run("attribute", report, "Revenue rose. " * 300)[0] == 0  # too long for a name


def test_a_mistyped_file_name_with_blanks_is_no_answer_and_a_sentence_about_a_file_is_one(
    run, report, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my answer.txt").write_text("Revenue rose.")
    code, _, complaint = run("attribute", report, "my anwser.txt")
    assert code == 2
    assert "reads like the name of a file that is not there" in complaint
    for text in ("The settings stand in config.json", "Booking.com", "120 km/h", "N/A", "U.S.A."):
        assert run("attribute", report, text)[0] == 0


def test_the_document_may_come_from_standard_input(run):
    code, out, _ = run("attribute", "-", "The fleet has five ships.", "--json", stdin=TEXT.encode())
    assert code == 0
    assert json.loads(out)["documents"][0]["source"] == "standard input"


def test_standard_input_cannot_be_two_things(run):
    code, _, err = run("attribute", "-", "-")
    assert (code, err) == (2, "citewell: standard input can be read only once: only one '-' can be given\n")


def test_more_documents_can_be_given(run, report, tmp_path):
    other = tmp_path / "other.txt"
    other.write_text("The harbour master is Edda Marrow.", encoding="utf-8")
    code, out, _ = run("attribute", report, "The harbour master is Edda Marrow.", "--also", str(other), "--json")
    data = json.loads(out)
    assert (code, len(data["documents"])) == (0, 2)
    assert data["citations"][0]["document_id"] == data["documents"][1]["id"]


def test_check_judges_claims_from_arguments_and_from_standard_input(run, report):
    code, out, _ = run("check", report, "The fleet has five ships.", "-", "--json", stdin=b"Costs fell.\n\nPigs fly.\n")
    verdicts = json.loads(out)["verdicts"]
    assert code == 0
    assert [verdict["claim"] for verdict in verdicts] == ["The fleet has five ships.", "Costs fell.", "Pigs fly."]
    assert [verdicts[0]["label"], verdicts[2]["label"]] == ["supported", "not_supported"]


def test_a_saved_answer_verifies_and_a_changed_document_does_not(run, report, tmp_path):
    _, out, _ = run("attribute", report, "The fleet has five ships.", "--json")
    saved = tmp_path / "answer.json"
    saved.write_text(out, encoding="utf-8")
    assert run("verify", str(saved), report) == (0, "✓ 1 citation, 1 statement: everything holds\n", "")
    Path(report).write_text(TEXT.replace("five", "nine"), encoding="utf-8")
    code, out, _ = run("verify", str(saved), report)
    assert code == 3
    assert "✗ citations[0]: at" in out
    code, out, _ = run("verify", str(saved), report, "--json")
    assert (code, json.loads(out)["ok"]) == (3, False)


def test_saved_verdicts_verify_too(run, report):
    _, out, _ = run("check", report, "The fleet has five ships.", "--json")
    assert run("verify", "-", report, stdin=out.encode())[0] == 0


@pytest.mark.parametrize("content", ["", "{}", "not json", '{"schema_version": 9}', "\xff"])
def test_verify_refuses_what_is_no_answer_in_one_line(run, report, tmp_path, content):
    saved = tmp_path / "answer.json"
    saved.write_bytes(content.encode("latin-1"))
    code, out, err = run("verify", str(saved), report)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1


def test_html_and_markdown_are_written_where_they_are_wanted(run, report, tmp_path):
    target = tmp_path / "page.html"
    code, out, err = run("attribute", report, "The fleet has five ships.", "--markdown", "--html", str(target))
    assert (code, err) == (0, f"citewell: wrote {target}\n")
    assert "The fleet has five ships.[^1]" in out
    assert '<mark data-c="0">The fleet has five ships.</mark>' in target.read_text(encoding="utf-8")
    assert run("attribute", report, "The fleet has five ships.", "--html", str(target), "-q")[2] == ""


def test_an_annotated_pdf_needs_a_pdf(run, report, tmp_path):
    code, _, err = run("attribute", report, "Five ships.", "--pdf", str(tmp_path / "out.pdf"))
    assert (code, err.count("\n")) == (2, 1)
    assert "--pdf needs a PDF document" in err


def test_an_input_is_never_overwritten(run, report):
    code, _, err = run("attribute", report, "Five ships.", "--html", report)
    assert code == 2
    assert "it would be overwritten" in err
    assert Path(report).read_text(encoding="utf-8") == TEXT


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["asc"], "No such command 'asc'"),
        (["ask"], "Missing argument 'DOC'"),
        (["ask", "DOC"], "Missing argument 'QUESTION'"),
        (["ask", "DOC", " "], "the question is empty"),
        (["ask", "DOC", "Why?", "--abstain", "2"], "2.0 is not in the range 0<=x<=1"),
        (["ask", "DOC", "Why?", "--json", "--markdown"], "exclude each other"),
        (["ask", "DOC", "Why?", "--colour"], "No such option"),
        (["ask", "nowhere.pdf", "Why?"], "nowhere.pdf"),
        *(
            (["ask", "DOC", "Why?", *option], f"{option[0]} would change nothing: without --llm")
            for option in (
                ["--prompt", "summary"],
                ["--reduce", "whole"],
                ["--method", "lexical"],
                ["--native"],
                ["--no-verify"],
                ["--uncited", "leave"],
                ["--max-input", "9"],
                ["--stream"],
            )
        ),
        (["ask", "DOC", "Why?", "--llm", "x", "--approach", "post-hoc", "--no-verify"], "the model does not cite"),
        (["ask", "DOC", "Why?", "--llm", "x", "--approach", "post-hoc", "--uncited", "leave"], "does not cite"),
        (["ask", "DOC", "Why?", "--llm", "x", "--approach", "retrieve-then-read", "--uncited", "leave"], "is cited"),
        (["ask", "DOC", "Why?", "--llm", "x", "--json", "--stream"], "only as plain text"),
        (["ask", "DOC", "Why?", "--approach", "citatio"], "did you mean 'citation'"),
        (["ask", "DOC", "Why?", "--approach", "extractive(threshold=high)"], "threshold is a number or none, not high"),
        (["ask", "DOC", "answr.txt"], "reads like the name of a file that is not there"),
        (["attribute", "DOC", "./answer"], "reads like the name of a file that is not there"),
        (["attribute", "DOC", "notes/answr.MD"], "reads like the name of a file that is not there"),
        (["check", "DOC", "clams.txt"], "reads like the name of a file that is not there"),
        (["attribute", "DOC", "x", "-k", "0"], "0 is not in the range"),
        (["attribute", "DOC", "x", "--granularity", "word"], "'word' is not one of"),
        (["attribute", "DOC", "x", "--method", "lexical(floor=abc)"], "floor is a number, not abc"),
        (["attribute", "DOC", "x", "--method", "lexicall"], "did you mean 'lexical'"),
        (["attribute", "DOC", "x", "--method", "lexical(a=)"], "a value is missing"),
        (["attribute", "DOC", "x", "--html", "nowhere/x.html"], "there is no directory nowhere"),
        (["attribute", "DOC", "x", "--html", "-"], "--html needs a file name"),
        (["attribute", "DOC", "x", "--html", "."], "that is a directory"),
        (["check", "DOC"], "Missing argument 'CLAIM...'"),
        (["backends", "colours"], "no family 'colours'"),
        (["verify", "nowhere.json", "DOC"], "cannot read nowhere.json: No such file"),
    ],
)
def test_a_wrong_command_line_ends_with_two_and_one_clear_line(run, report, args, line):
    code, out, err = run(*[report if arg == "DOC" else arg for arg in args])
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("citewell")
    assert line in err


def test_an_answer_that_is_not_utf_8_is_refused_in_one_line(run, report):
    code, _, err = run("attribute", report, "-", stdin=b"caf\xe9")
    assert (code, err.count("\n")) == (2, 1)
    assert "the answer on standard input is not UTF-8" in err


def test_a_file_name_cannot_put_control_characters_on_the_terminal(run):
    _, _, err = run("attribute", "no\x1b[31m\nwhere.pdf", "x")
    assert err.count("\n") == 1
    assert "\x1b" not in err


def test_a_fault_inside_is_one_line_and_the_traceback_comes_when_asked_for(run, report, monkeypatch):
    def fail(*_args, **_kwargs):
        raise ZeroDivisionError("by\nzero")

    monkeypatch.setattr(importlib.import_module("citewell.export.terminal"), "render", fail)
    monkeypatch.delenv("CITEWELL_DEBUG", raising=False)
    code, out, err = run("attribute", report, "The fleet has five ships.")
    hint = "(run with CITEWELL_DEBUG=1 for the traceback)"
    assert (code, out, err) == (1, "", f"citewell: internal error: ZeroDivisionError: by zero {hint}\n")
    monkeypatch.setenv("CITEWELL_DEBUG", "1")
    assert "Traceback" in run("attribute", report, "The fleet has five ships.")[2]


def test_backends_lists_families_with_what_they_do(run):
    code, out, _ = run("backends", "retriever")
    assert code == 0
    assert "bm25" in out
    code, out, _ = run("backends", "--json")
    assert json.loads(out)["attributor"]["lexical"]["installed"] is True


def test_version_and_help_answer_with_zero(run):
    assert run("--version")[:2] == (0, f"citewell {importlib.metadata.version('citewell')}\n")
    code, out, _ = run()
    assert code == 0
    assert "attribute" in out
    for command in cli.COMMANDS:
        if command in ("ask", "attribute", "check", "verify", "backends"):
            assert run(command, "--help")[0] == 0


def test_a_group_without_a_command_lists_its_commands_line_by_line(run):
    code, out, err = run("library")
    assert (code, err) == (2, "citewell library: name one of these commands\n")
    assert {"add", "backup", "list"} <= {line.split()[0] for line in out.splitlines() if line.startswith("  ")}


def test_colour_is_for_terminals_and_can_be_forced_and_forbidden(run, report, monkeypatch):
    from citewell.cli.output import colored

    args = ("attribute", report, "The fleet has five ships.")
    assert "\x1b[" not in run(*args)[1]
    assert "\x1b[" in run(*args, "--color")[1]
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert colored(None)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not colored(None)


def test_progress_is_shown_only_on_a_terminal(monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with inputs.Progress("a.pdf", "page", quiet=False) as update:
        assert update is not None
        update(1, 3)
        update(3, 3)
    with inputs.Progress("a.pdf", "page", quiet=True) as update:
        assert update is None
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False)
    with inputs.Progress("a.pdf", "page", quiet=False) as update:
        assert update is None


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from citewell.cli import main; main(['--help']); "
        "heavy = {'numpy', 'pypdfium2', 'tqdm', 'citewell.pipeline', 'citewell.export.html'} & set(sys.modules); "
        "sys.exit(' '.join(heavy) or None)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.slow
def test_output_is_utf_8_whatever_the_locale(report):
    done = process("attribute", report, "Eider runs on batteries.", env={"LC_ALL": "C", "PYTHONUTF8": "0"})
    assert done.returncode == 0
    assert "“MV Eider runs on batteries – quietly.”" in done.stdout.decode("utf-8")


@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_fault(report):
    command = f"{shlex.quote(sys.executable)} -m citewell attribute {report} 'The fleet has five ships.' --json | true"
    done = subprocess.run(
        ["bash", "-c", f"{command}; exit ${{PIPESTATUS[0]}}"], capture_output=True, timeout=60, check=False
    )
    assert done.returncode in (0, 141)  # 0 where everything was written before the reader left
    assert done.stderr == b""


@pytest.mark.slow
def test_an_interrupt_ends_with_130_and_one_line():
    waiting = subprocess.Popen(
        # A shell that starts the tests in the background makes its children ignore interrupts.
        ["env", "--default-signal=INT", sys.executable, "-m", "citewell", "attribute", "-", "x"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    waiting.stdin.write(b"word " * 100_000)  # more than a pipe holds: goes on when the command has begun to read
    waiting.send_signal(signal.SIGINT)
    out, err = waiting.communicate(timeout=30)
    assert (waiting.returncode, out, err) == (130, b"", b"citewell: interrupted\n")


def test_the_library_gives_what_the_command_prints(run, report):
    _, out, _ = run("attribute", report, "The fleet has five ships.", "--json")
    answer = pipeline.attribute(read(report), "The fleet has five ships.")
    printed, payload = json.loads(out), answer.to_dict()
    printed.pop("usage")
    payload.pop("usage")
    assert printed == payload


def command_names(group, path=()):
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*path, name)
        if isinstance(command, click.Group):
            yield from command_names(command, (*path, name))


def test_every_help_page_can_be_read(run):
    names = list(command_names(cli.citewell))
    assert len(names) > 10
    for path in names:
        code, result, _ = run(*path, "--help")
        assert code == 0, path
        assert "\\b" not in result, path
        assert "Usage: citewell" in result, path


@pytest.mark.parametrize("link", ["hard", "symbolic", "same"])
def test_audit_never_writes_over_its_input_by_whatever_name(run, report, tmp_path, link):
    result = tmp_path / "answer.txt"
    result.write_text("The fleet has five ships [1].")
    other = tmp_path / "other.txt"
    if link == "hard":
        other.hardlink_to(result)
    elif link == "symbolic":
        other.symlink_to(result)
    else:
        other = tmp_path / "." / "answer.txt"
    code, out, err = run("audit", str(result), report, "--fixed", str(other))
    assert (code, out) == (2, "")
    assert "that is one of the inputs" in err
    assert result.read_text() == "The fleet has five ships [1]."


@pytest.mark.parametrize("name", ["", "-", "no/such/b.txt", "."])
def test_where_audit_cannot_write_is_said_before_any_work(run, report, tmp_path, name, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answer.txt").write_text("The fleet has five ships [1].")
    code, out, err = run("audit", "answer.txt", report, "--fixed", name)
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_control_characters_of_files_reach_neither_stdout_nor_stderr(run, tmp_path):
    name = tmp_path / "a\x1b[31m\x9b\u202etxt.md"
    name.write_text(TEXT, encoding="utf-8")
    _, out, _ = run("ask", str(name), "What was revenue in 2025?", "--json")
    saved = json.loads(out)
    saved["statements"][0]["label"] = "supported\x1b[31m\u202e"
    (tmp_path / "b.json").write_text(json.dumps(saved))
    (tmp_path / "c.json").write_text(out.replace('"quote": "', '"quote": "\\u001b[31m\\u202e'))
    for command in (
        ("ask", str(name), "What was revenue in 2025?", "--html", f"{tmp_path}/\x1b\u202e.html"),
        ("ask", str(name), "What was revenue in 2025?", "--markdown"),
        ("ask", f"{name}x", "What was revenue in 2025?"),
        ("verify", str(tmp_path / "b.json"), str(name)),
        ("verify", str(tmp_path / "c.json"), str(name)),
    ):
        _, out, err = run(*command)
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", out + err), command
