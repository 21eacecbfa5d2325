"""Make page.png and cell.png: the page of the service with an answer's evidence, and the HTML report of a figure.

python docs/make_pictures.py      needs citewell[serve], playwright and Debian's chromium
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from citewell.export import html
from citewell.pipeline import ask
from citewell.readers import read

HERE = Path(__file__).parent
REPORT = HERE.parent / "examples" / "annual-report.pdf"
ANSWER = (
    "Northwater Ferries carried 1.75 million passengers in 2025, more than in any year before. "
    "Revenue fell to €41.3 million. The cooperative has more than 6,800 members. The mayor of Skelby thanked the crews."
)
CHROMIUM = "/usr/bin/chromium"


def main() -> None:
    """Take both pictures."""
    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=options)
        page_picture(browser)
        cell_picture(browser)
        browser.close()


def page_picture(browser: Browser) -> None:
    """Ask two questions, attribute an answer, choose its contradicted statement."""
    page = browser.new_page(viewport={"width": 1440, "height": 860}, reduced_motion="reduce")
    with service() as address:
        page.goto(address)
        page.wait_for_selector("body[data-ready]")  # its listeners are there
        page.set_input_files("#files", REPORT)
        page.wait_for_selector(".sheet canvas")
        question = (
            ("ask", "What was revenue in 2023?"),
            ("ask", "How many passengers did the ferries carry in 2025?"),
            ("attribute", ANSWER),
        )
        for number, (kind, text) in enumerate(question, start=1):
            page.eval_on_selector(f"[name=kind][value={kind}]", "radio => radio.click()")
            page.fill("#given", text)
            page.click("#go")
            page.wait_for_function(
                "number => document.querySelectorAll('.result footer').length === number", arg=number
            )
        page.click(".statement.contradicted .said")
        page.mouse.move(1250, 840)
        page.wait_for_timeout(1500)
        page.screenshot(path=HERE / "page.png")
    page.close()


@contextmanager
def service() -> Iterator[str]:
    """A service of its own; its address."""
    command = [sys.executable, "-m", "citewell", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:  # noqa: S603
        try:
            assert process.stdout  # noqa: S101  (it was asked for)
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


def cell_picture(browser: Browser) -> None:
    """Ask for a figure, open the report, choose the figure."""
    document = read(REPORT)
    answer = ask(document, "What was revenue in 2025?")
    with tempfile.TemporaryDirectory() as folder:
        page_file = Path(folder) / "cell.html"
        page_file.write_text(html.render(answer, [document]), encoding="utf-8")
        page = browser.new_page(viewport={"width": 1360, "height": 860}, reduced_motion="reduce")
        page.goto(page_file.as_uri())
        page.locator(".value a").first.click()
        page.mouse.move(1300, 20)
        page.wait_for_timeout(300)
        page.screenshot(path=HERE / "cell.png")


if __name__ == "__main__":
    main()
