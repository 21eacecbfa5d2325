"""Files as a linter sees them, and what pre-commit and GitHub run."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from citewell.cli.lint import Finding, main
from harbour import TEXT

ROOT = Path(__file__).parents[2]
GOOD = "# Summary\n\nTwo ferries were sold in March.\n"
BAD = "Two ferries were sold in March.\n\n- Three ferries were sold in March.\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    for name, text in (("harbour.txt", TEXT), ("good.md", GOOD), ("bad.md", BAD)):
        Path(name).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_page_names_a_version_that_has_what_it_shows():
    """The hooks and the action came with 0.2.0; pins of older ones would find neither."""
    page = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")
    pins = re.findall(r"rev: v(\S+)|citewell@v(\S+)", page)
    assert {result or other for result, other in pins} == {
        tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    }


def test_a_statement_that_falls_short_is_told_with_line_and_column(folder, capsys):
    assert main(["check", "--document", "harbour.txt", "good.md", "bad.md"]) == 3
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("bad.md:3:3: contradicted: Three ferries were sold in March. → ")
    assert "says Three; the evidence says Two" in out[0]
    assert out[1:] == ["citewell: 2 files, 3 statements with a claim, 1 fall short of supported"]


def test_files_whose_statements_are_supported_end_with_0_and_empty_ones_too(folder, capsys):
    Path("empty.txt").write_text("\n")
    assert main(["check", "--document", "harbour.txt", "good.md", "empty.txt"]) == 0
    assert main(["check", "--document", "harbour.txt"]) == 0
    assert "0 files" in capsys.readouterr().out


def test_github_gets_its_own_form(folder, capsys, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert main(["check", "--document", "harbour.txt", "bad.md"]) == 3
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith("::error file=bad.md,line=3,col=3,title=citewell%3A contradicted::Three ferries")
    odd = Finding("a,b:c%.md", 1, 2, "not_supported", "50% of\nit")
    assert (
        odd.for_github() == "::error file=a%2Cb%3Ac%25.md,line=1,col=2,title=citewell%3A not_supported::50%25 of%0Ait"
    )


def test_bad_input_is_told_in_one_line_the_other_files_are_still_read_and_2_goes_before_3(folder, capsys):
    Path("latin.txt").write_bytes(b"\xff\xfe\xfa caf\xe9")
    assert main(["check", "--document", "harbour.txt", "latin.txt", "bad.md"]) == 2
    output = capsys.readouterr()
    assert output.err == "citewell: cannot read latin.txt: it is not UTF-8 text\n"
    assert "bad.md:3:3: contradicted" in output.out
    for arguments, message in (
        (["check", "--document", "none.pdf", "good.md"], "none.pdf"),
        (["check", "--document", "harbour.txt", "none.md"], "there is no file none.md"),
        (["check", "--document", "harbour.txt", "--require", "0.9/0.8", "good.md"], "supported or partially_supported"),
        (["audit", "--document", "harbour.txt", "--require", "most", "good.md"], "PRECISION/RECALL"),
        (["check", "--document", "harbour.txt", "--checker", "nothing", "good.md"], "nothing"),
    ):
        assert main(arguments) == 2
        err = capsys.readouterr().err
        assert message in err
        assert err.count("\n") == 1


def test_patterns_are_expanded_in_order(folder, capsys):
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "er" / "bad.md").write_text(BAD, encoding="utf-8")
    assert main(["check", "--document", "harbour.txt", "**/*.md"]) == 3
    out = capsys.readouterr().out
    assert out.index("bad.md:3:3") < out.index("deep/er/bad.md:3:3")
    assert "3 files" in out


def responses(folder):
    (folder / "cites.txt").write_text("Two ferries were sold in March [2]. The harbour froze in January 2025 [2].\n")
    (folder / "wrong.txt").write_text("Two ferries were sold in March [2]. Revenue rose to $9.5 million in 2025 [3].\n")


def test_an_audit_names_the_statements_that_their_citations_do_not_support(folder, capsys):
    responses(folder)
    assert main(["audit", "--document", "harbour.txt", "cites.txt"]) == 0
    assert main(["audit", "--document", "harbour.txt", "cites.txt", "wrong.txt"]) == 3
    out = capsys.readouterr().out
    assert "wrong.txt: contradicted: statement 2: Revenue rose to $9.5 million in 2025. → " in out
    assert main(["audit", "--document", "harbour.txt", "--require", "/0.5", "wrong.txt"]) == 0
    assert main(["audit", "--document", "harbour.txt", "--require", "/0.6", "wrong.txt"]) == 3


def test_an_audit_reads_json_and_names_citations_that_do_not_exist(folder, capsys):
    cited = {
        "type": "char_location",
        "cited_text": "no such words at all",
        "document_index": 0,
        "document_title": None,
        "start_char_index": 3,
        "end_char_index": 20,
    }
    block = {"type": "text", "text": "Two ferries were sold in March.", "citations": [cited]}
    (folder / "response.json").write_text(json.dumps({"role": "assistant", "content": [block]}))
    assert main(["audit", "--document", "harbour.txt", "response.json"]) == 3
    out = capsys.readouterr().out
    assert "response.json: no such citation: " in out
    (folder / "broken.json").write_text("{")
    assert main(["audit", "--document", "harbour.txt", "broken.json"]) == 2


def environment(**more):
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), *sys.path]), **more}


@pytest.mark.rare
@pytest.mark.slow
@pytest.mark.parametrize(
    ("hook", "name", "code"),
    [("citewell-check", "good.md", 0), ("citewell-check", "bad.md", 3), ("citewell-audit", "wrong.txt", 3)],
)
def test_the_hooks_run_what_pre_commit_runs(folder, hook, name, code):
    yaml = pytest.importorskip("yaml")
    responses(folder)
    hooks = {result["id"]: result for result in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    command = hooks[hook]["entry"].split()
    assert command[0] == "python"
    command[0] = sys.executable
    # As pre-commit does: the user's args, then the files that have changed.
    done = subprocess.run(
        [*command, "--document", "harbour.txt", name], env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr


@pytest.mark.rare
@pytest.mark.slow
def test_the_action_runs_its_step_and_gives_its_exit_code(folder):
    yaml = pytest.importorskip("yaml")
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    step = action["runs"]["steps"][-1]
    settings = {"command": "check", "documents": "harbour.txt\n", "files": "*.md\n"}
    inputs = {name: settings.get(name, about.get("default")) for name, about in action["inputs"].items()}
    assert {name for name, about in action["inputs"].items() if about.get("required")} <= settings.keys()
    variables = {
        key: inputs[value.removeprefix("${{ inputs.").removesuffix(" }}")] for key, value in step["env"].items()
    }
    (folder / "bin").mkdir()
    (folder / "bin" / "python").symlink_to(sys.executable)
    variables |= {"PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}", "GITHUB_ACTIONS": "true"}

    def run():
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        return subprocess.run(shell, env=environment(**variables), capture_output=True, text=True, check=False)

    done = run()
    assert done.returncode == 3, done.stderr
    assert done.stdout.startswith("::error file=bad.md,line=3,col=3")
    Path("bad.md").unlink()
    assert run().returncode == 0


def test_a_fault_inside_is_one_line_and_exit_code_1(folder, capsys, monkeypatch):
    monkeypatch.setattr("citewell.cli.lint.opened", lambda names: 1 / 0)
    assert main(["check", "--document", "harbour.txt", "good.md"]) == 1
    assert capsys.readouterr().err == "citewell: internal error: ZeroDivisionError: division by zero\n"
