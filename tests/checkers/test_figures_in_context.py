"""A figure agrees where it is the same thing's: in its part of the sentence, in its role, in its unit; else it conflicts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import citewell
from citewell.document import Document
from citewell.facts.changes import changes, role
from citewell.facts.clauses import clauses
from citewell.facts.extract import extract

PORTS = "The port of Bergen handled 310 ships in May and that of Oslo only 240."
MARGIN = "The margin of the Tarn works widened by 1.8 percentage points to 46.3 percent."
HARVEST = "The harvest of the valley fell from 52 tons in 2018 to 47 tons in 2019."
ACCOUNTS = "The shop earned 8.9 million euros, the kitchen 12.6 million and the garden 3.1 million."
WARDS = "Of the 1998 children 614 were tested for a virus, and sales of the ward shop (bread, tea) changed by -3%."
TOLLS = "In 2015 the bridge counted 9,400 lorries, in 2016 only 7,900."


def judge(evidence, claim):
    return citewell.check(Document.from_text(evidence), [claim])[0]


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        (PORTS, "The port of Oslo handled 240 ships."),
        (PORTS, "The port of Bergen handled 310 ships in May."),
        (HARVEST, "The harvest fell by 5 tons."),
        (HARVEST, "In 2019 the harvest of the valley was 47 tons."),
        (ACCOUNTS, "The kitchen earned more than the shop."),
        (ACCOUNTS, "The garden earned less than the kitchen."),
        (TOLLS, "The bridge counted fewer lorries in 2016 than in 2015."),
        (WARDS, "Sales of the ward shop fell by 3%."),
    ],
)
def test_what_the_figures_of_a_sentence_say_together_is_supported(evidence, claim):
    verdict = judge(evidence, claim)
    assert verdict.label == "supported", verdict.reasons


def test_a_figure_of_another_owner_conflicts():
    assert judge(PORTS, "The port of Oslo handled 310 ships.").label == "contradicted"


@pytest.mark.parametrize(
    ("evidence", "claim", "message"),
    [
        (MARGIN, "The margin of the Tarn works widened by 1.8 percent.", "says 1.8 percent; the evidence says"),
        (
            MARGIN,
            "The margin of the Tarn works widened by 46.3 percent.",
            "says by 46.3 percent; the evidence says to 46.3",
        ),
        (
            HARVEST,
            "The harvest of the valley fell from 47 tons to 52 tons.",
            "the evidence goes from 52 tons to 47 tons",
        ),
        (
            HARVEST,
            "The harvest of the valley fell by 9 tons.",
            "says 9 tons; the evidence says 52 tons in 2018 to 47 tons",
        ),
        (
            ACCOUNTS,
            "The shop earned 12.6 million euros.",
            "says 12.6 million euros; the evidence says 8.9 million euros",
        ),
    ],
)
def test_a_figure_of_something_else_conflicts_and_the_reason_names_both(evidence, claim, message):
    verdict = judge(evidence, claim)
    assert verdict.label in ("contradicted", "not_supported")
    assert any(message in reason.message for reason in verdict.reasons), verdict.reasons


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        (HARVEST, [(52, 47)]),
        ("Output was 60 tons, up from 55 tons.", [(55, 60)]),
        ("Costs came to 9 million euros against 7 million euros in the year before.", [(7, 9)]),
        (TOLLS, [(9400, 7900)]),
        ("Nine of 40 left.", []),
    ],
)
def test_changes_are_read_from_their_beginning_to_their_end(text, pairs):
    scale = 1_000_000 if "million" in text else 1
    assert [(c.start.value / scale, c.end.value / scale) for c in changes(extract(text))] == pairs


def test_the_word_before_a_figure_tells_its_role():
    facts = extract("Wages rose by about 3 percent to 26 euros from 25 euros, compared with 20 euros elsewhere.")
    assert [role(facts, figure) for figure in facts.quantities] == ["by", "to", "from", "from"]


def test_clauses_end_at_marks_and_at_words_that_open_another():
    assert clauses("Five rose, six fell and seven or more stayed.") == (0, 0, 1, 1, 2, 2, 2, 2, 2)


YEARS = st.integers(1950, 2025)


@given(st.lists(YEARS, min_size=1, max_size=3), st.lists(YEARS, min_size=1, max_size=3))
def test_no_reason_gives_the_same_words_for_both_sides(message, expected):
    verbs = ("opened", "was rebuilt", "closed")
    claim = "The mill " + " and ".join(f"{verb} in {year}" for verb, year in zip(verbs, message, strict=False)) + "."
    text = "The mill " + ", ".join(f"{verb} after {year}" for verb, year in zip(verbs, expected, strict=False)) + "."
    for reason in judge(text, claim).reasons:
        ours, _, theirs = reason.message.removeprefix("says ").partition("; the evidence says ")
        assert ours.casefold() != theirs.casefold()


TICKETS = "The tide mill is old. Its owners did not sell tickets to school classes."


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        (TICKETS, "The owners of the tide mill sold tickets to school classes."),
        (
            "Noise was higher in the red room than in the blue room.",
            "Noise was higher in the blue room than in the red room.",
        ),
        ("The tenant shall pay the owner.", "The owner shall pay the tenant."),
        ("The lessee shall under no circumstances open the valve.", "The lessee may open the valve."),
    ],
)
def test_denials_and_roles_turned_round_are_not_supported(evidence, claim):
    verdict = judge(evidence, claim)
    assert verdict.label in ("contradicted", "not_supported"), verdict


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ("None of the 62 pubs closed without a successor.", "Each of the 62 pubs that closed had a successor."),
        (
            "A fuel must reach a cut of at least 60% to be green.",
            "A fuel must reach a cut of 60% or a larger one to be green.",
        ),
    ],
)
def test_what_only_looks_like_a_denial_or_an_opposite_is_not_called_contradicted(evidence, claim):
    assert judge(evidence, claim).label != "contradicted"


FLEET = "In 2020 the fleet had 40 ships. In 2021 the fleet had 30 ships."


@pytest.mark.parametrize(
    ("evidence", "claim", "label"),
    [
        ("Sales were $5 in 2020 and $7 in 2021.", "Sales were higher in 2021 than in 2020.", "supported"),
        ("Sales were $5 in 2020 and $7 in 2021.", "Sales were higher in 2020 than in 2021.", "contradicted"),
        (
            "The mill sold 40 boats in April and 30 in June.",
            "The mill sold more boats in June than in April.",
            "contradicted",
        ),
        (TOLLS, "The bridge counted more lorries in 2016 than in 2015.", "contradicted"),
        (FLEET, "The fleet had more ships in 2020 than in 2021.", "supported"),
        (FLEET, "The fleet had more ships in 2021 than in 2020.", "contradicted"),
        ("Oslo has 40 ships and 30 boats.", "Oslo has more boats than ships.", "contradicted"),
        ("Oslo has 40 ships and 30 boats.", "Oslo has more ships than buses.", "partially_supported"),
    ],
)
def test_a_comparison_is_judged_by_the_figures_of_its_sides(evidence, claim, label):
    assert judge(evidence, claim).label == label
