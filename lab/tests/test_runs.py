"""The scripts of published tables: they name tasks that exist, and the README lists them; `lab/tests/runs` runs them."""

import re
from pathlib import Path

from citewell_lab.bench.tasks import names as tasks

FOLDER = Path(__file__).parents[2] / "runs"
SCRIPTS = sorted(FOLDER.glob("*.sh"))


def test_the_scripts_name_tasks_that_exist():
    for path in SCRIPTS:
        for names in re.findall(r"for task in ([a-z\- ]+);", path.read_text(encoding="utf-8")):
            assert set(names.split()) <= set(tasks()), path.name


def test_the_readme_of_the_scripts_lists_all_of_them():
    listed = re.findall(r"^\| `([\w.-]+)` \|", (FOLDER / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == [path.name for path in SCRIPTS]
