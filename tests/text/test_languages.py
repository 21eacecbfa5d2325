import pytest

from citewell.text.languages import differ


@pytest.mark.parametrize(
    ("claim", "evidence", "apart"),
    [
        ("Opened in 1974, the Tarrow bridge has a length of 640 m.", "Tarrow bridge: 1974, 640 m in all.", False),
        ("Ulm ist wieder da.", "Das Werk in Ulm wurde 1974 eröffnet.", False),
        ("Die Brücke ist 640 Meter lang und wurde 1974 eröffnet.", "The bridge is 640 metres long.", True),
        ("Le pont a été ouvert en 1974 et il est long.", "The bridge was opened in 1974 by the county.", True),
        ("The bridge was opened in 1974.", "Timber | 410 | 365", False),
    ],
)
def test_only_what_is_clearly_in_another_language_is_not_judged(claim, evidence, apart):
    assert differ(claim, evidence) is apart
