"""Readers and exports of other packages, by suffix; one that is broken leaves everything else as it was."""

from __future__ import annotations

import pytest

import citewell
from citewell import cli
from citewell.errors import DocumentError, PlugInError, PlugInWarning, UsageError
from citewell.registry.doors import warn_once
from test_plugins import install, site

CODE = """
from citewell import Document

def read(data, *, source=None):
    return Document.from_text(data.decode().removeprefix("%mine%"), source=source)

def fails(data, *, source=None):
    raise KeyError("part")

def text(data, *, source=None):
    return data.decode()

def stars(result, documents):
    return f"{len(result.citations)} citations of {len(documents)} documents"
"""

__all__ = ["site"]


@pytest.fixture
def plugged(site):
    warn_once.cache_clear()
    readers = {
        "mine": "forms:read",
        "torn": "forms:missing",
        "md": "forms:fails",
        "bad": "forms:fails",
        "str": "forms:text",
    }
    exports = {"stars": "forms:stars", "away": "no_such_module:x", "json": "forms:stars"}
    install(site, "forms", {"citewell.readers": readers, "citewell.exports": exports}, {"forms": CODE})


def test_a_reader_has_the_files_of_its_suffix_and_no_other(plugged, tmp_path):
    assert citewell.read(b"%mine%It froze.", name="a.MINE").text == "It froze."
    assert citewell.read(b"%mine%It froze.", name="a.txt").text == "%mine%It froze."
    assert citewell.read(b"# It froze", name="a.md").title == "It froze"  # ours
    (tmp_path / "a.mine").write_bytes(b"%mine%It froze.")
    assert citewell.read(tmp_path / "a.mine", isolated=False).source == str(tmp_path / "a.mine")


def test_a_reader_that_cannot_be_loaded_is_named_once_and_ours_reads(plugged):
    with pytest.warns(PlugInWarning, match="the plug-in 'torn' of the package forms cannot be loaded"):
        assert citewell.read(b"It froze.", name="a.torn").text == "It froze."
    assert (
        citewell.read(b"It froze.", name="a.torn").text == "It froze."
    )  # no second warning: it would be an error here


@pytest.mark.parametrize(
    ("suffix", "why"), [("bad", "failed: KeyError: 'part'"), ("str", "gave a str, not a Document")]
)
def test_a_reader_that_fails_is_named_in_a_document_error(plugged, suffix, why):
    with pytest.raises(DocumentError, match=f"the reader '{suffix}' of the package forms {why}"):
        citewell.read(b"It froze.", name=f"a.{suffix}")


def test_an_export_writes_files_of_its_suffix(plugged, tmp_path, capsys):
    (tmp_path / "a.txt").write_text("The harbour froze.")
    command = ["attribute", str(tmp_path / "a.txt"), "The harbour froze.", "--save"]
    assert cli.main([*command, str(tmp_path / "out.stars")]) == 0
    assert (tmp_path / "out.stars").read_text() == "1 citations of 1 documents"
    assert cli.main([*command, str(tmp_path / "out.json")]) == 0
    assert (tmp_path / "out.json").read_text().startswith("{")  # ours
    assert cli.main([*command, str(tmp_path / "out.away")]) == 2
    assert "the plug-in 'away' of the package forms cannot be loaded" in capsys.readouterr().err


def test_an_unknown_suffix_is_refused_as_before(plugged):
    with pytest.raises(UsageError, match="a result is saved as"):
        citewell.attribute(citewell.Document.from_text("It froze."), "It froze.").save("out.xyz")
    with pytest.raises(PlugInError):
        citewell.attribute(citewell.Document.from_text("It froze."), "It froze.").save("out.away")
