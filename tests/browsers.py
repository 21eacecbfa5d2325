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


def upload(page, name, data):
    before = page.locator("#list li").count()
    page.set_input_files("#files", {"name": name, "mimeType": "application/octet-stream", "buffer": data})
    page.wait_for_function("before => document.querySelectorAll('#list li').length > before", arg=before)


def ask(page, question):
    """Ask and wait for the answer. The page takes no question while it is busy with another."""
    rest(page)
    before = page.locator(".result footer").count()
    page.fill("#given", question)
    page.press("#given", "Enter")
    page.wait_for_function("n => document.querySelectorAll('.result footer').length > n", arg=before)
    rest(page)


def rest(page):
    """Wait until the page is done with what it was asked: a footer may stand before the turn is kept."""
    page.wait_for_selector("#form:not([aria-busy=true])", state="attached")
