"""Readers read no pictures here unless a test says so: what they give must not depend on what is installed."""

import pytest


@pytest.fixture(autouse=True)
def _without_ocr(request, monkeypatch):
    if "ocr" not in request.keywords:
        monkeypatch.setattr("citewell.readers.ocr.installed", lambda: False)


@pytest.fixture
def tesseract(monkeypatch, tmp_path):
    """Stands in for Tesseract: `says(hocr, code)` is what it answers; what it was asked lies in the files of a folder."""
    from citewell.readers import ocr

    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setattr(ocr, "installed", lambda: True)
    monkeypatch.setattr(ocr, "_known", lambda: frozenset({"eng", "deu"}))
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")

    def says(hocr: str, code: int = 0, before: str = ""):
        (folder / "answer").write_text(hocr, encoding="utf-8")
        program = folder / "tesseract"
        program.write_text(
            f'#!/bin/sh\necho "$@" >> {folder}/asked\n{before}\ncat > {folder}/picture\ncat {folder}/answer\n'
            f"echo 'something broke' >&2\nexit {code}\n"
        )
        program.chmod(0o755)
        return folder

    return says
