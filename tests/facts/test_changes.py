"""What two figures of a sentence make together, held against "by 10 tonnes", "by 25%" and "doubled"."""

from __future__ import annotations

import pytest

from citewell.facts.changes import changes, computed, role, way
from citewell.facts.extract import extract
from citewell.facts.words_aligned import align

TONNES = "Output at the mill rose from 40 tonnes to 50 tonnes."
SHARE = "The share of the mill rose from 40% to 50%."
DOLLARS = "Revenue of the mill rose from $2 million to $6 million."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TONNES, [("40 tonnes", "50 tonnes", 1)]),
        ("Output was 50 tonnes, up from 40 tonnes.", [("40 tonnes", "50 tonnes", 1)]),
        ("Output was 50 tonnes, compared to 40 tonnes.", [("40 tonnes", "50 tonnes", 1)]),
        ("Output was 50 tonnes against 40 tonnes.", [("40 tonnes", "50 tonnes", 1)]),
        ("Output was 40 tonnes in 2019 and 50 tonnes in 2020.", [("40 tonnes", "50 tonnes", 1)]),
        ("Output was 50 tonnes in 2020 and 40 tonnes in 2019.", [("40 tonnes", "50 tonnes", 1)]),
        ("It was a loss of 5 tonnes, after a loss of 6 tonnes.", [("6 tonnes", "5 tonnes", -1)]),
        (
            "Sales rose from $3 million to $4 million and costs from $1 million to $2 million.",
            [("$3 million", "$4 million", 1), ("$1 million", "$2 million", 1)],
        ),
        ("Output rose from 40 tonnes to $50.", []),
        ("Output rose to 50 tonnes.", []),
        ("Output stayed from 40 tonnes to 40 tonnes.", [("40 tonnes", "40 tonnes", 0)]),
    ],
)
def test_where_a_change_begins_and_ends(text, expected):
    pairs = list(changes(extract(text)))
    assert [(text[a.start : a.end], text[b.start : b.end]) for a, b in pairs] == [entry[:2] for entry in expected]
    assert [pair.sign for pair in pairs] == [entry[2] for entry in expected]
    for pair in pairs:
        both = pair.together()
        assert (both.start, both.end) == (min(q.start for q in pair), max(q.end for q in pair))


@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("Output at the mill rose by 10 tonnes.", TONNES, ("agrees", "")),
        ("Output at the mill rose by 12 tonnes.", TONNES, ("conflicts", "number")),
        ("Output at the mill fell by 10 tonnes.", TONNES, ("conflicts", "sign")),
        ("Output at the mill rose by about 11 tonnes.", TONNES, ("agrees", "")),
        ("Output at the mill rose by about 13 tonnes.", TONNES, ("conflicts", "number")),
        ("Output at the mill rose by 10.5 tonnes.", TONNES, None),  # too near to be another figure
        ("Output at the mill moved by 30 tonnes.", TONNES, None),  # no word says which way
        ("Output at the mill rose by $10.", TONNES, None),
        ("Output at the mill rose to 10 tonnes.", TONNES, None),
        ("Output at the mill rose by 25%.", TONNES, ("agrees", "")),
        ("Output at the mill rose by 40%.", TONNES, ("conflicts", "number")),
        ("Output at the mill rose by 10 percentage points.", TONNES, None),
        ("The share of the mill rose by 10 percentage points.", SHARE, ("agrees", "")),
        ("The share of the mill rose by 12 percentage points.", SHARE, ("conflicts", "number")),
        ("The share of the mill fell by 10 percentage points.", SHARE, ("conflicts", "sign")),
        ("The share of the mill rose by 10%.", SHARE, None),  # of it, or points: the words do not tell
        ("Revenue of the mill tripled.", DOLLARS, ("agrees", "")),
        ("Revenue of the mill doubled.", DOLLARS, ("conflicts", "number")),
        ("Revenue of the mill rose by $4 million.", DOLLARS, ("agrees", "")),
        ("Revenue of the mill rose by $5 million.", DOLLARS, ("conflicts", "number")),
        ("Revenue of the mill rose by $4.", DOLLARS, ("conflicts", "number")),
        ("Revenue of the mill rose by 200%.", DOLLARS, ("agrees", "")),
    ],
)
def test_how_a_claimed_change_stands_to_both_figures(claim, evidence, expected):
    facts, premise = extract(claim), extract(evidence)
    outcome = computed(facts, facts.quantities[0], premise, align(facts.tokens, premise.tokens))
    assert (outcome and (outcome[1].outcome, outcome[1].aspect)) == expected


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ("It rose from 5 tonnes.", ["from"]),
        ("It rose to 5 tonnes.", ["to"]),
        ("It rose by about 5 tonnes.", ["by"]),
        ("It was 6 tonnes compared with 5 tonnes.", ["", "from"]),
        ("It was 6 tonnes versus 5 tonnes.", ["", "from"]),
        ("It had 5 tonnes.", [""]),
        ("By now: 5 tonnes.", [""]),
        ("5 tonnes came.", [""]),
    ],
)
def test_the_role_of_a_figure_in_a_change(text, roles):
    facts = extract(text)
    assert [role(facts, figure) for figure in facts.quantities] == roles


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Output rose to 5 tonnes.", 1),
        ("Output fell to 5 tonnes.", -1),
        ("Output was up 5 tonnes.", 1),
        ("Output was down 5 tonnes.", -1),
        ("Output was 5 tonnes.", 0),
        ("Output did not rise to 5 tonnes.", 0),
    ],
)
def test_which_way_the_words_of_a_clause_say(text, expected):
    facts = extract(text)
    assert way(facts, facts.quantities[0]) == expected
