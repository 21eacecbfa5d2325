"""A team's week with a library, small: each day leaves what it should."""

import importlib.util
import os
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.rare

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_every_day_of_a_week_leaves_the_library_as_it_should_be(tmp_path, monkeypatch):
    pytest.importorskip("sqlalchemy")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    spec = importlib.util.spec_from_file_location("week", ROOT / "lab" / "benchmarks" / "library" / "week.py")
    week = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(week)
    team = week.Week(tmp_path / "week", documents=9, questions=8)
    for day in week.DAYS:
        getattr(team, day)()
    assert len(team.passengers) == 9 + 12
