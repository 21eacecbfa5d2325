import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.checkers.features import NAMES, look
from citewell.checkers.lexical import LexicalChecker, probabilities
from citewell.document import Document
from citewell.errors import UsageError
from citewell.protocols import Pair
from citewell.text.index import index

REPORT = Document.from_text(
    "Northwater carried 4.1 million passengers in 2025. Fares rose by 3 percent in spring.\n\n"
    "The ferry Aurora was built in Turku. She is powered by batteries and a small diesel engine.\n\n"
    "Fuel costs fell to 18 million euros. The company employs 640 people in three harbours."
)


def judge(claim, document=REPORT):
    return LexicalChecker().check([Pair(claim, (document,))])[0]


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Northwater carried 4.1 million passengers in 2025.", "supported"),
        ("The ferry Aurora was built in Turku.", "supported"),
        ("The Aurora was built in Turku by a shipyard that later went bankrupt.", "partially_supported"),
        ("Penguins breed on Antarctic coasts every winter.", "not_supported"),
        ("Thank you!", "no_claim"),
        ("I hope this helps!", "no_claim"),
        ("Is there anything else you would like to know?", "no_claim"),
        ("...", "no_claim"),
        ("# Results", "no_claim"),
    ],
)
def test_labels_are_what_a_reader_would_say(claim, label):
    assert judge(claim).label == label


def test_a_wrong_number_lowers_the_score():
    right, wrong = judge("Fuel costs fell to 18 million euros."), judge("Fuel costs fell to 27 million euros.")
    assert wrong.score < right.score - 0.1


def test_a_wrong_name_lowers_the_score():
    assert (
        judge("The ferry Aurora was built in Gdansk.").score < judge("The ferry Aurora was built in Turku.").score - 0.1
    )


def test_a_denial_lowers_the_score():
    assert judge("Fares never rose by 3 percent in spring.").score < judge("Fares rose by 3 percent in spring.").score


def test_the_words_that_lack_evidence_are_named():
    claim = "The Aurora was built in Turku for nine hundred guests."
    found = judge(claim)
    assert [claim[start:end] for start, end in found.uncovered] == ["nine hundred guests"]


def test_evidence_is_quoted_exactly():
    found = judge("The Aurora, built in Turku, is powered by batteries.")
    assert {citation.quote for citation in found.citations} >= {"The ferry Aurora was built in Turku."}
    assert all(REPORT.text[c.start : c.end] == c.quote for c in found.citations)


def test_features_are_those_of_the_hand():
    document = Document.from_text("Ada met Bob. Carl came in 1999.")
    (seen,) = look(index([document]), ["Ada met Zed in 1998"])
    features = dict(zip(NAMES, seen.features.tolist(), strict=True))
    assert features["number_far"] == features["number_nowhere"] == 1
    assert features["names_lacking"] == 1  # Ada opens the claim and does not count
    assert features["plain_pair"] == pytest.approx(2 / 4)  # ada, met of ada, met, zed, 1998
    assert features["negation"] == 0
    assert 0 < features["runs"] == features["pair"] < 1  # "Ada met" is a run


def test_probabilities_grow_with_coverage():
    empty, full = look(index([REPORT]), ["Zebra xylophone", "Fares rose by 3 percent in spring"])
    assert probabilities(empty.features)[0] < 0.2
    assert probabilities(full.features)[0] > 0.8


def test_claims_together_are_judged_as_each_alone():
    claims = [
        "Fares rose by 3 percent in spring.",
        "",
        "The Aurora was built in Turku for nine hundred guests.",
        "Thanks!",
    ]
    other = Document.from_text("Fares fell.")
    pairs = [Pair(claim, (document,)) for claim in claims for document in (REPORT, other)]
    assert LexicalChecker().check(pairs) == [LexicalChecker().check([pair])[0] for pair in pairs]


def test_a_claim_without_documents_is_refused():
    with pytest.raises(UsageError, match="at least one document"):
        LexicalChecker().check([Pair("x", ())])


@given(st.text(max_size=80), st.text(min_size=1, max_size=120))
def test_any_text_gets_a_verdict(claim, source):
    if not source.strip():
        return
    found = judge(claim, Document.from_text(source))
    assert 0 <= found.score <= 1
    assert all(0 <= start < end <= len(claim) for start, end in found.uncovered)
