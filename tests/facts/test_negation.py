"""Which words a sentence denies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell import Document, check
from citewell.facts.extract import extract


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("Sales did not rise, but costs fell.", "rise"),
        ("He did not fail to win.", "fail to"),
        ("The firm failed to repay its debt.", "repay its debt"),
        ("They won without their captain.", "their captain"),
        ("Not only did sales rise, profits rose.", ""),
        ("The air doesn't hold water and isn't warm.", "hold water and warm"),
        ("Neither party will, for now, publish it.", "party will for now publish it"),
        ("She shall not, without consent, publish it.", "consent publish it"),
        ("It was not Ann who founded the firm.", "Ann"),
        ("Ann has yet to write for television.", "write for television"),
        ("Profits rose in every region.", ""),
        ("The fog kept the pilots from landing there.", "landing there"),
        ("The mayor avoided raising the tax.", "raising the tax"),
        ("The ship kept its crew, and came from sailing.", ""),
        ("They kept grain from 2010.", ""),
        ("Smoking of any kind is strictly prohibited in the hall.", "Smoking"),
        ("Entry is forbidden to strangers.", "Entry"),
        ("It is forbidden to feed swans.", "to feed swans"),
        ("The lease prohibits subletting.", "subletting"),
        ("The clerk is prohibited by law from telling names.", "telling names"),
        ("They may do so unless prohibited by law.", ""),
        ("It is not unusual for geese to stay.", "unusual"),
        ("It is not usual for geese to stay.", "usual for geese to stay"),
        ("Neither the mill nor the barn burned.", "the mill the barn burned"),
        ("The crew did not leave the ship and repaired its engine.", "leave the ship"),
        ("The crew did not leave the ship and its cargo.", "leave the ship and its cargo"),
        ("They never surrendered and fled.", "surrendered"),
        (
            "It will not, whatever the ministers of both states may say of it before the vote, raise tolls.",
            "raise tolls",
        ),
    ],
)
def test_a_cue_denies_the_words_in_its_scope(text: str, denied: str) -> None:
    facts = extract(text)
    words = zip(facts.tokens.starts, facts.tokens.ends, facts.denied, strict=True)
    assert " ".join(text[start:end] for start, end, flag in words if flag) == denied


@given(st.text(alphabet="not never without and , but no rise fall 'n", max_size=80))
def test_every_cue_stands_in_the_text_and_its_scope_in_the_words(text: str) -> None:
    facts = extract(text)
    for cue in facts.negations:
        assert 0 <= cue.start < cue.end <= len(text)
        assert 0 <= cue.first <= cue.last <= len(facts.tokens)


@pytest.mark.parametrize(
    ("evidence", "claim", "label"),
    [
        ("The licence is invalid outside Norway.", "The licence is not valid outside Norway.", "supported"),
        ("The committee was unwilling to publish its minutes.", "The committee was not willing to publish its minutes.", "supported"),
        ("Exports rose in 2019.", "Exports did not fall in 2019.", "supported"),
        ("Exports rose in 2019.", "Exports did not rise in 2019.", "contradicted"),
        ("The licence is invalid outside Norway.", "The licence is valid outside Norway.", "contradicted"),
    ],
)  # fmt: skip
def test_an_opposite_that_is_denied_says_the_same(evidence, claim, label):
    assert check(Document.from_text(evidence), [claim])[0].label == label


@pytest.mark.parametrize("evidence", ["Exports did not fall in 2019.", "The water was not cold."])
def test_a_denied_end_does_not_bear_the_other_out(evidence):
    claim = evidence.replace("did not fall", "rose").replace("not cold", "hot")
    assert check(Document.from_text(evidence), [claim])[0].label != "supported"


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ("The hot water tank failed.", "The tank did not hold cold water."),
        ("The firm is liable for indirect losses.", "The firm is not liable for direct losses."),
        ("The service is unavailable on Sundays.", "The service is not available on Mondays."),
        ("Exports rose while imports fell.", "Imports did not fall."),
    ],
)
def test_only_the_word_that_is_denied_first_is_turned(evidence, claim):
    assert check(Document.from_text(evidence), [claim])[0].label != "supported"


@pytest.mark.parametrize(
    ("evidence", "claim", "label"),
    [
        ("Visitors are forbidden to feed the swans.", "Visitors can feed the swans.", "contradicted"),
        ("The use of drones is banned in the park.", "Drones may be used in the park.", "contradicted"),
        ("The lease prohibits subletting by the tenant.", "The tenant may sublet.", "contradicted"),
        ("Guests may smoke in the hall.", "Smoking is prohibited in the hall.", "contradicted"),
        ("Smoking is prohibited in the hall.", "Smoking is not permitted in the hall.", "supported"),
        ("Smoking is prohibited in all rooms, including the hall.", "Smoking is prohibited in the hall.", "supported"),
        ("Guests may smoke in the hall.", "Guests may smoke in the hall.", "supported"),
    ],
)
def test_what_is_forbidden_is_not_done_and_may_not_be_done(evidence, claim, label):
    assert check(Document.from_text(evidence), claim)[0].label == label


@pytest.mark.parametrize(
    "evidence",
    [
        "Smoking of any kind is prohibited in all City buildings and grounds, including City vehicles.",
        "It is forbidden to smoke in City vehicles.",
    ],
)
def test_what_is_forbidden_does_not_bear_out_that_it_may_be_done(evidence):
    assert check(Document.from_text(evidence), "Employees may smoke in City vehicles.")[0].label != "supported"


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ("The book printed in 1922 was banned in Boston.", "The book was printed in 1922."),
        ("The strike of the dockers was illegal and ended in May.", "The strike ended in May."),
        ("The party founded in 1919 was outlawed in 1933.", "The party was founded in 1919."),
        ("Hunting of whales was banned in 1986.", "Whales were hunted until 1986."),
        ("Entry was forbidden to strangers until 1990.", "Strangers could enter from 1990."),
        ("Fishing is prohibited from May to July.", "Fishing is allowed in August."),
        ("The merger was prohibited by the court in 2010.", "The companies planned a merger in 2010."),
        ("The act forbids child labour.", "The act was passed in 1933."),
        ("Smoking is prohibited unless the host agrees.", "Guests may smoke if the host agrees."),
    ],
)
def test_what_was_forbidden_may_have_been_and_may_be_at_other_times(evidence, claim):
    assert check(Document.from_text(evidence), claim)[0].label != "contradicted"
