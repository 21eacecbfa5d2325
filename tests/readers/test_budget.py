"""No input becomes more than a stated multiple of itself, and each limit of the budget is named when it is passed."""

from __future__ import annotations

import codecs
import io
import re
import tracemalloc
import zipfile
from dataclasses import fields
from encodings.aliases import aliases

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import formats
from citewell.errors import CorruptDocumentError, EmptyDocumentError, TooLargeDocumentError
from citewell.readers import Budget, read
from citewell.readers.budget import GROWTH_FLOOR
from citewell.readers.builder import _whole
from citewell.readers.decode import decode
from helpers import growth

STORY = [formats.heading("Annual report"), formats.paragraph("Revenue rose. Costs fell.")]
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def refused(limit: str, data: bytes, name: str | None = None, budget: Budget | None = None) -> str:
    """Reading raises the error of this limit, which says how it is raised."""
    with pytest.raises(TooLargeDocumentError) as caught:
        read(data, name=name, budget=budget or Budget())
    assert caught.value.limit == limit
    return str(caught.value)


def referring(kind: str, references: dict[int, list[int]]) -> bytes:
    """A DOCX whose notes refer to notes: note -> the notes that it refers to, from the text to note 1."""

    def reference(key: int) -> str:
        return f'<w:r><w:{kind}Reference w:id="{key}"/></w:r>'

    notes = "".join(
        f'<w:{kind} w:id="{key}"><w:p>{formats.run(f"note{key}word")}{"".join(map(reference, to))}</w:p></w:{kind}>'
        for key, to in references.items()
    )
    relations = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="n" '
        f'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}s" Target="notes.xml"/>'
        "</Relationships>"
    )
    return formats.docx(
        STORY,
        extra=f"<w:p>{formats.run('Text')}{reference(1)}</w:p>",
        members={
            "word/notes.xml": f"<w:{kind}s {_W}>{notes}</w:{kind}s>".encode(),
            "word/_rels/document.xml.rels": relations.encode(),
        },
        without=["word/_rels/document.xml.rels"],
    )


@pytest.mark.parametrize("kind", ["footnote", "endnote"])
@settings(max_examples=20, deadline=None)
@given(links=st.dictionaries(st.integers(1, 5), st.lists(st.integers(1, 5), max_size=3)))
def test_a_note_is_given_once_however_notes_refer_to_each_other(kind, links):
    text = read(referring(kind, {1: [], **links})).text
    reached, todo = set(), [1]
    while todo:
        key = todo.pop()
        if key not in reached and (key == 1 or key in links):
            reached.add(key)
            todo += links.get(key, [])
    assert sorted(re.findall("note([0-9])word", text)) == sorted(map(str, reached))


def test_a_chain_of_a_thousand_notes_in_text_boxes_is_read():
    chain = {key: [key + 1] for key in range(1, 1000)}
    assert read(referring("endnote", {**chain, 1000: [1]})).text.count("word") == 1000


def test_the_member_that_names_a_package_is_not_unpacked():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("mimetype", b"application/epub+zip" + bytes(16 << 20))
    tracemalloc.start()
    with pytest.raises(Exception, match="EPUB"):
        read(buffer.getvalue())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 4 << 20
    refused("expanded_bytes", buffer.getvalue(), budget=Budget(expanded_bytes=1 << 20))


def test_a_part_never_gives_more_bytes_than_it_says_that_it_has():
    data = bytearray(formats.docx(STORY, members={"word/styles.xml": bytes(1 << 20)}, without=["word/styles.xml"]))
    for sign, at in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        place = data.rfind(b"word/styles.xml", 0, data.find(b"PK\1\2")) if sign == b"PK\3\4" else data.rfind(sign)
        header = data.rfind(sign, 0, place + 4)
        data[header + at : header + at + 4] = (10).to_bytes(4, "little")
    with pytest.raises(CorruptDocumentError):
        read(bytes(data))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_ways_of_packing_that_expand_in_one_step_are_refused(method):
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(formats.docx(STORY))) as old, zipfile.ZipFile(buffer, "w", method) as packed:
        for member in old.namelist():
            packed.writestr(member, old.read(member))
    with pytest.raises(CorruptDocumentError, match="no Office program"):
        read(buffer.getvalue())


