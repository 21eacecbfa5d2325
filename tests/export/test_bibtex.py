"""References to cited documents: one entry each, with pages, and nothing of a title that TeX would obey."""

from hypothesis import given
from hypothesis import strategies as st

from citewell.export.bibtex import bibtex, csl, references, ris
from citewell.types import Citation, DocumentInfo, Rect

REPORT = DocumentInfo("a" * 16, "Annual report 2025", "ab" * 32, "report_1.pdf", 11)


def cited(info, *pages, rects=()):
    return [Citation(info.id, "s1", "sentence", "x", 0, 1, 0, 1, page=page, rects=rects) for page in pages]


def test_a_document_is_one_entry_with_its_year_and_cited_pages():
    assert bibtex(references(cited(REPORT, 7, 3, 7), [REPORT], {REPORT.id: 2025})) == (
        "@misc{annual2025,\n"
        "  title = {{Annual report 2025}},\n"
        "  year = {2025},\n"
        "  howpublished = {report\\_1.pdf},\n"
        "  pagetotal = {11},\n"
        f"  note = {{cited: pp. 3, 7; SHA-256 of the text: {'ab' * 32}}}\n"
        "}\n"
    )


def test_evidence_on_two_pages_names_both():
    rects = (Rect(3, 1.0, 1.0, 2.0, 2.0), Rect(4, 1.0, 1.0, 2.0, 2.0))
    assert references(cited(REPORT, 3, rects=rects), [REPORT])[0].where == "pp. 3, 4"


def test_signs_of_tex_stand_for_themselves():
    hostile = REPORT.__class__("b" * 16, "R&D} \\input{x} 100% $5_2 ~^\n#1\x1b", "", None, None)
    (entry,) = references(cited(hostile, None), [hostile])
    title = r"R\&D\textbraceright{} \textbackslash{}input\textbraceleft{}x\textbraceright{} 100\% \$5\_2 "
    title += r"\textasciitilde{}\textasciicircum{} \#1" + "\ufffd"
    assert f"title = {{{{{title}}}}}" in bibtex([entry])


@given(st.text("ab {}\\&", max_size=12))
def test_braces_are_balanced_as_bibtex_counts_them(title):
    """BibTeX counts a brace after a backslash like any other."""
    info = DocumentInfo("b" * 16, title, "", None, None)
    entry, depth = bibtex(references(cited(info, None), [info])), 0
    for position, sign in enumerate(entry.rstrip()):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth > 0 or position < entry.index("{") or position == len(entry.rstrip()) - 1
    assert depth == 0


def test_a_page_of_the_web_is_cited_by_its_address():
    page = DocumentInfo("d" * 16, "Fares", "e" * 64, "https://example.org/fares_2025?a=1&b=%20{2}", None)
    entries = references(cited(page, None), [page])
    # What TeX's url commands read is not escaped but for what would end the field.
    assert "  url = {https://example.org/fares_2025?a=1&b=%20%7B2%7D},\n" in bibtex(entries)
    assert "howpublished" not in bibtex(entries)
    assert csl(entries)[0]["URL"] == page.source
    assert f"UR  - {page.source}\r\n" in ris(entries)


def test_keys_are_words_and_never_the_same_twice():
    infos = [
        DocumentInfo(f"{n:016x}", title, "", None, None) for n, title in enumerate(["Über Öl", "Uber", "年報", None])
    ]
    keys = [entry.key for entry in references([c for info in infos for c in cited(info, 1)], infos)]
    assert keys == ["uber", f"uber-{1:016x}", f"document-{2:016x}", f"document-{3:016x}"]


def test_only_what_is_cited_is_listed_in_the_order_of_the_citations():
    other = DocumentInfo("c" * 16, "Minutes", "", None, None)
    assert [entry.key for entry in references([*cited(other, 1), *cited(REPORT, 1)], [REPORT, other])] == [
        "minutes",
        "annual",
    ]
    assert references([], [REPORT]) == []
    assert bibtex([]) == ""


def test_the_same_for_citation_processors():
    (item,) = csl(references(cited(REPORT, 3), [REPORT], {REPORT.id: 2025}))
    assert item == {"id": "annual2025", "type": "document", "title": "Annual report 2025",
                    "issued": {"date-parts": [[2025]]}, "number-of-pages": 11,
                    "note": f"cited: p. 3; SHA-256 of the text: {'ab' * 32}"}  # fmt: skip
