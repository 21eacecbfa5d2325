"""Lists that go together: "38% and 62%, respectively"."""

from __future__ import annotations

import pytest

from citewell import Document, check
from citewell.facts.pairing import partners
from citewell.facts.tokens import tokens

SENTENCES = [
    "Ferries and buses carried 38% and 62%, respectively, of all passengers in Molde.",
    "In 2021, 2022 and 2023, Halden spent $6.5 million, $6.1 million and $5.9 million, respectively, on docks.",
    "The harbours of Bergen, Oslo and Narvik handled 310, 240 and 95 ships, respectively, last winter.",
    "In March 2020 and June 2022, Orvik sold Tolvik Engines and Skarnes Paint, respectively.",
    "Ann Berg and Carl Dahl were elected in 2014 and 2018, respectively.",
    "In 2021, 2020 and 2019, Orvik had 210, 195 and 180 clerks, respectively, and 48, 52 and 61 drivers, respectively.",
    "For 2024 and 2023, depreciation of $31 and $28, respectively, and amortization of $9 and $12, respectively, is shown.",
    "In Oslo, Bergen and Molde, Halden has 14, 9 and 3 shops, respectively, and 22, 17 and 5 kiosks, respectively.",
    "Depreciation of $31 and $28 and amortization of $9 and $12, respectively, is shown for 2024 and 2023.",
]
TRUE = [
    (0, "Ferries and buses carried 38% and 62%, respectively, of all passengers in Molde."),
    (0, "Ferries carried 38% of all passengers in Molde."),
    (1, "Halden spent $6.1 million on docks in 2022."),
    (1, "In 2023 Halden spent $5.9 million on docks."),
    (2, "The harbour of Oslo handled 240 ships last winter."),
    (3, "Orvik sold Skarnes Paint in June 2022."),
    (4, "Carl Dahl was elected in 2018."),
    (5, "Orvik had 52 drivers in 2020 and 48 in 2021."),
    (5, "Orvik had 61 drivers in 2019."),
    (5, "Orvik had 195 clerks in 2020."),
    (6, "Depreciation was $31 in 2024."),
    (6, "Amortization was $12 in 2023."),
    (7, "Halden has 17 kiosks in Bergen."),
    (8, "Amortization was $12 in 2023."),
    (8, "Depreciation was $31 in 2024."),
]
TURNED = [
    (0, "Ferries and buses carried 62% and 38%, respectively, of all passengers in Molde."),
    (1, "Halden spent $6.1 million on docks in 2021."),
    (1, "In 2023 Halden spent $6.5 million on docks."),
    (1, "In 2021, 2022 and 2023, Halden spent $5.9 million, $6.1 million and $6.5 million, respectively, on docks."),
    (2, "The harbour of Oslo handled 310 ships last winter."),
    (2, "The harbours of Bergen, Oslo and Narvik handled 95, 240 and 310 ships, respectively, last winter."),
    (3, "Orvik sold Skarnes Paint in March 2020."),
    (3, "Orvik sold Skarnes Paint in March 2020 and Tolvik Engines in June 2022."),
    (4, "Carl Dahl was elected in 2014."),
    (4, "Ann Berg and Carl Dahl were elected in 2018 and 2014, respectively."),
    (5, "Orvik had 52 drivers in 2021 and 48 in 2020."),
    (5, "Orvik had 61 drivers in 2021."),
    (6, "Depreciation was $31 in 2023."),
    (6, "Amortization was $12 in 2024."),
    (7, "Halden has 17 kiosks in Molde."),
    (8, "Depreciation was $31 in 2023."),
]


@pytest.mark.parametrize(("number", "claim"), TRUE)
def test_what_a_list_gives_to_an_item_is_supported(number: int, claim: str) -> None:
    (verdict,) = check(Document.from_text(SENTENCES[number]), [claim])
    assert verdict.label == "supported", verdict.reasons


@pytest.mark.parametrize(("number", "claim"), TURNED)
def test_what_a_list_gives_to_another_item_is_contradicted(number: int, claim: str) -> None:
    (verdict,) = check(Document.from_text(SENTENCES[number]), [claim])
    assert verdict.label == "contradicted"
    assert {reason.kind for reason in verdict.reasons} <= {"number", "date", "missing"}


def test_each_figure_has_the_item_of_its_place() -> None:
    words = tokens(SENTENCES[2])
    pairs = {
        SENTENCES[2][start:][:3].strip(", "): [words.lower[n] for n in at]
        for start, at in partners(SENTENCES[2]).items()
    }
    assert pairs == {"310": ["bergen"], "240": ["oslo"], "95": ["narvik"]}


@pytest.mark.parametrize(
    "text", ["", "respectively", "and, and respectively and", "1, 2 and 3 respectively", "and 5 and 6"]
)
def test_lists_without_a_counterpart_pair_nothing(text: str) -> None:
    assert partners(text) == {}


def test_no_two_neighbours_of_lists_side_by_side_are_a_list() -> None:
    places = partners(SENTENCES[8])
    spelled = tokens(SENTENCES[8]).lower
    pairs = [(SENTENCES[8][start:].split()[0], spelled[words[0]]) for start, words in sorted(places.items())]
    assert pairs[:4] == [("31", "2024"), ("28", "2023"), ("9", "2024"), ("12,", "2023")]
