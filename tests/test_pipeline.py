from dataclasses import dataclass, replace

import pytest

import citewell
from citewell.document import Document
from citewell.errors import SpecError, UsageError
from citewell.pipeline import Pipeline
from citewell.types import Abstention, Answer, Citation, Draft, Page, Place, Reason, Span, Verdict

REPORT = Document.from_text(
    "# Annual report\n\nNorthwater carried 4.1 million passengers in 2025. Fares rose by 3 percent in spring.\n\n"
    "The ferry Aurora was built in Turku. She is powered by batteries and a small diesel engine.\n\n"
    "Fuel costs fell to 18 million euros. The company employs 640 people in three harbours.",
    title="Report",
)


def holds(answer, document=REPORT):
    for citation in answer.citations:
        assert document.text[citation.start : citation.end] == citation.quote
        assert citation.document_id == document.id
    for statement in answer.statements:
        assert answer.text[statement.start : statement.end] == statement.text
        assert all(0 <= index < len(answer.citations) for index in statement.citations)
    return True


def test_a_question_is_answered_with_its_evidence():
    answer = citewell.ask(REPORT, "How many people does the company employ?")
    assert holds(answer)
    assert not answer.abstained
    assert "640 people" in answer.text
    assert (answer.statements[0].label, answer.statements[0].score) == ("quoted", 1.0)
    assert 0.5 < answer.confidence < 1
    assert "640 people" in answer.citations[answer.statements[0].citations[0]].quote
    assert answer.documents[0].title == "Report"
    assert answer.usage["seconds"] > 0


def test_a_question_that_the_document_does_not_answer_is_declined():
    answer = citewell.ask(REPORT, "Who painted the ceiling of the Sistine Chapel?")
    assert answer.abstained
    assert answer.abstention.reason in {"no_evidence", "low_confidence"}
    assert answer.statements == answer.citations == ()


def test_a_higher_bar_makes_it_abstain():
    question = "How many people does the company employ?"
    assert citewell.ask(REPORT, question, abstain=1.0).abstained
    assert not citewell.ask(REPORT, question, abstain=0.0).abstained


def test_somebody_elses_answer_gets_labels_and_evidence():
    answer = citewell.attribute(
        REPORT, "Fares rose by 3 percent. Penguins run the company's harbours at night. Thank you!"
    )
    assert holds(answer)
    assert [s.label for s in answer.statements] == ["supported", "not_supported", "no_claim"]
    assert answer.statements[0].citations == (0,)
    assert answer.method == "lexical"


@pytest.mark.parametrize("granularity", ["sentence", "paragraph", "token"])
def test_granularity_is_kept(granularity):
    answer = citewell.attribute(REPORT, "The Aurora was built in Turku.", granularity=granularity)
    assert holds(answer)
    assert {citation.granularity for citation in answer.citations} == {granularity}


def test_spans_are_attributed_instead_of_statements():
    text = "The Aurora was built in Turku and the company employs 640 people."
    answer = citewell.attribute(REPORT, text, spans=[(0, 29), (34, 64)], k=1)
    assert holds(answer)
    assert [citation.quote.split()[-1] for citation in answer.citations] == ["Turku.", "harbours."]
    assert answer.statements[0].citations == (0, 1)


def test_claims_are_checked_with_their_evidence():
    verdicts = citewell.check(REPORT, ["Fuel costs fell to 18 million euros.", "Fuel is made of cheese and wine."])
    assert verdicts[0].label == "supported"
    assert verdicts[0].score > 0.8
    assert verdicts[1].score < 0.5
    assert verdicts[0].citations[0].quote == "Fuel costs fell to 18 million euros."
    assert citewell.check(REPORT, "One claim as a string.")[0].claim == "One claim as a string."


