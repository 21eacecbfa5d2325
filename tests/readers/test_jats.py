"""JATS: the article as it is printed, without the journal's and the licence's particulars; other XML with a warning."""

from __future__ import annotations

import pytest

import formats
from citewell.errors import UnsupportedFormatError
from citewell.readers import read


def article(body: str, front: str = "", back: str = "", doctype: str = "") -> bytes:
    jats = formats.jats([], "The title", front=front, back=back, doctype=doctype)
    return jats.replace(b"<body></body>", f"<body>{body}</body>".encode())


def blocks(data: bytes) -> list[tuple[str, int, str]]:
    document = read(data, name="a.nxml")
    return [(block.kind, block.level, document.text[block.start : block.end]) for block in document.blocks]


def test_title_authors_and_abstract_come_first_and_the_licence_never():
    front = (
        "<contrib-group><contrib><name><surname>Noether</surname><given-names>Emmy</given-names></name></contrib>"
        "<contrib><collab>The Group</collab></contrib></contrib-group>"
        "<permissions><license><license-p>zzz</license-p></license></permissions>"
        "<abstract><sec><title>Aim</title><p>We ask.</p></sec></abstract>"
        "<kwd-group><title>Keywords</title><kwd>one</kwd><kwd>two</kwd></kwd-group>"
    )
    assert blocks(article("<sec><title>Methods</title><p>We did.</p></sec>", front)) == [
        ("heading", 1, "The title"),
        ("paragraph", 0, "Emmy Noether, The Group"),
        ("heading", 2, "Abstract"),
        ("heading", 3, "Aim"),
        ("paragraph", 0, "We ask."),
        ("paragraph", 0, "Keywords: one, two"),
        ("heading", 2, "Methods"),
        ("paragraph", 0, "We did."),
    ]


def test_blocks_inside_a_paragraph_part_it_in_order():
    body = (
        "<p>Before<list><list-item><p>one</p><list><list-item><p>deep</p></list-item></list></list-item></list>"
        "between<disp-formula>x = y</disp-formula>after</p>"
    )
    assert blocks(article(body))[1:] == [
        ("paragraph", 0, "Before"),
        ("list_item", 1, "one"),
        ("list_item", 2, "deep"),
        ("paragraph", 0, "between"),
        ("paragraph", 0, "x = y"),
        ("paragraph", 0, "after"),
    ]


def test_a_chemical_structure_inside_a_paragraph_is_a_block_of_its_own():
    wrap = "<chem-struct-wrap><caption><p>Caffeine.</p></caption></chem-struct-wrap>"
    document = read(article(f"<sec><p>Before. {wrap} After.</p></sec>"), name="a.xml")
    assert [document.text[block.start : block.end] for block in document.blocks][-3:] == [
        "Before.",
        "Caffeine.",
        "After.",
    ]


def test_tables_and_figures_have_captions_and_notes():
    body = (
        "<table-wrap><label>Table 1</label><caption><title>Results</title><p>By year.</p></caption><table><tr>"
        '<th>Item</th><th colspan="2">Year</th></tr><tr><td>Revenue</td><td>5.1</td><td>5.9</td></tr></table>'
        "<table-wrap-foot><fn><p>Before tax.</p></fn></table-wrap-foot></table-wrap>"
        '<fig><label>Fig 1</label><caption><p>The plan.</p></caption><graphic href="x"/></fig>'
    )
    assert blocks(article(body))[1:] == [
        ("caption", 0, "Table 1 Results"),
        ("caption", 0, "By year."),
        ("table_row", 0, "Item | Year"),
        ("table_row", 0, "Revenue | 5.1 | 5.9"),
        ("paragraph", 0, "Before tax."),
        ("caption", 0, "Fig 1 The plan."),
    ]


def test_floating_tables_stand_before_the_references():
    data = article("<p>Text.</p>", back="<ref-list><ref><mixed-citation>Someone.</mixed-citation></ref></ref-list>")
    floating = b"<floats-group><fig><caption><p>The plan.</p></caption></fig></floats-group></article>"
    document = read(data.replace(b"</article>", floating), name="a.nxml")
    assert document.text.index("The plan.") < document.text.index("References")


