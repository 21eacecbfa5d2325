"""`--require`: exit code 3 and one line that names what falls short, whatever else is printed."""

import io
import json
import sys

import pytest

from citewell import cli
from citewell.cli.requirement import Shares, hold, shares
from citewell.errors import RequirementError
from citewell.types import LABELS, Statement

TEXT = "The quarry employs 212 people in two shifts.\n\nIts output of slate rose to 9,400 tonnes in 2031.\n"
TRUE, INVENTED = "The quarry employs 212 people in two shifts.", "Penguins steer the submarines at midnight."


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    (tmp_path / "quarry.txt").write_text(TEXT, encoding="utf-8")

    def run(command, *args, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = cli.main([command, *(str(tmp_path / "quarry.txt") if arg == "DOC" else arg for arg in args)])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def test_check_ends_with_0_without_a_requirement_and_with_3_where_a_claim_falls_short(run):
    assert run("check", "DOC", TRUE, INVENTED)[0] == 0
    code, out, err = run("check", "DOC", TRUE, INVENTED, "--require", "supported")
    assert code == 3
    assert "Penguins" in out
    assert err == f"citewell: --require supported: 1 of 2 fall short: 2 is not_supported: “{INVENTED}”\n"


def test_what_holds_ends_with_0(run):
    code, _, err = run("check", "DOC", TRUE, "--require", "supported")
    assert (code, err) == (0, "")


def test_the_json_is_whole_although_the_requirement_is_not_met(run):
    code, out, err = run("check", "DOC", INVENTED, "--require", "partially_supported", "--json")
    assert (code, err.count("\n")) == (3, 1)
    assert json.loads(out)["verdicts"][0]["label"] == "not_supported"


def test_attribute_and_ask_have_the_same_gate(run):
    assert run("attribute", "DOC", f"{TRUE} {INVENTED}", "--require", "supported")[0] == 3
    assert run("attribute", "DOC", TRUE, "--require", "supported")[0] == 0
    reply = f'scripted(reply="{INVENTED} [1]")'
    assert run("ask", "DOC", "What is said?", "--llm", reply, "--no-stream", "--require", "supported")[0] == 3
    assert run("ask", "DOC", "How many people does the quarry employ?", "--require", "supported")[0] == 0


def test_an_answer_that_was_withheld_states_nothing_that_could_fall_short(run):
    code, out, _ = run("ask", "DOC", "Who steers the submarines?", "--require", "supported", "--json")
    assert json.loads(out)["abstained"]
    assert code == 0


def test_an_audit_is_held_against_precision_and_recall_or_a_label(run):
    reply = f"{TRUE} [1] {INVENTED} [2]".encode()
    code, _, err = run("audit", "-", "DOC", "--require", "0.9/0.8", stdin=reply)
    assert (code, err) == (3, "citewell: --require: precision is 0.50, not 0.9; recall is 0.50, not 0.8\n")
    assert run("audit", "-", "DOC", "--require", "0.5/0.5", stdin=reply)[0] == 0
    assert run("audit", "-", "DOC", "--require", "/0.6", stdin=reply)[0] == 3
    assert run("audit", "-", "DOC", "--require", "supported", "--json", stdin=reply)[0] == 3
    assert run("audit", "-", "DOC", "--require", "0.5/", stdin=TRUE.encode())[0] == 3  # claims, and cites nothing


@pytest.mark.parametrize("text", ["0.9", "2/0.5", "a/b", "/", "0.1/0.2/0.3", "contradicted", "nan/0.5"])
def test_a_requirement_that_means_nothing_is_refused_before_any_work(run, text):
    code, out, err = run("audit", "gone.json", "DOC", "--require", text)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "--require" in err


def test_precision_and_recall_are_read_as_written():
    assert shares("0.9/0.8") == Shares(0.9, 0.8)
    assert shares("/0.8") == Shares(None, 0.8)
    assert shares("supported") == "supported"


@pytest.mark.parametrize("label", LABELS)
def test_a_label_passes_only_where_it_can_be_relied_on_or_nothing_is_claimed(label):
    statement = [Statement("Words.", 0, 6, label, 0.9)]
    for wanted, passing in {
        "supported": {"supported", "quoted", "no_claim"},
        "partially_supported": {"supported", "quoted", "partially_supported", "no_claim"},
    }.items():
        if label in passing:
            hold(statement, wanted)
        else:
            with pytest.raises(RequirementError, match=label):
                hold(statement, wanted)