def test_several_documents_are_cited_each_by_its_id():
    other = Document.from_text("The tram to the airport runs every ten minutes.")
    answer = citewell.attribute([REPORT, other], "The airport tram runs every ten minutes. Fares rose by 3 percent.")
    assert [citation.document_id for citation in answer.citations] == [other.id, REPORT.id]
    assert [info.id for info in answer.documents] == [REPORT.id, other.id]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: citewell.ask(REPORT, " "), "question is empty"),
        (lambda: citewell.attribute(REPORT, ""), "answer is empty"),
        (lambda: citewell.check(REPORT, ["x", " "]), "claim is empty"),
        (lambda: citewell.ask([], "x"), "no document"),
        (lambda: citewell.ask(3, "x"), "citewell.read"),
        (lambda: citewell.attribute(REPORT, "x", granularity="word"), "'word'"),
        (lambda: citewell.attribute(REPORT, "x", k=0), "at least 1"),
        (lambda: citewell.ask(REPORT, "x", abstain=2), "between 0 and 1"),
        (lambda: citewell.ask(REPORT, "x", colour="red"), "colour"),
    ],
)
def test_wrong_arguments_are_told_in_one_line(call, says):
    with pytest.raises(UsageError, match=says) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_an_unknown_method_is_told():
    with pytest.raises(SpecError, match="no attributor 'lexica'"):
        citewell.attribute(REPORT, "x", method="lexica")


@dataclass(frozen=True)
class Fixed:
    """A generator that says what it is told to."""

    draft: Draft

    def generate(self, question, documents, on_draft=None):
        return self.draft


def test_a_generators_own_sources_are_kept_and_the_rest_is_attributed():
    text = "Fares rose by 3 percent in spring. The ferry Aurora was built in Turku."
    start = REPORT.text.index("Fares")
    source = Citation(
        REPORT.id, "x", "sentence", REPORT.text[start : start + 34], start, start + 34, 0, 34, method="own"
    )
    draft = Draft(text, "q", (Span(0, 34), Span(35, 71)), sources=(source,), method="fixed", warnings=("note",))
    answer = Pipeline(generator=Fixed(draft)).run(REPORT, "q")
    assert holds(answer)
    assert [citation.method for citation in answer.citations] == ["own", "lexical"]
    assert answer.method == "fixed | lexical"
    assert answer.warnings == ("note",)


def test_a_generators_abstention_is_the_answers():
    draft = Draft("", "q", abstention=Abstention("declined"), method="fixed")
    answer = Pipeline(generator=Fixed(draft)).run(REPORT, "q")
    assert answer.abstained
    assert answer.abstention.reason == "declined"


def test_minimal_evidence_drops_what_is_not_needed():
    text = "The ferry Aurora was built in Turku."
    plenty = citewell.attribute(REPORT, text, method="retrieval(retriever=bm25)", k=3)
    least = citewell.attribute(REPORT, text, method="retrieval(retriever=bm25)", k=3, minimal=True)
    assert len(plenty.citations) == 3
    assert [citation.quote for citation in least.citations] == [text]
    assert least.statements[0].score >= plenty.statements[0].score


def test_an_answer_with_a_weak_statement_is_withheld():
    text = "Fares rose by 3 percent in spring. Penguins sell the tickets."
    draft = Draft(text, "q", (Span(0, 34), Span(35, 61)), method="fixed")
    assert not Pipeline(generator=Fixed(draft)).run(REPORT, "q").abstained
    answer = Pipeline(generator=Fixed(draft), abstain=0.5).run(REPORT, "q")
    assert answer.abstention.reason == "unsupported"
    assert answer.abstention.score < answer.abstention.threshold == 0.5
    assert "Penguins" in answer.abstention.message
    assert (answer.text, answer.statements, answer.citations) == ("", (), ())


def test_a_pipeline_is_built_once_and_reused():
    pipeline = Pipeline(attributor="lexical(gain=0.2)")
    assert pipeline._attributor is pipeline._attributor
    assert pipeline.attribute(REPORT, "Fares rose.").method == "lexical(gain=0.2)"


