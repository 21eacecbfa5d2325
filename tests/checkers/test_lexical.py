import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.checkers.aligned import Chances, verdicts
from citewell.checkers.lexical import LexicalChecker
from citewell.document import Document
from citewell.errors import UsageError
from citewell.pipeline import check
from citewell.protocols import Pair
from citewell.types import Citation, Span

REPORT = Document.from_text(
    "Northwater carried 4.1 million passengers in 2025. Fares rose by 3 percent in spring.\n\n"
    "The ferry Aurora was built in Turku. She is powered by batteries and a small diesel engine.\n\n"
    "Fuel costs fell to 18 million euros. The company employs 640 people in three harbours."
)


def judge(claim, document=REPORT):
    return LexicalChecker().check([Pair(claim, (document,))])[0]


@pytest.mark.parametrize(("yard", "label"), [("Lindholm", "supported"), ("Tolvik", "partially_supported")])
def test_what_stands_next_to_a_cited_sentence_is_no_name_that_it_lacks(yard, label):
    document = Document.from_text("The Lindholm yard lies in Bergen. In 2004 three old ferries were repaired there.")
    segment = document.segments("sentence")[1]
    claim = f"In 2004 three old ferries were repaired at {yard}."
    cited = Citation.of(segment, document.id, Span(0, len(claim)))
    (verdict,) = LexicalChecker().check([Pair(claim, (document,), (cited,))])
    assert verdict.label == label, verdict


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Northwater carried 4.1 million passengers in 2025.", "supported"),
        ("The ferry Aurora was built in Turku.", "supported"),
        ("The company employs 640 people in three harbours and an office in Oslo.", "partially_supported"),
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
    verdict = judge(claim)
    assert [claim[start:end] for start, end in verdict.uncovered] == ["nine hundred guests"]


def test_evidence_is_quoted_exactly():
    verdict = judge("The Aurora, built in Turku, is powered by batteries.")
    assert {citation.quote for citation in verdict.citations} >= {"The ferry Aurora was built in Turku."}
    assert all(REPORT.text[c.start : c.end] == c.quote for c in verdict.citations)


def cite(quote, document=REPORT):
    start = document.text.index(quote)
    return Citation(document.id, "p1.1", "sentence", quote, start, start + len(quote), 0, 1)


def test_only_what_is_cited_is_read():
    claim = "Fuel costs fell to 18 million euros."
    right, wrong = "Fuel costs fell to 18 million euros.", "The ferry Aurora was built in Turku."
    with_right, with_wrong = LexicalChecker().check(
        [Pair(claim, (REPORT,), (cite(right),)), Pair(claim, (REPORT,), (cite(wrong),))]
    )
    assert with_right.label == "supported"
    assert with_wrong.label == "not_supported"


def test_a_long_document_around_the_evidence_does_not_move_the_score():
    around = "\n\n".join(f"Chapter {number} tells of harbours, cranes and the weather." for number in range(300))
    longer = Document.from_text(f"{REPORT.text}\n\n{around}")
    claim, quote = "Fuel costs fell to 27 million euros.", "Fuel costs fell to 18 million euros."
    short, long = LexicalChecker().check(
        [Pair(claim, (REPORT,), (cite(quote),)), Pair(claim, (longer,), (cite(quote, longer),))]
    )
    assert (short.label, short.score) == (long.label, long.score)


def test_a_contradiction_says_both_sides_and_where():
    claim = "Fuel costs fell to 27 million euros."
    (verdict,) = LexicalChecker().check([Pair(claim, (REPORT,))])
    assert verdict.label == "contradicted"
    reason = verdict.reasons[0]
    assert reason.kind == "number"
    assert claim[reason.start : reason.end] == "27 million euros"
    assert REPORT.text[reason.evidence.start : reason.evidence.end] == "18 million euros"
    assert reason.message == "says 27 million euros; the evidence says 18 million euros"


def test_another_letter_is_contradicted_and_another_name_is_not():
    document = Document.from_text("Samples from well K were dry in June. The ferry Lunde carries 300 cars.")
    letter, name = (
        judge("Samples from well Q were dry in June.", document),
        judge("The ferry Skarv carries 300 cars.", document),
    )
    assert letter.label == "contradicted"
    assert (name.label, name.reasons[0].kind) == ("partially_supported", "entity")


def test_what_speaks_against_a_claim_lowers_the_score_of_a_contradiction_alone():
    def chances(claims, _evidence, _chances):
        return [Chances(0.4, 0.75)] * len(claims)

    claims = ("Fuel costs fell to 27 million euros.", "Fuel costs fell to 18 million euros in Oslo.")
    settings = LexicalChecker()._settings()._replace(second=chances)
    contradicted, partial = verdicts([Pair(claim, (REPORT,)) for claim in claims], settings)
    assert (contradicted.label, contradicted.score) == ("contradicted", pytest.approx(0.1))
    assert (partial.label, partial.score) == ("partially_supported", pytest.approx(0.4))


