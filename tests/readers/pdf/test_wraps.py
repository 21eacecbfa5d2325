"""How a line of a table looks that goes on with the row above it, and how one of a row of its own."""

import pytest

from citewell.readers.pdf import wraps
from citewell.readers.pdf.wraps import LineCell


@pytest.fixture
def continues(monkeypatch):
    """The vote on a line, lines being texts by column."""
    monkeypatch.setattr(wraps, "cell_text", lambda texts, cell: texts[cell.bits[0]])

    def vote(above, below):
        lines = [[(number, column) for column in line] for number, line in enumerate((above, below))]
        texts = {(0, column): text for column, text in above.items()} | {(1, c): text for c, text in below.items()}
        cells = [[LineCell([key], key[1], key[1] + 1) for key in line] for line in lines]
        return wraps._continues(texts, *cells)

    return vote


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ({0: "Harbour dues and", 1: "41"}, {0: "pilotage"}),  # begins small
        ({0: "Crew, pilots,", 1: "41"}, {0: "Tugs"}),  # the line above cannot end there
        ({0: "Dues", 1: "41"}, {0: "& pilots", 1: "Note"}),
        ({0: "Dues", 1: "41"}, {0: "(net of refunds)"}),
        ({0: "Dues", 1: "Paid in May"}, {1: "by the owners"}),  # nothing stands under the label
    ],
)
def test_what_cannot_begin_a_row_goes_on_with_the_one_above(continues, above, below):
    assert continues(above, below) == 1


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ({0: "Dues", 1: "41"}, {0: "Pilots", 1: "17"}),
        ({0: "Dues", 1: "41"}, {0: "Pilots", 1: "(17)"}),
        ({0: "Dues", 1: "Owners"}, {0: "Pilots", 1: "Guests"}),
        ({0: "Income from:"}, {0: "Pilots", 1: "17"}),
    ],
)
def test_what_looks_like_a_row_goes_on_with_nothing(continues, above, below):
    assert continues(above, below) < 0
