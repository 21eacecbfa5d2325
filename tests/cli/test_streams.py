"""Closed streams and full devices end in one line and the right exit code, not in an internal error."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

RUN = f'"{sys.executable}" -c "import sys; from citewell.cli import main; sys.exit(main())"'


def shell(line: str, folder: Path) -> tuple[int, str]:
    (folder / "a.txt").write_text("Revenue rose by five percent.\n\nCosts fell.")
    source = str(Path(__file__).parents[2] / "src")
    done = subprocess.run(
        ["/bin/sh", "-c", line.replace("citewell", RUN, 1)],
        cwd=folder, env={**os.environ, "PYTHONPATH": source}, capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    return done.returncode, done.stderr.decode()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such devices here")
@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("citewell ask - 'Did revenue rise?' <&-", 2, "standard input is closed"),
        ("citewell attribute a.txt - <&-", 2, "standard input is closed"),
        ("citewell ask a.txt 'Did revenue rise?' >/dev/full", 1, "cannot be written"),
        ("citewell ask a.txt 'Did revenue rise?' >&-", 1, "standard output is closed"),
    ],
)
def test_a_closed_stream_or_a_full_device_is_told_on_one_line(line, code, says, tmp_path):
    returned, output = shell(line, tmp_path)
    assert returned == code
    assert says in output
    assert output.count("\n") == 1
    assert "internal" not in output


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{ citewell ask a.txt 'Did revenue rise?'; echo code $? >&2; } | head -c 1 >/dev/null", {"code 0\n", "code 141\n"}),
        ("{ sleep 0.1; citewell ask a.txt 'Did revenue rise?'; echo code $? >&2; } | true", {"code 141\n"}),
        ("{ sleep 0.1; citewell attribute a.txt 'Costs fell.' --json; echo code $? >&2; } | true", {"code 141\n"}),
    ],
)  # fmt: skip
def test_a_reader_that_has_gone_is_no_fault(line, says, tmp_path):
    assert shell(line, tmp_path)[1] in says


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such devices here")
def test_where_not_even_the_error_can_be_written_the_exit_code_is_right(tmp_path):
    assert shell("citewell ask a.txt 'Did revenue rise?' >/dev/full 2>/dev/full", tmp_path) == (1, "")
    assert shell("citewell ask none.txt 'Did revenue rise?' >/dev/null 2>/dev/full", tmp_path) == (2, "")
    assert shell("citewell ask none.txt 'Did revenue rise?' 2>&-", tmp_path) == (2, "")
