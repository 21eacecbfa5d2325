"""Which time each figure of a sentence is of."""

import pytest

from citewell.facts.bindings import times
from citewell.facts.extract import extract


def bound(text):
    """The figures of a sentence with their times, as it words them; "<" and ">" for times before and after that."""
    figures = {figure.start: figure for figure in extract(text).quantities}
    return {
        text[figures[start].start : figures[start].end]: "<" * time.before
        + ">" * time.after
        + text[time.period.start : time.period.end]
        for start, time in times(text).items()
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Turnover was 41.3 million in 2024 and 38.4 million in 2023.", {"41.3 million": "2024", "38.4 million": "2023"}),
        ("It employed 310 people at the end of 2024, up from 295 a year earlier.", {"310": "2024", "295": "a year earlier"}),
        ("Sales were £86.6 million (2021: £82.7 million).", {"£86.6 million": ">2021", "£82.7 million": "2021"}),
        ("The loss for the year was 4 million (2022: 3 million).", {"4 million": ">2022", "3 million": "2022"}),
        ("In 2022 sales were 86 million (2021: 82 million).", {"86 million": "2022", "82 million": "2021"}),
        ("Costs rose from 30.2 million in 2023 to 31.9 million in 2024.", {"30.2 million": "2023", "31.9 million": "2024"}),
        ("The share was smaller in 2022 (40.4%) than in 2021 (44.6%).", {"40.4%": "2022", "44.6%": "2021"}),
        ("The fleet grew to 14 ships in 2024 from 12.", {"14": "2024", "12": "<2024"}),
        ("In 2024, costs rose from 30.2 million to 31.9 million.", {"30.2 million": "<2024", "31.9 million": "2024"}),
        ("Rates were 21%, 19% and 18% for 2022, 2021 and 2020.", {"21%": "2022", "19%": "2021", "18%": "2020"}),
        ("Sales for fiscal 2022 and 2021 were $11 billion and $10 billion, respectively.",
         {"$11 billion": "fiscal 2022", "$10 billion": "2021"}),
        ("In 2024 and 2023, it sold 310 and 295 boats, respectively, and 41 and 52 rafts, respectively.",
         {"310": "2024", "295": "2023", "41": "2024", "52": "2023"}),
        ("In 2022, the fee was 40 euros; in 2023 it was 45 euros.", {"40 euros": "2022", "45 euros": "2023"}),
        ("Sales were 41.3 million in 2024 (2023: 38.4 million).", {"41.3 million": "2024", "38.4 million": "2023"}),
        ("It had 12,300 guests in 2021, of whom 4,500 were children.", {"12,300": "2021", "4,500": "2021"}),
        ("Between 2019 and 2021 sales fell from 9 to 7 million.", {"9": "2019 and 2021", "7 million": "2019 and 2021"}),
        ("The bridge is 90 metres long.", {}),
    ],
)  # fmt: skip
def test_each_figure_is_of_its_time(text, expected):
    assert bound(text) == expected


@pytest.mark.parametrize(
    ("year", "excluded"), [("2022", {"31.9 million"}), ("2023", {"31.9 million"}), ("2024", {"30.2 million"}), ("2025", {"30.2 million", "31.9 million"})]
)  # fmt: skip
def test_what_was_before_is_of_an_earlier_time(year, excluded):
    text = "In 2024, costs rose from 30.2 million to 31.9 million."
    wanted = extract(f"in {year}").periods[0]
    figures = {figure.start: text[figure.start : figure.end] for figure in extract(text).quantities}
    assert {figures[start] for start, time in times(text).items() if time.excludes(wanted)} == excluded


def test_of_a_sentence_with_very_many_figures_only_the_first_are_read():
    text = " ".join(f"{number}.5 million in {1900 + number % 100}," for number in range(2000))
    bound_starts = times(text)
    assert 0 < len(bound_starts) <= 60
    assert max(bound_starts) < len(text) // 10
