"""The pieces of docs/quickstart.md, each run alone in an empty folder, with what it prints."""

import logging
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "quickstart.md").read_text(encoding="utf-8")
PIECES = re.findall(r"^## (\d+)\. .*?^```python\n(.*?)^```\n\n```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_there_are_ten_and_each_shows_what_it_prints():
    assert [int(number) for number, _, _ in PIECES] == list(range(1, 11))
    assert PAGE.count("```python") == 10


@pytest.mark.parametrize(("code", "printed"), [piece[1:] for piece in PIECES], ids=[piece[0] for piece in PIECES])
def test_a_piece_prints_what_stands_below_it(code, printed, tmp_path, monkeypatch, capsys):
    for package in ("pandas", "docx"):
        if package in code:
            pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(logging.getLogger("citewell"), "level", logging.NOTSET)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    exec(compile(code, "quickstart.md", "exec"), {})  # noqa: S102 - our own page
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == printed.splitlines()
