"""The page as it is shipped is what its sources say: compared by a stamp, so that no test needs Node."""

import hashlib
import re
from pathlib import Path

import pytest

from citewell.serve.page import files

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "page"
MODULES = sorted((SOURCES / "src").glob("*.ts*"))


def stamp():
    names = sorted(
        [
            *(f"{folder}/{path.name}" for folder in ("src", "public") for path in (SOURCES / folder).iterdir()),
            "package-lock.json",
        ]
    )
    digest = hashlib.sha256()
    for name in names:
        digest.update(f"{name}\n".encode())
        digest.update((SOURCES / name).read_bytes())
    return digest.hexdigest()[:16]


def test_the_page_is_built_from_the_sources_that_lie_here():
    built = files.file("/page/main.js")[0].decode()
    assert f"sources {stamp()}" in built[:300], "run `make page`"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_module_is_long_and_none_reads_html_from_text(path):
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 400
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|dangerouslySet|document\.write|\beval\b|new Function", text
    )


def test_the_lock_of_packages_names_no_address_to_load_from():
    lock = (SOURCES / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in lock
    assert lock.count('"integrity"') > 5
