"""The table of what was found wrong names thirteen faults, each with tests that are there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_every_fault_names_tests_that_exist():
    page = (ROOT / "docs" / "benchmark.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| P(\d+) \| [^|]+ \| ([^|]+) \|$", page, re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(1, 14))
    for _, named in rows:
        tests = re.findall(r"`([\w/.]+)::(\w+)`", named)
        assert tests
        for path, name in tests:
            assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), name
