"""What safe texts are made of: JSON without infinite numbers, addresses without secrets, a key in all its forms."""

import pytest

from citewell.text import safe


@pytest.mark.parametrize("text", ["1e999", "[-1e999]", "NaN", "[Infinity]"])
def test_json_has_finite_numbers_alone(text):
    with pytest.raises(ValueError, match="is no finite number"):
        safe.loads(text)
    assert safe.loads("[1e3, 2]") == [1000.0, 2]


def test_json_that_is_nested_without_end_is_refused():
    with pytest.raises(ValueError, match="nested too deeply"):
        safe.loads("[" * 200_000)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://ann:secret@host:8080/a/b/?key=1#part", "https://host:8080/a/b"),
        ("https://host/", "https://host"),
        ("https://[::1]:9/a", "https://[::1]:9/a"),
    ],
)
def test_an_address_is_shown_without_who_asks_and_what_for(url, shown):
    assert safe.address(url) == shown
