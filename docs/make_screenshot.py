"""Make screenshot.png and cell.png: the HTML reports of the example answer and of a figure, as a browser shows them.

python docs/make_screenshot.py      needs playwright and Debian's chromium, which citewell itself does not
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from citewell.export import html
from citewell.pipeline import ask, attribute
from citewell.readers import read

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"
CHROMIUM = "/usr/bin/chromium"


def main() -> None:
    """Attribute the example answer and ask for a figure; open both reports, choose what is shown, take the pictures."""
    document = read(EXAMPLES / "annual-report.pdf")
    attributed = attribute(document, (EXAMPLES / "answer.txt").read_text(encoding="utf-8"))
    asked = ask(document, "What was revenue in 2025?")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=options)
        for name, answer, chosen in (("screenshot", attributed, ".statement"), ("cell", asked, ".value a")):
            page_file = Path(folder) / f"{name}.html"
            page_file.write_text(html.render(answer, [document]), encoding="utf-8")
            page = browser.new_page(viewport={"width": 1360, "height": 860}, reduced_motion="reduce")
            page.goto(page_file.as_uri())
            page.locator(chosen).first.click()
            page.mouse.move(1300, 20)
            page.wait_for_timeout(300)
            page.screenshot(path=HERE / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
