"""What the page shows documents with: sizes and lines of pages, text with its structure, and what may be chosen."""

from pathlib import Path

import pytest

from citewell.document import Document
from citewell.readers import read
from citewell.serve import layout
from citewell.serve.page import routes as files
from citewell.types import Block
from formats import docx, heading, paragraph, table
from pdfs import heading as titled
from pdfs import make_pdf
from pdfs import table as ruled

PARTS = [titled("Ferries"), "The harbour froze in January 2021.", ruled(("", "2020", "2021"), ("Ships", "4", "5"))]


@pytest.fixture
def added(client):
    def add(data, name):
        return client.post("/v1/documents", files={"file": (name, data)}).json()["id"]

    return add


def test_the_pages_of_a_pdf_have_their_sizes_and_the_lines_that_stand_on_them(client, added):
    data = make_pdf(PARTS)
    document, name = read(data, name="a.pdf"), added(data, "a.pdf")
    pages = client.get(f"/v1/documents/{name}/pages").json()
    assert pages["drawn"] is True
    assert [(page["page"], page["width"], page["height"]) for page in pages["pages"]] == [(1, 612, 792)]
    page = client.get(f"/v1/documents/{name}/pages/1.json").json()
    assert [line["text"] for line in page["lines"]] == [
        "Ferries",
        "The harbour froze in January 2021.",
        "2020",
        "2021",
        "Ships",
        "4",
        "5",
    ]
    for line in page["lines"]:
        assert document.text[line["start"] : line["end"]] == line["text"]
        assert [tuple(rect[1:]) for rect in document.locate(line["start"], line["end"])] == [tuple(line["rect"])]
    assert client.get(f"/v1/documents/{name}/pages/2.json").json()["error"]["field"] == "n"


def test_a_stretch_of_the_text_is_told_with_its_page_and_rectangles(client, added):
    data = make_pdf(PARTS)
    document, name = read(data, name="a.pdf"), added(data, "a.pdf")
    start = document.text.index("harbour froze")
    payload = client.get(f"/v1/documents/{name}/place", params={"start": start, "end": start + 13}).json()
    assert (payload["quote"], payload["page"]) == ("harbour froze", 1)
    assert [tuple(rect) for rect in payload["rects"]] == list(document.locate(start, start + 13))
    assert client.get(f"/v1/documents/{name}/place", params={"start": 5, "end": 5}).status_code == 404


def test_other_formats_have_blocks_and_tables_by_offsets(client, added):
    data = docx([heading("Ferries 🛳"), paragraph("The harbour froze."), table(("", "2021"), ("Ships", "5"))])
    name = added(data, "a.docx")
    assert client.get(f"/v1/documents/{name}/pages").json() == {"drawn": False, "pages": []}
    payload = client.get(f"/v1/documents/{name}/text").json()
    result = [(block["kind"], payload["text"][block["start"] : block["end"]]) for block in payload["blocks"][:2]]
    assert result == [("heading", "Ferries 🛳"), ("paragraph", "The harbour froze.")]
    (grid,) = payload["tables"]
    cells = [
        [(cell["column"], payload["text"][cell["start"] : cell["end"]]) for cell in row["cells"]]
        for row in grid["rows"]
    ]
    assert cells == [[(1, "2021")], [(0, "Ships"), (1, "5")]]
    assert (grid["start"], grid["end"]) == (payload["blocks"][2]["start"], payload["blocks"][-1]["end"])


def test_rows_that_only_their_text_tells_are_a_table_too():
    text = "Before.\na | b\n1 | 2\nBehind."
    spans = [("paragraph", 0, 7), ("table_row", 8, 13), ("table_row", 14, 19), ("paragraph", 20, 27)]
    document = Document(text, blocks=tuple(Block(start, end, kind) for kind, start, end in spans))
    (grid,) = layout.describe("structure", document, None, {})["tables"]
    cells = [[text[cell["start"] : cell["end"]] for cell in row["cells"]] for row in grid["rows"]]
    assert (grid["start"], grid["end"], cells) == (8, 19, [["a", "b"], ["1", "2"]])


def test_settings_name_what_may_be_chosen_and_neither_keys_nor_addresses(serving):
    response = serving(llm="openai(model=tiny, base_url=http://10.0.0.1, api_key=geheim)").get("/v1/settings")
    assert response.json()["llm"] == "openai: tiny"
    assert "geheim" not in response.text
    assert "10.0.0.1" not in response.text
    assert [choice["name"] for choice in response.json()["choices"]["method"]] == ["lexical", "verbatim", "retrieval"]
    assert response.json()["labels"]["contradicted"]["word"] == "contradicted"


def test_the_files_of_the_page_are_served_by_a_list_and_as_what_they_are(client):
    page = client.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    module = client.get("/page/main.js")
    assert module.headers["content-type"] == "text/javascript; charset=utf-8"
    assert client.get("/page/main.js", headers={"If-None-Match": module.headers["etag"]}).status_code == 304
    for path in ("/page/routes.py", "/page/../routes.py", "/page/", "/page/%2e%2e/guard.py", "/assets/main.js"):
        assert client.get(path).status_code == 404


def test_every_file_of_the_page_is_listed():
    folder = Path(files.__file__).parent
    assert {f"assets/{path.name}" for path in (folder / "assets").iterdir()} <= set(files.PATHS.values())
