"""The values of `geometry.json` are those that the code reads."""

from __future__ import annotations

import re
from pathlib import Path

from citewell.readers.pdf import geometry


def test_every_value_is_read_and_every_value_that_is_read_is_there():
    folder = Path(geometry.__file__).parent
    code = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    assert set(re.findall(r"\b(?:g|geometry\(\))\.([a-z_]+)", code)) == set(vars(geometry.geometry()))
