"""Quantities of texts: tables of cases, and numbers written in several ways that must read as one value."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citewell.facts.numbers import writes_comma_decimals
from citewell.facts.quantities import quantities, scale_stated
from citewell.facts.types import Quantity
from facts.quantity_cases import CASES
from helpers import calls


def summarise(quantity: Quantity) -> tuple[str, str, str, str]:
    bounds = [quantity.low] if quantity.low == quantity.high else [quantity.low, quantity.high]
    return (
        quantity.kind,
        "..".join(format(bound.normalize(), "f") for bound in bounds),
        quantity.unit,
        quantity.modifier,
    )


def value(written: str) -> str:
    return "..".join(
        format((Decimal(part.numerator) / part.denominator).normalize(), "f")
        for part in map(Fraction, written.split(".."))
    )


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text for text, _ in CASES])
def test_a_text_gives_the_quantities_that_a_reader_sees(text, expected):
    rounded = [(kind, amount[:12], unit, modifier) for kind, amount, unit, modifier in map(summarise, quantities(text))]
    assert rounded == [(kind, value(amount)[:12], unit, modifier) for kind, amount, unit, modifier in expected]


@pytest.mark.parametrize("text", [text for text, _ in CASES])
def test_offsets_hold_the_digits_that_were_read(text):
    for quantity in quantities(text):
        assert quantity.start <= quantity.numeral.start < quantity.numeral.end <= quantity.end
        assert text[quantity.start : quantity.end] == text[quantity.start : quantity.end].strip()
        if quantity.modifier_span is not None:
            assert text[slice(*quantity.modifier_span)].strip() == text[slice(*quantity.modifier_span)] != ""


def grouped(digits: str, sign: str) -> str:
    head = len(digits) % 3 or 3
    return sign.join([digits[:head], *(digits[at : at + 3] for at in range(head, len(digits), 3))])


FORMATS = {
    "English": (lambda whole, places: f"{grouped(whole, ',')}.{places}", "It sold {} of them in the town."),
    "German": (lambda whole, places: f"{grouped(whole, '.')},{places}", "Es waren {} der Teile und mit der Post."),
    "Swiss": (lambda whole, places: f"{grouped(whole, chr(0x2019))}.{places}", "It sold {} of them in the town."),
    "French": (lambda whole, places: f"{grouped(whole, chr(0x202F))},{places}", "Il y a {} pièces dans les villes."),
    "Arabic": (
        lambda whole, places: f"{grouped(whole, '٬')}٫{places}".translate(
            {48 + digit: 0x660 + digit for digit in range(10)}
        ),
        "عدد {} نسمة",
    ),
    "plain": (lambda whole, places: f"{whole}.{places}", "It sold {} of them in the town."),
}


@settings(max_examples=50)
@given(st.integers(1000, 10**12), st.integers(1, 99), st.sampled_from(sorted(FORMATS)))
def test_a_number_reads_the_same_in_every_format(whole, hundredths, name):
    write, sentence = FORMATS[name]
    written = write(str(whole), f"{hundredths:02}")
    text = sentence.format(written)
    (quantity,) = quantities(text)
    assert quantity.value == Decimal(f"{whole}.{hundredths:02}")
    assert quantity.tolerance == Decimal("0.005")
    assert text[slice(*quantity.numeral)] == written


ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()


def in_words(number: int, joint: str) -> str:
    for size, name in ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if number >= size:
            head, rest = divmod(number, size)
            tail = f" {joint if rest < 100 else ''}{in_words(rest, joint)}" if rest else ""
            return f"{in_words(head, joint)} {name}{tail}"
    if number < 20:
        return ONES[number]
    return TENS[number // 10] + (f"-{ONES[number % 10]}" if number % 10 else "")


@settings(max_examples=50)
@given(st.integers(2, 10**12), st.sampled_from(["", "and "]))
def test_a_number_in_words_has_the_value_of_its_digits(number, joint):
    text = f"They counted {in_words(number, joint)} grains there."
    (quantity,) = quantities(text)
    assert quantity.value == number
    assert text[quantity.start : quantity.end] == in_words(number, joint)


@settings(max_examples=50)
@given(
    st.integers(1, 999),
    st.integers(0, 99),
    st.sampled_from([("million", 6), ("m", 6), ("bn", 9), ("billion", 9), ("trillion", 12)]),
)
def test_scale_words_multiply_value_and_precision(whole, hundredths, scale):
    word, power = scale
    gap = " " if len(word) > 3 else ""
    (quantity,) = quantities(f"It cost ${whole}.{hundredths:02}{gap}{word} in all.")
    assert quantity.value == Decimal(f"{whole}.{hundredths:02}").scaleb(power)
    assert quantity.tolerance == Decimal("0.005").scaleb(power)
    assert (quantity.kind, quantity.currency, quantity.scale) == ("money", "USD", Decimal(10) ** power)


@settings(max_examples=60)
@given(st.text(max_size=60))
def test_any_text_is_read_without_an_error_and_in_order(text):
    read = quantities(text)
    assert all(0 <= quantity.start < quantity.end <= len(text) for quantity in read)
    assert all(first.numeral.end <= second.numeral.start for first, second in pairwise(read))


@settings(max_examples=60)
@given(st.text("0123456789.,'-–:/ $€%()[]onetwhdamil£٣½", max_size=40))
def test_any_mix_of_digits_and_signs_is_read_without_an_error(text):
    for quantity in quantities(text):
        assert text[slice(*quantity.numeral)].strip()
        assert quantity.low <= quantity.high


@pytest.mark.parametrize(
    ("heading", "scale"),
    [
        ("(in thousands)", 1000), ("(In millions, except per share data)", 10**6), ("($ in millions)", 10**6), ("Dollars in thousands", 1000),
        ("in Mio. €", 10**6), ("(US$ million)", 10**6), ("£'000", 1000), ("Selected data", 1), ("2023 RM’000", 1000), ("2023 $m", 10**6),
        ("2022 KShs '000", 1000), ("₹ crore", 10**7), ("SEK m", 10**6), ("(in hundreds)", 100), ("(in m)", 10**6), ("Notes of $1,000", 1), ("Loans over $ 5 million", 1), ("(in $000s)", 1000), ("(EUR millions)", 10**6),
    ],
)  # fmt: skip
def test_a_heading_states_the_scale(heading, scale):
    stated = scale_stated(heading)
    assert (stated.factor if stated else 1) == scale


@pytest.mark.parametrize(
    "piece",
    [
        "1",
        "1,",
        "1.",
        "1 ",
        "one ",
        "one hundred and ",
        "(",
        "$",
        "-",
        "1-",
        "[1",
        "half a ",
        "hundred ",
        "a million ",
        "the year ",
        "the year before ",
        "January ",
        "Jan 1",
        "5 to ",
        "more than ",
        "1 234",
        "www.",
        "a@",
        "Q1",
        "first quarter ",
        "\u00a0",
        "٣٬",
    ],
)
def test_reading_takes_time_in_line_with_the_length(piece):
    counts = [calls(lambda text=piece * size: quantities(text)) for size in (60, 240)]
    assert counts[1] <= 4.5 * counts[0] + 500


def test_which_sign_parts_decimals_is_asked_once_for_a_text():
    writes_comma_decimals.cache_clear()
    assert len(quantities("12,345 and " * 200)) == 200
    assert writes_comma_decimals.cache_info().misses == 1


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("It paid RM5.2m.", "MYR", 5_200_000), ("It paid RM 12,500.", "MYR", 12_500), ("It raised KShs 3.1 million.", "KES", 3_100_000),
        ("It spent 27.6m USD.", "USD", 27_600_000), ("It spent 4 bn EUR.", "EUR", 4 * 10**9), ("It cost Rs. 600.", "INR", 600),
        ("A wall 5 m high.", "metre", 5),
    ],
)  # fmt: skip
def test_a_currency_is_told_by_its_letters_on_either_side(text: str, unit: str, value: int) -> None:
    (quantity,) = quantities(text)
    assert (quantity.unit, quantity.value) == (unit, value)


def test_the_letters_of_a_gene_are_no_currency() -> None:
    assert not quantities("The variant rs7412 is common.")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("7B's tape", "identifier"), ("4M Holdings makes tape.", "identifier"), ("4M acquired a mill.", "identifier"),
        ("5B is a label.", "identifier"), ("8M put up a mill.", "identifier"), ("It has 4M users.", "cardinal"), ("It had 4M in 2019.", "cardinal"),
        ("It paid 4M USD.", "money"),
    ],
)  # fmt: skip
def test_a_digit_and_a_letter_before_what_acts_or_owns_are_a_name(text: str, kind: str) -> None:
    assert quantities(text)[0].kind == kind


@pytest.mark.parametrize("head", ["RESULTS ", "Aim: ", ""])
def test_one_in_several_is_a_share_also_behind_a_heading(head: str) -> None:
    (share,) = quantities(f"{head}One in four trials ended early.")
    assert (share.kind, share.low) == ("ratio", Decimal("0.25"))
