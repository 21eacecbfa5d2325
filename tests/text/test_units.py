import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.document import Document
from citewell.errors import UsageError
from citewell.text.units import from_line, from_unit, to_line, to_unit

TEXTS = st.text(st.characters(max_codepoint=0x1FFFF) | st.just("\n"), max_size=30)


@pytest.mark.long
@given(TEXTS)
def test_every_offset_comes_back_from_every_unit(text):
    for offset in range(len(text) + 1):
        assert from_line(text, *to_line(text, offset)) == offset
        for unit in ("utf-16", "utf-8"):
            at = to_unit(text, unit, offset)
            # Two lone surrogates in a row are one character in UTF-16.
            if unit == "utf-8" or not any("\ud800" <= char <= "\udfff" for char in text):
                assert from_unit(text, unit, at) == offset


@given(TEXTS)
def test_an_offset_inside_of_a_character_is_refused_and_all_others_are_not(text):
    for unit, encoded in (("utf-8", text.encode("utf-8", "surrogatepass")),):
        firsts = {to_unit(text, unit, offset) for offset in range(len(text) + 1)}
        for at in range(len(encoded) + 1):
            if at in firsts:
                assert to_unit(text, unit, from_unit(text, unit, at)) == at
            else:
                with pytest.raises(UsageError, match="inside of a character"):
                    from_unit(text, unit, at)


def test_an_emoji_is_two_units_four_bytes_and_one_character():
    document = Document.from_text("a\n😀b")
    assert [document.offset_in(unit, 3) for unit in ("utf-16", "utf-8")] == [4, 6]
    assert [document.offset_from("utf-16", 4), document.offset_from("utf-8", 6)] == [3, 3]
    assert (document.line_column(3), document.offset_at(2, 2), document.offset_at(2)) == ((2, 2), 3, 2)
    with pytest.raises(UsageError, match="utf-16 offset 3 lies inside"):
        document.offset_from("utf-16", 3)


@pytest.mark.parametrize(("call", "message"), [
    (lambda: from_unit("ab", "utf-8", 3), "offset 3 is not in a text of 2 bytes"),
    (lambda: from_unit("ab", "utf-16", -1), "offset -1 is not in a text of 2 UTF-16 units"),
    (lambda: to_unit("ab", "utf-8", 3), "offset 3 is not in a text of 2 characters"),
    (lambda: to_unit("ab", "utf-7", 0), "utf-16 or utf-8, not 'utf-7'"),
    (lambda: to_line("a\nb", 4), "offset 4 is not in a text of 3 characters"),
    (lambda: to_line("a\nb", -1), "offset -1 is not in a text of 3 characters"),
    (lambda: from_line("a\nb", 3, 1), "there is no line 3: the text has 2"),
    (lambda: from_line("a\nb", 1, 3), "no column 3 in line 1"),
    (lambda: from_line("a\nb", 0, 1), "no column 1 in line 0"),
    (lambda: from_line("a\nb", 1, 0), "no column 0 in line 1"),
])  # fmt: skip
def test_an_offset_that_is_not_there_is_said(call, message):
    with pytest.raises(UsageError, match=message):
        call()