def test_each_limit_is_named_with_what_raises_it():
    office = formats.docx(STORY)
    cases = {
        "input_bytes": (b"word " * 10, "a.txt", Budget(input_bytes=10)),
        "expanded_bytes": (office, None, Budget(expanded_bytes=100)),
        "part_bytes": (office, None, Budget(part_bytes=100)),
        "members": (office, None, Budget(members=3)),
        "elements": (formats.html(STORY), "a.html", Budget(elements=3)),
        "expansion": (formats.docx(STORY, extra="<w:p/>" * 3_000_000), None, Budget()),
        "growth": (b"<p>" + b"word " * (GROWTH_FLOOR // 5 + 1), "a.html", Budget(growth=0)),
        "seconds": (formats.html(STORY), "a.html", Budget(seconds=-1)),
    }
    for limit, (data, name, budget) in cases.items():
        assert f"Budget({limit}=" in refused(limit, data, name, budget)
    # Pages are held in pdf/test_visible.py, memory in test_isolated.py, scans and pixels in test_ocr.py.
    assert set(cases) | {"pages", "memory_bytes", "scanned_pages", "pixels"} == {item.name for item in fields(Budget)}


def test_empty_paragraphs_beyond_the_number_of_tags_are_refused():
    refused("elements", formats.docx(STORY, extra="<w:p/>" * 2000), budget=Budget(elements=1000))


@pytest.mark.parametrize("label", ["punycode", "idna", "unicode_escape", "raw_unicode_escape", "utf-7", "rot13", "hex"])
def test_codecs_that_only_python_has_are_no_charsets(label):
    codecs.lookup(label)
    page = f"<html><head><meta charset={label}></head><body><p>caf\\u00e9-abc +AGE- text</p></body></html>"
    assert read(page.encode()).text == "caf\\u00e9-abc +AGE- text"


@settings(max_examples=60, deadline=None)
@given(data=st.binary(max_size=60), label=st.sampled_from(sorted(aliases)))
def test_no_charset_that_a_file_declares_raises(data, label):
    text, _ = decode(data, label)
    assert len(text) <= len(data)


def test_headings_underlined_one_after_another_are_read():
    document = read(b"A\n---\n" * 3000, name="a.txt")
    assert sum(block.kind == "heading" for block in document.blocks) == 3000


_JATS = (
    "abstract trans-abstract kwd-group kwd title p sec list list-item def-list def-item def term label caption fig "
    "table-wrap table tr td sup xref article-title contrib collab ref-list ref mixed-citation element-citation "
    "person-group name given-names surname year fn-group fn boxed-text body front back sub-article article"
).split()
_HTML = "div main article section p ul li table tr td th sup a pre b aside header h2 dl dt dd figure caption".split()


def trees(tags: list[str]) -> st.SearchStrategy[str]:
    """Markup that nests these tags anyhow; `@` stands for a word."""
    tag = st.sampled_from(tags)
    return st.recursive(
        st.just("@"),
        lambda inner: st.builds(lambda t, parts: f"<{t}>@{' '.join(parts)}</{t}>", tag, st.lists(inner, max_size=4)),
        max_leaves=25,
    )


def numbered(markup: str) -> tuple[str, int]:
    """The markup with a word of its own in each place."""
    parts = markup.split("@")
    return "".join(f"{part} w{n}x " for n, part in enumerate(parts[:-1])) + parts[-1], len(parts) - 1


@settings(max_examples=150, deadline=None)
@given(front=trees(_JATS), body=trees(_JATS))
@example(front="<contrib><abstract><surname>@</surname></abstract></contrib>", body="@")
@example(front="<contrib><given-names><surname>@</surname></given-names></contrib>", body="@")
@example(front="<abstract><article-title>@</article-title></abstract>", body="@")
@example(front="<kwd-group><title><kwd>@</kwd></title></kwd-group>", body="@")
def test_no_word_of_a_journal_article_is_given_twice(front, body):
    markup, _ = numbered(f"<article><front>{front}</front><body>{body}</body><back>{body}</back></article>")
    check_words(markup, "a.nxml")


@settings(max_examples=150, deadline=None)
@given(tree=trees(_HTML))
def test_no_word_of_a_page_is_given_twice(tree):
    check_words(f"<html><body>{numbered(tree)[0]}</body></html>", "a.html")


def check_words(markup: str, name: str) -> None:
    try:
        words = re.findall("w[0-9]+x", read(markup.encode(), name=name).text)
    except EmptyDocumentError:
        return
    assert len(words) == len(set(words)), markup


def front(opens: str, closes: str, n: int) -> str:
    return f"<article><front>{opens * n}{closes * n}</front><body><p>x</p></body></article>"


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("a.nxml", lambda n: front("<kwd-group><kwd>word", "</kwd></kwd-group>", n)),
        ("a.nxml", lambda n: front("<abstract><p>word", "</p></abstract>", n)),
        ("a.nxml", lambda n: front("<abstract><list><list-item><p>word</p>", "</list-item></list></abstract>", n // 2)),
    ],
)
def test_what_nests_becomes_as_much_text_as_it_has(name, shape):
    few, many = (len(read(shape(n).encode(), name=name).text) for n in (60, 120))
    assert many <= 2 * few + 20


@pytest.mark.parametrize(
    ("shape", "few"),
    [(lambda n: "<main><p>word</p></main>" * n, 400), (lambda n: "<p>x" + "<sup>1 word" * n, 200)],
)
def test_parts_of_a_page_take_linear_time(shape, few):
    assert growth(lambda count: read(shape(count).encode(), name="a.html"), few) < 20  # 64 where it were quadratic


class Counted(list[str]):
    """Cells that count how often one is looked at."""

    looks = 0

    def __getitem__(self, at):
        self.looks += 1
        return super().__getitem__(at)


def test_signs_in_a_wide_row_are_looked_at_a_few_times_each():
    for width in (100, 400):
        cells = Counted(["5", *[")"] * width])
        assert _whole(cells)[0] == "5" + ")" * width
        assert cells.looks <= 6 * width


def test_an_entity_that_is_used_often_is_refused():
    entity = "word " * 100_000
    data = f'<!DOCTYPE article [<!ENTITY e "{entity}">]><article><front/><body><p>{"&e;" * 400}</p></body></article>'
    with pytest.raises(TooLargeDocumentError, match="without end"):
        read(data.encode(), name="a.nxml")


def test_many_entities_in_a_row_keep_their_places():
    text = "a&alpha;b&beta;<b/>c&gamma;&delta;d"
    data = f"<!DOCTYPE article SYSTEM 'a.dtd'><article><front/><body><p>{text * 2000}</p></body></article>"
    assert read(data.encode(), name="a.nxml").text == "aαbβcγδd" * 2000


_HIDING_STYLES = [
    (
        "<p>See</p><p style='{}'>hidden words</p>",
        ["display:none", "visibility: hidden", "font-size:0px", "opacity: 0.0"],
    ),
    ("<p>See <span style='{}'>hidden words</span></p>", ["text-indent:-9999px", "x:y; left: -10000px", "font-size:0"]),
    ("<p>See</p><pre>x<b hidden style='{}'>hidden words</b></pre>", [""]),
    ("<p>See</p><table><tr><td>1<td><i style='{}'>hidden words</i><tr><td>2<td>3</table>", ["display:none"]),
]


@pytest.mark.parametrize("markup", [form.format(style) for form, styles in _HIDING_STYLES for style in styles])
def test_hidden_parts_of_a_page_are_left_out_and_told(markup):
    document = read(f"<html><body>{markup}</body></html>".encode())
    assert "hidden" not in document.text
    assert [warning for warning in document.warnings if "2 words, after 'See" in warning]


_SHEET = "<html><head><style>{}</style></head><body><p>See</p>{}</body></html>"
_PART = "<div id=d class='x y'>hidden words</div>"


@pytest.mark.parametrize(
    "sheet",
    [
        ".x{display:none}", "div.x.y { visibility : hidden }", "#d{opacity:0}", ".a,.y{font-size:0;}", "p{color:red}/*{*/.x{left:-9999px}",
        ".x{color:#fff;background:white}", ".x{color:rgb(9,9,9);background-color:rgb(9, 9, 9)}", ".x{color:#fff;background:rgb(255,255,255)}", ".x{color:transparent}", ".x{display:none} div{display:block}", ".x{display:none} *{font-size:9px}",
        "@import 'a.css';.x{display:none}", "@media print{.x{display:block}} .x{display:none}",
    ],
)  # fmt: skip
def test_what_a_style_sheet_hides_is_left_out_and_told(sheet):
    document = read(_SHEET.format(sheet, _PART).encode())
    assert document.text == "See"
    assert document.warnings == ("hidden text was left out: 2 words, after 'See'",)


@pytest.mark.parametrize(
    "sheet",
    [
        "@media print{.x{display:none}}", ".z{display:none}", "p.x{display:none}", ".x{display:none} #d{display:block}", ".x{display:none",
        ".x{display:none} .y{display:block}", ".x{display:none} body > .x.y:hover{display:block}", ".x:empty{display:none}", ".a .x{display:none}",
        ".x{color:white;background:black}", ".x{color:rgb(89,89,89);background-color:rgb(255,255,255)}", "}{}.x{opacity:.5}", ".x{font-size:0.8em}", "/*.x{display:none}*/", "body{display:none}",
    ],
)  # fmt: skip
def test_rules_that_do_not_surely_hide_leave_the_text(sheet):
    assert "hidden words" in read(_SHEET.format(sheet, _PART).encode()).text


@pytest.mark.parametrize("style", ["opacity:0.5", "font-size:0.9em", "text-indent:-10px", "left:-5px", "opacity:1"])
def test_styles_that_hide_nothing_leave_the_text(style):
    document = read(f"<html><body><p style='{style}'>seen words</p></body></html>".encode())
    assert (document.text, document.warnings) == ("seen words", ())


def test_hidden_runs_of_a_word_document_are_left_out_and_told():
    hidden = formats.run(" hidden words", "<w:vanish/>")
    result = formats.run(" shown words", '<w:vanish w:val="0"/>')
    document = read(formats.docx(STORY, extra=f"<w:p>{formats.run('See')}{hidden}{result}</w:p>"))
    assert document.text.endswith("See shown words")
    assert document.warnings == ("hidden text was left out: 2 words, after 'See'",)