def test_another_language_is_not_judged():
    (verdict,) = LexicalChecker().check(
        [Pair("Die Treibstoffkosten fielen auf 18 Millionen und das ist gut.", (REPORT,))]
    )
    assert (verdict.label, verdict.score) == ("unverified", 0.0)


def test_a_short_answer_needs_its_own_words_in_the_evidence():
    question = "Where was the ferry Aurora built? "
    for answer, label in (
        ("In Turku.", "supported"),
        ("In Turku by monks.", "not_supported"),
        ("On the moon.", "not_supported"),
    ):
        pair = Pair(question + answer, (REPORT,), (cite("The ferry Aurora was built in Turku."),), len(question))
        assert LexicalChecker().check([pair])[0].label == label


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
    verdict = judge(claim, Document.from_text(source))
    assert 0 <= verdict.score <= 1
    assert all(0 <= start < end <= len(claim) for start, end in verdict.uncovered)


@pytest.mark.parametrize(
    ("evidence", "claim", "message"),
    [
        ("After tax of €660,000 the surplus was €2.62 million.", "The surplus was €3.4 million.", "€2.62 million"),
        ("With 40 ships sold the fleet had 310 vessels.", "The fleet had 280 vessels.", "310"),
        ("Of 900 applicants the school took 120 pupils.", "The school took 150 pupils.", "120"),
    ],
)
def test_the_figure_that_stands_on_the_same_side_of_its_words_is_held_against(evidence, claim, message):
    (verdict,) = check(Document.from_text(evidence), claim)
    assert verdict.label != "supported"
    assert message in next(reason.message for reason in verdict.reasons if reason.kind in ("number", "magnitude"))


def test_a_share_of_something_is_held_against_no_amount_of_money():
    (verdict,) = check(Document.from_text("The surplus was €2.62 million."), "Half of the surplus was paid out.")
    assert verdict.label != "supported"
    assert not any("evidence says €" in reason.message for reason in verdict.reasons)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Fuel costs fell.", "If the contract were lost, fuel costs would fall."),
        ("Fares increased in 2026.", "Fares will increase in 2026."),
        ("The board sold two ferries.", "The board could also sell two ferries."),
        ("The merger was approved.", "The merger may have been approved."),
        ("The yard built a tug.", "The yard might eventually have built a tug."),
    ],
)
def test_what_is_only_supposed_has_not_happened(claim, evidence):
    verdict = judge(claim, Document.from_text(evidence))
    assert (verdict.label, verdict.reasons) == ("partially_supported", ())


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Fuel costs fell.", "Fuel costs fell, and they may fall again."),
        ("She became president in 1999.", "She would become president in 1999."),
        ("The ship was sold in May.", "In May the ship was sold."),
        ("Fares may have increased.", "Fares may have increased."),
        ("The firm announced that it may sell the yard.", "The firm announced that it may sell the yard."),
        ("The lease is governed by the law of Norway.", "The lease shall be governed by the law of Norway."),
    ],
)
def test_what_happened_or_is_claimed_as_supposed_stays_supported(claim, evidence):
    assert judge(claim, Document.from_text(evidence)).label == "supported"


def test_a_claim_in_another_language_is_not_judged_and_says_why_from_end_to_end():
    claim = "Der Umsatz stieg im Jahr zweitausend um vier Prozent und die Kosten fielen."
    (verdict,) = check(REPORT, [claim])
    (reason,) = verdict.reasons
    assert (verdict.label, reason.kind, reason.evidence) == ("unverified", "language", None)
    assert (reason.start, reason.end) == (0, len(claim))


def test_what_only_the_rest_of_a_document_has_is_not_covered_by_a_citation():
    document = Document.from_text("The hall was sold to a smith. In 1975 the harbour froze.")
    claim = "The hall was sold to a smith in 1975."
    cited = Citation.of(document.segments("sentence")[0], document.id, Span(0, len(claim)), 1.0, "lexical")
    (verdict,) = LexicalChecker().check([Pair(claim, (document,), (cited,))])
    assert verdict.label != "supported"
    assert [claim[slice(*span)] for span in verdict.uncovered] == ["1975"]


def test_a_claim_over_three_sentences_cites_all_three():
    facts = (
        "The hall was sold to a smith in May.",
        "The mill burned down in June.",
        "The ferry sank off Tarn in July.",
    )
    document = Document.from_text(" ".join(facts))
    verdict = judge(
        "The hall was sold to a smith in May, the mill burned down in June and the ferry sank off Tarn in July.",
        document,
    )
    assert (verdict.label, sorted(cited.quote for cited in verdict.citations)) == ("supported", sorted(facts))
