"""Folders in which a user may not write: one line, the right exit code, and nothing changed."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from citewell import cli

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")]
NOBODY = 65534
OLD = "the old file"


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that everybody may look into, which those of pytest are not."""
    path = Path(tempfile.mkdtemp(dir="/tmp"))
    path.chmod(0o755)
    (path / "a.txt").write_text("Revenue rose by five percent.\n\nCosts fell.")
    (path / "answer.txt").write_text("Revenue rose [1].")
    (path / "rows.jsonl").write_text(f'{{"id": "1", "documents": ["{path}/a.txt"], "question": "Did revenue rise?"}}\n')
    for name in ("open", "shut"):
        (path / name).mkdir()
    (path / "shut" / "old.html").write_text(OLD)
    (path / "shut" / "old.html").chmod(0o444)
    (path / "shut").chmod(0o555)
    yield path
    (path / "shut").chmod(0o755)
    shutil.rmtree(path)


def unprivileged(args: list[str]) -> tuple[int, str]:
    """Exit code and standard error of a command that somebody runs who is not root, in a process of its own."""
    with tempfile.TemporaryFile("w+") as temporary_file:
        child = os.fork()
        if not child:
            code = 99
            try:
                sys.stderr = temporary_file
                if os.geteuid() == 0:
                    os.setgroups([])
                    os.setgid(NOBODY)
                    os.setuid(NOBODY)
                code = cli.main(args)
                temporary_file.flush()
            finally:
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        temporary_file.seek(0)
        return code, temporary_file.read()


@pytest.mark.parametrize(
    ("command", "target"),
    [
        ("ask {0}/a.txt Revenue? --html {1}", "new.html"),
        ("ask {0}/a.txt Revenue? --html {1}", "old.html"),
        ("audit {0}/answer.txt {0}/a.txt --fixed {1}", "fixed.txt"),
        ("batch ask --in {0}/rows.jsonl --out {1}", "results"),
        ("library add {0}/a.txt --library {1}", "library"),
    ],
)
def test_a_folder_that_cannot_be_written_is_told_on_one_line(folder, command, target, capsys):
    def args(place):
        return command.format(folder, folder / place / target).split()

    assert cli.main(args("open")) == 0  # and what it imports lies where others may not look
    capsys.readouterr()
    code, output = unprivileged(args("shut"))
    assert code == 2, output
    assert output.count("\n") == 1, output
    assert str(folder / "shut") in output
    assert "ermission denied" in output
    assert [path.name for path in (folder / "shut").iterdir()] == ["old.html"]
    assert (folder / "shut" / "old.html").read_text() == OLD