@dataclass(frozen=True)
class Weighed:
    """A generator that tells how sure it is and withholds below its own threshold."""

    confidence: float
    threshold: float = 0.5

    def generate(self, question, documents, on_draft=None):
        text = "Fares rose by 3 percent in spring."
        start = documents[0].text.index(text)
        source = Citation(documents[0].id, "p1.1", "sentence", text, start, start + len(text), 0, len(text))
        draft = Draft(
            text,
            question,
            (Span(0, len(text)),),
            sources=(source,),
            origin="quoted",
            cites=True,
            confidence=self.confidence,
            candidates=(source,),
        )
        return draft if self.confidence >= self.threshold else draft.unsure(self.threshold)


@pytest.mark.parametrize(
    ("confidence", "abstain", "threshold"),
    [(0.4, None, 0.5), (0.4, 0.3, None), (0.6, None, None), (0.6, 0.7, 0.7), (0.5, 0.5, None), (0.4, 0.45, 0.45)],
)
def test_the_pipelines_threshold_has_the_last_word_over_the_generators(confidence, abstain, threshold):
    """`threshold` is the one that the abstention names, None where the answer is given."""
    answer = Pipeline(generator=Weighed(confidence), abstain=abstain).run(REPORT, "q")
    assert answer.abstained is (threshold is not None)
    if threshold is None:
        assert answer.text == answer.citations[0].quote == "Fares rose by 3 percent in spring."
    else:
        abstention = answer.abstention
        assert (abstention.reason, abstention.score, abstention.threshold) == ("low_confidence", confidence, threshold)
        assert abstention.nearest[0].citation.quote == "Fares rose by 3 percent in spring."
        assert (answer.text, answer.statements, answer.citations) == ("", (), ())


def test_a_threshold_in_the_spec_and_one_of_the_pipeline_go_together():
    question = "How many people does the company employ?"
    sure = Pipeline().draft(REPORT, question).confidence
    assert 0.5 < sure < 1
    assert not Pipeline(generator="extractive(threshold=0.99)", abstain=0.3).run(REPORT, question).abstained
    assert Pipeline(generator="extractive(threshold=0.2)", abstain=0.99).run(REPORT, question).abstained
    assert Pipeline(generator="extractive(threshold=0.99)").run(REPORT, question).abstained


def test_what_somebody_wrote_is_withheld_only_as_the_answer_to_a_question():
    text, strict = "The ferry Aurora sank in a storm.", Pipeline(abstain=0.9)
    alone, answering = strict.attribute(REPORT, text), strict.attribute(REPORT, text, "What became of the Aurora?")
    assert alone.statements[0].score < 0.9
    assert not alone.abstained
    assert answering.abstained


def test_a_draft_tells_what_was_weighed_and_what_is_withheld():
    question = "How many people does the company employ?"
    draft = Pipeline(generator="extractive(threshold=1)").draft(REPORT, question)
    assert draft.abstention.reason == "low_confidence"
    assert "640 people" in draft.withheld.text
    assert "640 people" in draft.candidates[0].quote
    scores = [candidate.score for candidate in draft.candidates]
    assert scores == sorted(scores, reverse=True)
    assert draft.confidence == scores[0] == draft.abstention.score
    assert Pipeline().ground(REPORT, draft.withheld).citations[0].quote == draft.candidates[0].quote


@pytest.mark.parametrize("generator", ["extractive", "lead", "prompted(llm=scripted)", "nobody knows this one"])
def test_somebody_elses_answer_is_labelled_without_the_generator(generator):
    answer = Pipeline(generator=generator, uncited="leave").attribute(REPORT, "640 people.", "How many ships sail?")
    again = Pipeline().attribute(REPORT, "640 people.", "How many ships sail?")
    assert answer.statements == again.statements
    assert answer.citations == again.citations != ()
    assert Pipeline(generator=generator).check(REPORT, "The Aurora sank.") == Pipeline().check(
        REPORT, "The Aurora sank."
    )


def test_a_short_answer_that_a_model_wrote_is_judged_with_its_question():
    draft = Draft("640 people.", "How many ships sail to Norway every night?", (Span(0, 11),))
    alone = Pipeline().ground(REPORT, draft).statements[0].score
    assert Pipeline().ground(REPORT, replace(draft, origin="written")).statements[0].score < alone
    assert Pipeline().ground(REPORT, replace(draft, origin="quoted")).statements[0].score == alone


