"""What claims something, which label a reply in words gives, and scores that keep to their labels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.checkers.scores import consistent
from citewell.text.claims import makes_claim, support_labels
from citewell.types import LABELS

NO_CLAIMS = [
    "Yes.", "Sure!", "Here are the main points:", "What is it?", "  ", "Summary", "Key findings:", "**Answer**",
    "**Key takeaways:**", "## Revenue of the group", "Conclusion", "In conclusion:", "1. Overview", "II. Results",
    "Executive summary", "TL;DR:", "The main points:", "Sources", "*Final answer*", "Limitations and caveats",
    "**Financial performance:**", "Risks:", "Zusammenfassung", "Résumé :", "Respuesta:", "Wichtigste Ergebnisse",
]  # fmt: skip
CLAIMS = [
    "Yes, it rose.", "Here the ferry sank.", "OK Corral is in Arizona.", "Summary judgment was granted.",
    "The answer is Paris.", "Results improved.", "**41 million**", "**Paris**", "Paris", "41 million euros",
    "Answer: Paris", "The findings were disputed.", "No evidence was found.", "Conclusions differ by region.",
    "Revenue: 41 million", "**Revenue:** 41 million", "Sources close to the board denied it.", "#1 in its market.",
    "The overview was written by Ann.", "Two regions grew:", "In summary, sales fell.", "Key findings: sales fell.",
    "Notes of 1998 are missing.", "Section 4.2", "Zusammenfassung: Der Umsatz stieg.",
]  # fmt: skip


@pytest.mark.parametrize("text", NO_CLAIMS)
def test_headings_and_small_talk_make_no_claim(text):
    assert not makes_claim(text)


@pytest.mark.parametrize("text", CLAIMS)
def test_claims_that_look_like_headings_or_small_talk_are_claims(text):
    assert makes_claim(text)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("supported", "supported"),
        ("Fully supported.", "supported"),
        ("The evidence supports the claim", "supported"),
        ("The claim is entailed by the text", "supported"),
        ("No doubt supported", "supported"),
        ("Supported in full", "supported"),
        ("not fully supported", "partially_supported"),
        ("The claim isn't entirely supported", "partially_supported"),
        ("It doesn’t completely support the claim", "partially_supported"),
        ("partially_supported", "partially_supported"),
        ("Partly supported", "partially_supported"),
        ("It is only supported in part", "partially_supported"),
        ("partial support", "partially_supported"),
        ("partially unsupported", "partially_supported"),
        ("not_supported", "not_supported"),
        ("Not Supported.", "not_supported"),
        ("isn't supported", "not_supported"),
        ("unsupported", "not_supported"),
        ("The evidence does not support the claim", "not_supported"),
        ("not even partially supported", "not_supported"),
        ("There is no evidence that the claim is supported", "not_supported"),
        ("cannot be verified", "not_supported"),
        ("No support", "not_supported"),
        ("neither supported nor contradicted", "not_supported"),
        ("The evidence fails to support it", "not_supported"),
        ("contradicted", "contradicted"),
        ("The evidence refutes the claim", "contradicted"),
    ],
)
def test_labels_in_words_are_read_with_their_negation_and_degree(text, label):
    assert support_labels(text) == [label]


@pytest.mark.parametrize("text", ["", "maybe", "I cannot say", "not contradicted", "not unsupported"])
def test_words_that_give_no_label_are_none(text):
    assert support_labels(text) == []


def test_several_labels_are_all_told():
    assert support_labels("supported or not_supported") == ["supported", "not_supported"]


_BEST_FIRST = {"quoted": 3, "supported": 2, "partially_supported": 1, "not_supported": 0, "contradicted": 0}
_shares = st.floats(0, 1)


@given(st.sampled_from(sorted(_BEST_FIRST)), _shares, st.sampled_from(sorted(_BEST_FIRST)), _shares, _shares, _shares)
def test_the_better_label_never_has_the_lower_score(label, probability, other, second, supported, partial):
    first, then = consistent(label, probability, supported, partial), consistent(other, second, supported, partial)
    assert 0 <= first <= 1
    if _BEST_FIRST[label] > _BEST_FIRST[other]:
        assert first >= then


@given(st.sampled_from(LABELS), _shares)
def test_a_score_that_agrees_with_its_label_is_left_as_it_is(label, probability):
    agrees = {"supported": probability >= 0.5, "not_supported": probability < 0.3, "contradicted": probability < 0.3}
    if agrees.get(label, label == "partially_supported" and 0.3 <= probability < 0.5):
        assert consistent(label, probability, 0.5, 0.3) == probability
