"""References to cited documents: one entry each, with pages, and nothing of a title that TeX would obey."""

from citewell.export.bibtex import bibtex, csl, references
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
    title = r"R\&D\} \textbackslash{}input\{x\} 100\% \$5\_2 \textasciitilde{}\textasciicircum{} \#1" + "\ufffd"
    assert f"title = {{{{{title}}}}}" in bibtex([entry])


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
