"""Debian's chromium, driven by playwright; a test that uses it is marked `browser`."""

import shutil
from contextlib import contextmanager

import pytest


@contextmanager
def chromium():
    api = pytest.importorskip("playwright.sync_api")
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("Debian's chromium is not installed")
    with api.sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=path, args=options)
        yield browser
        browser.close()