def test_a_draft_without_statements_is_grounded_by_those_in_its_text():
    draft = Draft("Fares rose by 3 percent in spring. The ferry Aurora was built in Turku.", "q")
    answer = Pipeline(generator=Fixed(draft)).run(REPORT, "q")
    assert [statement.label for statement in answer.statements] == ["supported", "supported"]
    assert holds(answer)


class Reasoned:
    """A checker that finds the same fault in every claim, at its last word."""

    name = "reasoned"

    def check(self, pairs):
        verdicts = []
        for pair in pairs:
            (cited, *_) = pair.citations
            place = Place(cited.document_id, cited.start, cited.start + 5)
            start = pair.claim.rindex(" ") + 1
            fault = Reason("number", start, len(pair.claim), place, "says otherwise")
            question = Reason("missing", 0, 3, None, "the question")
            reasons = (fault, question) if pair.claim.startswith("How") else (fault,)
            verdicts.append(Verdict(pair.claim, "contradicted", 0.12345678, pair.citations, reasons=reasons))
        return verdicts


def test_reasons_move_from_the_claim_into_the_answer_and_their_evidence_has_its_page():
    text = "Fares rose by 4. Fares rose in 2031."
    paged = replace(REPORT, pages=(Page(3, 0, len(REPORT.text), 300.0, 400.0),))
    answer = Pipeline(checker=Reasoned()).attribute(paged, text)
    for statement in answer.statements:
        (reason,) = statement.reasons
        assert text[reason.start : reason.end] == statement.text.split()[-1]
        assert (reason.evidence.page, statement.score) == (3, 0.123457)
        assert answer.citations[statement.citations[0]].start == reason.evidence.start


def test_a_reason_in_the_question_of_a_short_answer_is_about_all_of_the_answer():
    draft = Draft("3 percent", "How much did fares rise?", origin="written")
    (statement,) = Pipeline(checker=Reasoned()).ground(REPORT, draft).statements
    assert [(reason.start, reason.end) for reason in statement.reasons] == [(2, 9), (0, 9)]


def test_without_evidence_nothing_is_supported_and_the_checker_is_not_asked():
    answer = Pipeline(checker=Reasoned()).attribute(REPORT, "Zyxwv qponm. **Summary**")
    assert [statement.label for statement in answer.statements] == ["not_supported", "no_claim"]
    (reason,) = answer.statements[0].reasons
    assert (reason.kind, reason.start, reason.end, reason.evidence) == ("missing", 0, 12, None)
    (verdict,) = Pipeline(checker=Reasoned()).check(REPORT, "Zyxwv qponm.")
    assert (verdict.label, verdict.score, verdict.reasons[0].kind) == ("not_supported", 0.0, "missing")


def test_a_threshold_on_a_quoted_answer_is_one_of_its_confidence():
    question = "How many people does the company employ?"
    sure = Pipeline().run(REPORT, question).confidence
    assert Pipeline(abstain=sure + 0.01).run(REPORT, question).abstention.reason == "low_confidence"
    assert not Pipeline(abstain=sure - 0.01).run(REPORT, question).abstained


def test_a_written_answer_has_no_confidence():
    assert Pipeline().ground(REPORT, Draft("Fares rose.", "What rose?", origin="written")).confidence is None


def test_what_an_abstention_shows_has_its_place():
    paged = replace(REPORT, pages=(Page(3, 0, len(REPORT.text), 300.0, 400.0),))
    answer = Pipeline(abstain=1.0).run(paged, "How many people does the company employ?")
    assert answer.abstention.nearest[0].citation.page == 3
    assert Answer.from_dict(answer.to_dict()) == answer


@pytest.mark.parametrize("question", ["Where was the Aurora \ud800 built?", "a\ud800", "\udfff's harbour"])
def test_half_a_pair_of_surrogates_in_a_question_is_a_letter_like_others(question):
    document = Document.from_text("The ferry Aurora was built in Turku. Fares rose in spring.")
    assert citewell.ask(document, question).question == question
    assert citewell.attribute(document, f"The ferry {question}").statements
    assert citewell.check(document, [question])
