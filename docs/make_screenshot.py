"""Make screenshot.png: the HTML report of the example answer, as a browser shows it.

python docs/make_screenshot.py      needs playwright and Debian's chromium, which citewell itself does not
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from citewell.export import html
from citewell.pipeline import attribute
from citewell.readers import read

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"
CHROMIUM = "/usr/bin/chromium"


def main() -> None:
    """Attribute the example answer, open the report, choose its first statement, and take the picture."""
    document = read(EXAMPLES / "annual-report.pdf")
    answer = attribute(document, (EXAMPLES / "answer.txt").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = Path(folder) / "report.html"
        page_file.write_text(html.render(answer, [document]), encoding="utf-8")
        options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=options)
        page = browser.new_page(viewport={"width": 1360, "height": 860}, reduced_motion="reduce")
        page.goto(page_file.as_uri())
        page.locator(".statement").first.click()
        page.mouse.move(1300, 20)
        page.wait_for_timeout(300)
        page.screenshot(path=HERE / "screenshot.png")
        browser.close()


if __name__ == "__main__":
    main()