def test_references_are_list_items_with_or_without_punctuation_of_their_own():
    person = "<name><surname>Noether</surname><given-names>E</given-names></name>"
    back = (
        f"<ref-list><ref><label>1</label><element-citation><person-group>{person}</person-group><article-title>"
        "On rings</article-title><source>Math Ann</source><year>1921</year><volume>83</volume>"
        "<fpage>24</fpage><lpage>66</lpage>"
        "</element-citation></ref><ref><mixed-citation>Hilbert D. <italic>Foundations</italic>, 1899.</mixed-citation>"
        "</ref></ref-list>"
    )
    assert blocks(article("<p>Text.</p>", back=back))[2:] == [
        ("heading", 2, "References"),
        ("list_item", 1, "1 Noether E. On rings. Math Ann. 1921;83:24-66."),
        ("list_item", 1, "Hilbert D. Foundations, 1899."),
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("10<sup>6</sup> cells", "10^6 cells"),
        ('shown<sup><xref ref-type="bibr">3</xref></sup>.', "shown[3]."),
        ('by Roisman et al<xref ref-type="bibr">43</xref> with', "by Roisman et al[43] with"),
        ('shown [<xref ref-type="bibr">3</xref>, <xref ref-type="bibr">4</xref>].', "shown [3, 4]."),
        ("H<sub>2</sub>O and <italic>P</italic> &lt; 0.05", "H2O and P < 0.05"),
        (
            "<inline-formula><tex-math>z</tex-math><m:math xmlns:m='m'><m:mi>x</m:mi></m:math></inline-formula>",
            "x",
        ),
    ],
)
def test_inline_marks_stay_readable(source, expected):
    assert blocks(article(f"<p>{source}</p>"))[1][2] == expected


def test_character_entities_of_the_dtd_become_characters_without_fetching_it():
    doctype = (
        '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS v1.0//EN" "JATS-archivearticle1.dtd" [<!ENTITY co "Company">]>'
    )
    data = article("<p>&alpha; &le; 5 &co; &unknownthing; end</p>", doctype=doctype)
    document = read(data)
    assert document.text.endswith("α ≤ 5 Company end")
    assert any("unknownthing" in warning for warning in document.warnings)


def test_the_articles_inside_an_article_and_of_a_set_are_read():
    inner = "<sub-article><front-stub><title-group><article-title>Reply</article-title></title-group></front-stub>"
    data = article("<p>Text.</p>").replace(
        b"</article>", f"{inner}<body><p>Thanks.</p></body></sub-article></article>".encode()
    )
    assert "Reply\n\nThanks." in read(data, name="a.nxml").text
    both = data.partition(b"?>")[2] * 2
    assert read(b"<pmc-articleset>" + both + b"</pmc-articleset>", name="a.nxml").text.count("Thanks.") == 2


def test_bytes_that_contradict_the_declared_encoding_are_read_with_a_warning():
    data = article("<p>Größe der Städte über alles, schön und gut für die Bürger.</p>").decode().encode("cp1252")
    document = read(data, name="a.nxml")
    assert "Städte" in document.text
    assert document.warnings


def test_xml_of_another_vocabulary_is_read_as_paragraphs_with_a_warning():
    data = b"<?xml version='1.0'?><TEI><head>Title</head><div><p>One <hi>two</hi> three.</p><p>Four.</p></div></TEI>"
    document = read(data, name="a.xml")
    assert document.text == "Title\n\nOne two three.\n\nFour."
    assert document.title == "Title"
    assert any("'tei'" in warning for warning in document.warnings)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b'<svg xmlns="http://www.w3.org/2000/svg"><text>x</text></svg>', "SVG picture"),
        (b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><text>x</text></svg>', "SVG picture"),
        (
            b'<?xml version="1.0"?><pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage"/>',
            "flat XML",
        ),
    ],
)
def test_xml_that_is_a_picture_or_words_own_is_refused(data, says):
    with pytest.raises(UnsupportedFormatError, match=says):
        read(data)
