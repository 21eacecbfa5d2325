import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.text.words import language, number_term, terms, words


def spelled(text):
    result = words(text)
    return [text[start:end] for start, end in zip(result.starts, result.ends, strict=True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Revenue was $5.9bn in 2022.", ["Revenue", "was", "5.9", "bn", "in", "2022"]),
        ("don't stop Müller’s A4-file", ["don't", "stop", "Müller’s", "A4", "file"]),
        ("1,234.50 and 3.14.", ["1,234.50", "and", "3.14"]),
        ("東京都 is", ["東京", "京都", "is"]),
        ("is 東京都 so 水", ["is", "東京", "京都", "so", "水"]),
        ("水", ["水"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("العَرَبِيَّة", ["العَرَبِيَّة"]),
        ("3% of €5", ["3", "%", "of", "€", "5"]),
        ("foo_bar", ["foo", "bar"]),
        ("", []),
        (" .,!", []),
    ],
)
def test_words_are_cut_where_a_reader_would(text, expected):
    assert spelled(text) == expected


@pytest.mark.parametrize(
    ("spelling", "term"),
    [
        ("5,932", "5932"),
        ("5.90", "5.9"),
        ("007", "7"),
        ("1.234,5", "1234.5"),
        ("0", "0"),
        ("3,5", "3.5"),
        ("1,000,000", "1000000"),
    ],
)
def test_ways_to_write_a_number_have_one_term(spelling, term):
    assert number_term(spelling) == term


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("Rising", "rise"),
        ("companies", "company's"),
        ("résumé", "resume"),
        ("don’t", "don't"),
        ("two", "2"),
        ("bn", "billions"),
        ("%", "percent"),
        ("€", "euros"),
        ("ＡＢＣ", "abc"),
    ],
)
def test_inflected_forms_share_a_term(first, other):
    assert terms([first]) == terms([other])


def test_different_words_keep_different_terms():
    assert len(set(terms(["rise", "rose", "risk", "2", "22", "not", "note"]))) == 7


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The house is on the hill and it was built by them", "en"),
        ("Das Haus steht auf dem Berg und wurde von ihnen gebaut", "de"),
        ("La maison est sur la colline et elle a été construite par eux", "fr"),
        ("x y z", "en"),
    ],
)
def test_the_language_is_told_by_its_function_words(text, code):
    assert language(words(text).spellings) == code


@given(st.text())
def test_words_lie_in_order_inside_the_text_and_never_hold_white_space(text):
    result = words(text)
    assert (result.starts < result.ends).all()
    assert (np.diff(result.starts) > 0).all()
    for start, end, spelling in zip(result.starts, result.ends, result.ids, strict=True):
        assert text[start:end] == result.spellings[spelling]
        assert not any(char.isspace() for char in text[start:end])


@given(st.text())
def test_every_letter_and_digit_is_in_a_word(text):
    result = words(text)
    inside = {place for start, end in zip(result.starts, result.ends, strict=True) for place in range(start, end)}
    assert all(place in inside for place, char in enumerate(text) if char.isalnum() and char.isascii())


@given(st.lists(st.text(min_size=1)))
def test_each_spelling_has_exactly_one_term(spellings):
    assert len(terms(spellings)) == len(spellings)
