import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citewell_lab.bench.flips import KINDS, REWRITES, Pool, flips, rewrites
from citewell_lab.bench.flips.edits import Edit, applied
from citewell_lab.bench.flips.figures import numerals
from citewell_lab.bench.flips.names import names, type_of
from citewell_lab.bench.flips.words import belongs, opposite_words, table, verbs

POOL = Pool.of(["The mill was bought by Peter Hall.", "The bridge was opened in Boston by Carol Reed."])


def texts(kind, claim, evidence=("",), pool=POOL):
    """Every change of a kind over many seeds."""
    result = (flips(claim, evidence, pool, seed=seed, kinds=(kind,)) for seed in range(40))
    return {change.text for changes in result for change in changes}


def rewritten(kind, claim):
    return {change.text for seed in range(20) for change in rewrites(claim, seed=seed, kinds=(kind,))}


@pytest.mark.parametrize(
    ("kind", "claim", "expected"),
    [
        ("negation", "Ada Stone sold the mill.", {"Ada Stone did not sell the mill."}),
        ("negation", "The mill was sold.", {"The mill was not sold."}),
        ("negation", "The mill has two wheels.", {"The mill does not have two wheels."}),
        ("negation", "The mill can run all night and day.", set()),  # "all" and "can": the denial might hold
        ("negation", "The mill did not stop.", {"The mill stopped."}),
        ("negation", "The board does not own any mills.", {"The board owns some mills."}),
        ("negation", "Because it was old, the mill was sold.", set()),
        ("negation", "Akon has had ten hits.", {"Akon has not had ten hits."}),
        ("negation", "The forces participated in it.", set()),  # no form of "to force"
        ("direction", "Sales increased in May.", {"Sales decreased in May."}),
        ("direction", "Sales have fallen since May.", {"Sales have risen since May."}),
        ("direction", "She left the house.", set()),  # the other "left" is no direction of this list
        ("quantifier", "The mill was the first in the valley.", {"The mill was the last in the valley.", "The mill was the second in the valley."}),
        ("quantifier", "It is the most popular mill.", set()),
        ("quantifier", "All mills run.", {"No mills run.", "Few mills run."}),
        ("quantifier", "They all have wheels.", set()),
        ("quantifier", "It has all but stopped.", set()),
        ("magnitude", "Sales rose by 5%.", {"Sales rose by 5 percentage points."}),
        ("magnitude", "It took three hours.", {"It took three minutes.", "It took three days."}),
        ("magnitude", "It took more than three hours.", set()),
        ("roles", "Peter Hall sued Carol Reed.", {"Carol Reed sued Peter Hall."}),
        ("roles", "Peter Hall met Carol Reed.", set()),
        ("roles", "Boston is in the United States.", {"The United States is in Boston."}),
        ("roles", "A had 3 wins and B had 5 wins.", {"A had 5 wins and B had 3 wins."}),
    ],
)  # fmt: skip
def test_a_change_turns_one_fact(kind, claim, expected):
    assert texts(kind, claim, ["They say so of Boston."]) == expected


def test_a_change_that_the_evidence_says_too_is_not_made():
    assert texts("direction", "Sales increased in May.", ["Sales increased in May and decreased in June."]) == set()
    years = {
        int(text[-5:-1]) for text in texts("year", "The mill was built in 1890.", ["It was built in 1890, not 1891."])
    }
    assert years
    assert not years & {1890, 1891}
    assert not texts("number", "It has two wheels.", ["It has 2 wheels, others 3, 4, 5 or 6."]) & {
        f"It has {word} wheels." for word in ("three", "four", "five", "six")
    }


def test_a_bound_is_not_moved_to_where_it_still_holds():
    for claim in (
        "More than 40 people came.",
        "It was built before 1890.",
        "Up to 90 people came.",
        "It has 40 or more wheels.",
    ):
        assert texts("number", claim) == texts("year", claim) == set()


def test_a_rounded_number_is_changed_by_more_than_its_rounding():
    values = {float(re.search(r"[\d.]+", text)[0]) for text in texts("number", "About 400 people came.")}
    assert values
    assert all(abs(value / 400 - 1) >= 0.3 for value in values)


def test_nothing_but_the_denial_is_changed_in_a_claim_that_denies():
    assert {change.kind for change in flips("It was not built in 1890 by Peter Hall.", [""], POOL)} == {"negation"}


def test_a_name_gives_way_to_one_of_its_type_that_shares_no_sentence_with_it():
    evidence = ["Peter Hall built it with Anna Smith.", "Carol Reed paid for it."]
    assert texts("entity", "Peter Hall built it.", evidence, Pool.of(evidence)) <= {"Carol Reed built it."}
    assert "France" not in " ".join(texts("entity", "It stands in Spain.", ["It stands in Spain, near France."]))


