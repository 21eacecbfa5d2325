"""What a question takes for granted: a reason, a date or a yes is given for what the document says, or none is."""

import pytest

from citewell import Document, ask, read

REPORT = Document.from_text(
    "Hatch rates rose to 91 per cent in 2022, because the incubators were replaced.\n\n"
    "Feed costs fell by a tenth, since barley was cheap. The number of keepers did not change.\n\n"
    "Ravensworth Poultry was founded in 1922 by two brothers. It was listed in May 1968, and moved to Thirsk in 1990, "
    "after the old yard had burnt down.\n\n"
    "The yard at Bedale closed in June, when its lease ended. Eggs from Yarm were sold under the name of Ravensworth.",
    title="Ravensworth Poultry",
)


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("Why did hatch rates fall in 2022?", "“fall”; the evidence says “rose”"),
        ("Why did feed costs rise?", "“rise”; the evidence says “fell”"),
        ("What caused the decline in hatch rates?", "“decline”; the evidence says “rose”"),
        ("Why did the number of keepers change?", "states what the evidence denies"),
        ("When did the yard at Bedale open?", "“open”; the evidence says “closed”"),
    ],
)
def test_a_false_premise_gets_no_reason_and_no_date_but_a_warning(question, message):
    answer = ask(REPORT, question)
    assert answer.value is None
    assert any(message in warning for warning in answer.warnings)


def test_a_false_premise_is_answered_by_what_the_document_says():
    answer = ask(REPORT, "Why did hatch rates fall in 2022?")
    assert answer.text == "Hatch rates rose to 91 per cent in 2022, because the incubators were replaced."


def test_a_denial_of_something_else_turns_nothing_round():
    answer = ask(REPORT, "Why did the number of old keepers in Thirsk change?")
    assert not any("takes for granted" in warning for warning in answer.warnings)


@pytest.mark.parametrize(
    ("question", "reason"),
    [("Why did hatch rates rise in 2022?", "incubators"), ("Why did feed costs fall?", "barley")],
)
def test_a_true_premise_gets_its_reason(question, reason):
    answer = ask(REPORT, question)
    assert reason in answer.value.text
    assert not answer.warnings


@pytest.mark.parametrize(
    ("question", "date"),
    [
        ("When was Ravensworth Poultry founded?", "1922"),
        ("When was Ravensworth Poultry listed?", "May 1968"),
        ("When did the yard at Bedale close?", "June"),
    ],
)
def test_a_date_is_that_of_the_event_that_is_asked_for(question, date):
    assert date in ask(REPORT, question).value.text


def test_the_date_of_somebody_elses_event_is_no_answer():
    assert ask(REPORT, "When was Yarm founded?").abstained


@pytest.mark.parametrize("question", ["Did the yard at Bedale flood?", "Was Ravensworth Poultry sold to a competitor?"])
def test_whether_something_happened_is_withheld_where_nothing_says_so(question):
    assert ask(REPORT, question).abstained


OFFICERS = Document.from_text(
    "Ida Kestrel has been chief executive officer since 2020. Bo Lund is chief financial officer. Mo Rask, who chairs the "
    "board, is a former judge of the court at Skien.\n\n"
    "The sawmill at Drammen works in two shifts and cuts spruce for roofs. Timber is bought from nine hundred owners of "
    "forests, most of whom live in the valley. Bark and chips are burnt to dry the boards.\n\n"
    "The annual meeting was held in the old hall. Prices of timber fell in spring and rose again before the winter.",
    title="Kestrel Timber",
)


@pytest.mark.parametrize(
    ("question", "name"),
    [("Who is the CEO?", "Ida Kestrel"), ("Who is the CFO?", "Bo Lund"), ("Who is the chair of the board?", "Mo Rask")],
)
def test_an_office_is_known_by_its_abbreviation(question, name):
    answer = ask(OFFICERS, question)
    assert answer.question == question
    assert answer.value.text == name


@pytest.mark.parametrize("question", ["Who is the COO?", "Who is the chief accounting officer?", "Who is the auditor?"])
def test_no_other_officer_answers_for_one_that_is_not_named(question):
    assert ask(OFFICERS, question).abstained


SUPPOSED = Document.from_text(
    "Sales of ice were 4.1 million in 2023. If the contract with the harbour were lost, sales of ice would fall.\n\n"
    "Were the quay to be closed, freight costs would rise. Unless a buyer is found, the depot at Amble will close in "
    "2026.\n\n"
    "Rates for berths rose in 2023, because the dredging was paid for by the port."
)


@pytest.mark.parametrize(
    "question", ["Why did sales of ice fall?", "Why did freight costs rise?", "Why did sales of ice fall in 2023?"]
)
def test_what_a_document_only_supposes_is_no_event_that_it_gives_a_reason_for(question):
    assert ask(SUPPOSED, question).value is None


def test_a_reason_beside_suppositions_is_still_given():
    assert "dredging" in ask(SUPPOSED, "Why did rates for berths rise?").text


CREW = Document.from_text(
    "Our chief executive, Wilma van Oort, joined in 2011. The accounts were audited by Brant & Lowe LLP.\n\n"
    "Deputy chair Otto Prins speaks for the drivers. Foreign Secretary Jane Holt opened the depot, and the former chief "
    "financial officer, Ulf Berg, cut the ribbon. The general counsel of Heron Bank, Lena Moe, was a guest.\n\n"
    "Trams run every six minutes by day and every twenty by night. A new line to the port is planned.",
    title="Maas Trams",
)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who is the chief executive?", "Wilma van Oort"),
        ("Who is the auditor?", "Brant & Lowe LLP"),
        ("Who is the auditor of the company?", "Brant & Lowe LLP"),
    ],
)
def test_a_name_right_beside_an_office_is_its_holder(question, name):
    answer = ask(CREW, question)
    assert answer.value.text == name
    assert answer.citations[answer.value.citations[0]].quote == name


@pytest.mark.parametrize(
    "question",
    [
        "Who is the chair?",
        "Who is the secretary?",
        "Who is the CFO?",
        "Who is the general counsel?",
        "Who is the president?",
    ],
)
def test_the_holder_of_a_narrower_former_or_other_office_is_not_named(question):
    answer = ask(CREW, question)
    assert answer.abstained or answer.value is None


def test_the_rows_of_signatures_name_officers_unless_they_differ():
    rows = (
        "<p>Signed on behalf of the board:</p><table><tr><td>/s/ Ada Finch</td><td>Treasurer</td></tr>"
        "<tr><td>/s/ Tom Reyes</td><td>Company Secretary</td></tr>{}</table><p>Trams run every six minutes by day.</p>"
    )
    signed = read(rows.format("").encode(), name="trams.html")
    assert ask(signed, "Who is the treasurer?").value.text == "Ada Finch"
    assert ask(signed, "Who is the company secretary?").value.text == "Tom Reyes"
    second = read(rows.format("<tr><td>/s/ Kim Lund</td><td>Treasurer</td></tr>").encode(), name="trams.html")
    assert ask(second, "Who is the treasurer?").value is None