def test_articles_and_capitals_fit_what_follows():
    assert applied("entity", "He is an American.", [Edit(9, 17, "Turkish")]).text == "He is a Turkish."
    assert applied("number", "It is a 7 km road.", [Edit(8, 9, "8")]).text == "It is an 8 km road."
    assert applied("quantifier", "All mills run.", [Edit(0, 3, "no")]).text == "No mills run."


def test_years_and_numbers_are_told_apart():
    assert [(numeral.text, numeral.is_year) for numeral in numerals("In 1990, 1,200 people and 1200 cows came; $2000 by 1 May 2001.")] == [
        ("1990", True), ("1,200", False), ("1200", False), ("2000", False), ("1", False), ("2001", True),
    ]  # fmt: skip
    assert numerals("Apollo 11 flew at 5'9") == []


def test_names_are_found_with_their_types():
    result = names("The board of Ada Stone met the Bank of England in Paris. We left.")
    assert [name.text for name in result] == ["Ada Stone", "Bank of England", "Paris"]
    assert [name.start for name in result] == [13, 31, 50]
    assert [type_of(name) for name in ("Paris", "Spain", "Spanish", "Peter Hall", "IBM", "Yale University", "Ludo")] == [
        "city", "country", "demonym", "person", "acronym", "organisation, University", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "claim", "expected"),
    [
        ("form", "It cost 1.75 million dollars.", {"It cost 1,750,000 dollars."}),
        ("form", "It cost 1,750,000 dollars.", {"It cost 1.75 million dollars."}),
        ("form", "It grew 5% more.", {"It grew 5 percent more."}),
        ("words", "It has 3 wheels.", {"It has three wheels."}),
        ("words", "It has three wheels.", {"It has 3 wheels."}),
        ("date", "It closed on 4 May 1990.", {"It closed on May 4, 1990.", "It closed on 1990-05-04."}),
        ("contraction", "It did not stop.", {"It didn't stop."}),
        ("contraction", "It can't stop.", {"It cannot stop."}),
        ("voice", "The mill was built by Ada Stone in 1890.", {"Ada Stone built the mill in 1890."}),
        ("voice", "The mill was owned by him.", set()),
        ("order", "The mill closed in 1990.", {"In 1990, the mill closed."}),
        ("order", "In May 1990, the mill closed.", {"The mill closed in May 1990."}),
        ("order", "The mill opened and closed in 1990.", set()),
    ],
)
def test_a_rewrite_says_the_same_otherwise(kind, claim, expected):
    assert rewritten(kind, claim) == expected


def test_a_rounded_figure_is_said_to_be_so():
    assert {
        re.sub(r"about|roughly|approximately|around", "about", text)
        for text in rewritten("rounded", "It drew 1,234 visitors.")
    } == {"It drew about 1,230 visitors."}
    assert rewritten("rounded", "It drew more than 1,234 visitors.") == set()


def test_the_halves_of_the_words_share_no_pair_and_make_up_all():
    observed, kept, whole = (
        {(word, other) for word, others in opposite_words(half).items() for other in others}
        for half in ("seen", "held", "all")
    )
    assert not observed & kept
    assert observed | kept == whole
    assert min(len(observed), len(kept)) > len(whole) / 3
    assert all(belongs(b, a, "seen") == belongs(a, b, "seen") for a, b in whole)


def test_every_verb_of_the_opposites_has_its_forms():
    assert {base for pair in table("opposite_verbs") for base in pair} <= set(verbs())
    assert verbs()["carry"][1:] == ("carries", "carried", "carried", "carrying")
    assert verbs()["permit"][2:] == ("permitted", "permitted", "permitting")
    assert verbs()["begin"][2:] == ("began", "begun", "beginning")
    assert verbs()["reach"].third == "reaches"


WORDS = st.sampled_from(
    "The mill Ada Stone Boston in by was is not built 1890 1,200 5% three million rose all some first of the and , . May 4".split()
)


@settings(deadline=None)
@given(st.lists(WORDS, min_size=3, max_size=14), st.integers(0, 5))
def test_offsets_tell_what_was_changed_and_where(parts, seed):
    claim = " ".join(parts)
    for change in (*flips(claim, [claim], POOL, seed=seed), *rewrites(claim, seed=seed)):
        assert change.text != claim
        assert change.kind in (*KINDS, *REWRITES)
        assert len(change.spans) == len(change.origins)
        rebuilt, at = "", 0
        for (start, end), (first, last) in zip(change.spans, change.origins, strict=True):
            rebuilt += claim[at:first]
            assert len(rebuilt) == start
            rebuilt += change.text[start:end]
            at = last
        assert rebuilt + claim[at:] == change.text


def test_changes_are_the_same_for_the_same_seed_whatever_was_asked_before():
    claim, evidence = "Ada Stone sold 3 mills in Boston in 1890.", ["Ada Stone sold 3 mills in Boston in 1890."]
    first = flips(claim, evidence, POOL, seed=1)
    random.seed(5)
    assert flips(claim, evidence, POOL, seed=1, kinds=KINDS[::-1]) == first[::-1]
    assert {change.kind for change in first} >= {"number", "year", "negation"}
