"""Follow-ups as whole questions; what stands alone is never changed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.pipeline.conversation.follow_up import rewrite
from citewell.pipeline.conversation.frames import Turn, frame

BEFORE_AFTER = [
    ("How much notice must we give if we just want out?", "And if the other side broke the deal?",
     "How much notice must we give if the other side broke the deal?"),
    ("Who pays the fee?", "And if the buyer withdraws?", "Who pays the fee if the buyer withdraws?"),
    ("Who pays when the buyer withdraws?", "What about when the seller does?", "Who pays when the seller does?"),
    ("How much faster was it than ordinary cranes?", "And what about the wait for a lamp, did it meet the target?",
     "Did the wait for a lamp meet the target?"),
    ("What happens if we hand the form in late?", "And for lamps on other days, how far ahead?",
     "How far ahead for lamps on other days?"),
    ("What was revenue in 2022?", "And what may change?", "And what may change?"),
    ("How many ports does Oriel serve in that country?", "And in the rest of the world?",
     "How many ports does Oriel serve in the rest of the world?"),
    ("How many ports are there in the north region?", "And in the south?", "How many ports are there in the south region?"),
    ("How much does a crossing cost before tax?", "And with tax?", "How much does a crossing cost with tax?"),
    ("How many elderly passengers were moved to another ship?", "How many of them went into a hospital?",
     "How many elderly passengers went into a hospital?"),
    ("How many children were in the trial of the vest?", "In which towns were its centres?",
     "In which towns were the trial’s centres?"),
    ("When may the landlord enter the flat?", "How must it be announced?", "How must the flat be announced?"),
    ("How often are the same ones visited?", "Which agency carries it out?", "Which agency carries it out?"),
    ("Where can I look at Oriel's permit?", "Where is there more about its scope?",
     "Where is there more about Oriel’s scope?"),
    ("What was the fare income in 2018?", "And in 2019?", "What was the fare income in 2019?"),
    ("What was the fare income in 2018?", "2017?", "What was the fare income in 2017?"),
    ("What was the fare income in 2018?", "the year before?", "What was the fare income in 2017?"),
    ("How many ships sailed in Norway?", "and in Denmark?", "How many ships sailed in Denmark?"),
    ("How many ships does Oriel own?", "And Tarrow?", "How many ships does Tarrow own?"),
    ("What was Oriel's fare income in 2018?", "and Tarrow's?", "What was Tarrow's fare income in 2018?"),
    ("What was fare income in 2018?", "What about fuel costs?", "What was fuel costs in 2018?"),
    ("Did the number of passengers fall in 2018?", "Why?", "Why did the number of passengers fall in 2018?"),
    ("By how much did fares rise in 2018?", "why is that?", "Why did fares rise in 2018?"),
    ("When did the storm end?", "Where?", "Where did the storm end?"),
    ("What were fuel costs in 2018?", "as a percentage of fare income?",
     "What was fuel costs as a percentage of fare income in 2018?"),
    ("What is TideNet?", "Who built it?", "Who built TideNet?"),
    ("What is the notice period?", "Does it apply to both parties?", "Does the notice period apply to both parties?"),
    ("What does the company do?", "Where is it based?", "Where is the company based?"),
    ("How many ships does Oriel own in Norway?", "And how many of those are ferries?", "How many ships are ferries?"),
    ("How many people work in Norway?", "What about outside it?", "How many people work outside Norway?"),
    ("Where was the treaty signed?", "By whom?", "By whom was the treaty signed?"),
    ("What must the tenant send?", "Within how many days?", "What must the tenant send: within how many days?"),
    ("How many ports does TideNet serve?", "Under which licence is it released?",
     "Under which licence is TideNet released?"),
    ("Who is the main buyer of Oriel's Freight and Cargo segment?", "Which other buyers does the segment have?",
     "Which other buyers does Oriel's Freight and Cargo segment have?"),
    ("Under what conditions may the Lender call the loan?", "Does it have to give notice?",
     "Does the Lender have to give notice?"),
    ("What does the policy say about cookies?", "How can I turn them off?", "How can I turn cookies off?"),
    ("Are ferry staff in Norway insured?", "How many are there?", "How many ferry staff in Norway are there?"),
    ("How many slow trains stop at Skelby?", "And the fast ones?", "How many fast trains stop at Skelby?"),
    ("How many boats does eTide own?", "Where is it based?", "Where is eTide based?"),
    ("Where did Ann Oxley open her shop?", "In what year was that?", "In what year did Ann Oxley open her shop?"),
    ("How many people worked for Oriel at the end of 2020?", "How many of them were in Norway?",
     "How many people worked for Oriel at the end of 2020 in Norway?"),
    ("How many ships sailed in Norway?", "And abroad?", "How many ships sailed abroad?"),
    ("Why does Tarrow expect less income from Skelby?", "When did that income fall?",
     "When did income from Skelby fall?"),
    ("For how long after the sale may Oriel not sell Tarrow shares?", "What would let it sell them?",
     "What would let Oriel sell them?"),
    ("Why was Innis left out of the ferry plan?", "In which year was it told?", "In which year was Innis told?"),
    ("What were the life vests made of?", "Did they sink?", "Did the life vests sink?"),
    ("On what day was the winter timetable agreed?", "Who signed that timetable?",
     "Who signed the winter timetable?"),
    ("How many sailors were trained in the Oriel course?", "In how many ports?",
     "In how many ports were sailors trained in the Oriel course?"),
    ("In how many ports were sailors trained?", "In which countries were these?", "In which countries were the ports?"),
    ("What was cash at the end of 2019?", "And in 2018?", "What was cash at the end of 2018?"),
    ("What was fare income in the second quarter of 2019?", "And in 2018?",
     "What was fare income in the second quarter of 2018?"),
    ("What was fare income for the full year 2019?", "And 2018?", "What was fare income for the full year 2018?"),
    ("What are these papers about?", "Which ferries do they study?", "Which ferries do the authors study?"),
    ("Which ferries do the authors study?", "Which ports do they name?", "Which ports do the authors name?"),
    ("What problem does the paper solve?", "Which ferries do they use?", "Which ferries do the authors use?"),
    ("Who are the parties of this contract?", "When was it signed?", "When was the contract signed?"),
    ("What is this paper about?", "Who wrote it?", "Who wrote the paper?"),
    ("What is this document about?", "Which ports does it cover?", "Which ports does the document cover?"),
    ("What is this report about?", "What are its limits?", "What are the limits?"),
    ("What does the report say about ferries?", "Who published it?", "Who published the report?"),
    ("What does the report say about ferries?", "When does it end?", "When does the report end?"),
    ("Who owns Oriel?", "When was it published?", "When was the document published?"),
    ("What are the risks?", "Tell me more", "What does the document say about risks?"),
    ("How long is the summer season?", "And the winter season?", "How long is the winter season?"),
    ("What was fare income in the third quarter of 2019?", "And a year earlier?",
     "What was fare income in the third quarter of 2018?"),
    ("Where was the census done?", "When was it done?", "When was the census done?"),
    ("Who is Oriel?", "Where is it based?", "Where is Oriel based?"),
    ("When does the lease end?", "And when the buyer is late?", "When does the lease end when the buyer is late?"),
]  # fmt: skip
UNKNOWN = [
    ("On what condition did the Harbour Office let the sale go ahead?", "Who bought them?"),
    ("What part of the crew was ill?", "How many of them were treated?"),
    ("Who is the chair?", "What did that ferry cost?"),
    ("How old did people have to be to take part?", "Did it improve their health?"),
    ("How many trains stop at Skelby?", "And the green ones?"),
    ("Who can run for harbour master?", "And when are the results of that vote announced?"),
    ("Who pays for repairs?", "And where is the rent paid?"),
    ("How much will I have to pay next year?", "Can they raise it by more than that?"),
]
WHOLE = [
    "What was net income in 2022?",
    "Is it true that fares fell?",
    "How long does it take to reach Innis?",
    "When was the pier built and who owned it?",
    "What is this document about?",
    "Is there a limit on claims?",
    "Who wrote that this method fails?",
    "Which ships does Oriel own?",
    "List the members of the board.",
]


@pytest.mark.parametrize(("before", "question"), UNKNOWN)
def test_what_nothing_stands_for_stays(before, question):
    assert rewrite(question, [Turn(before)]) == question


@pytest.mark.parametrize(("before", "question", "whole"), BEFORE_AFTER)
def test_a_follow_up_becomes_a_whole_question(before, question, whole):
    assert rewrite(question, [Turn(before)]) == whole


@pytest.mark.parametrize("question", WHOLE)
@pytest.mark.parametrize("before", ["What was revenue in 2021?", "Who is the chair?", "Did costs rise?"])
def test_a_whole_question_is_never_changed(before, question):
    assert rewrite(question, [Turn(before, "Ada Kestrel", "2021", "name")]) == question


@given(st.text(max_size=120))
def test_the_first_question_is_never_changed(question):
    assert rewrite(question, []) == question


SUBJECT = st.sampled_from(["revenue", "the fleet", "operating costs", "the number of ships", "Oriel"])
YEAR = st.integers(1950, 2049).map(str)


@given(SUBJECT, YEAR, SUBJECT, YEAR)
def test_questions_of_their_own_stay(first, year, second, other):
    question = f"What was {second} worth in {other}?"
    assert rewrite(question, [Turn(f"What was {first} in {year}?", "12", year, "money")]) == question


@given(SUBJECT, YEAR, YEAR)
def test_another_year_is_put_in_the_place_of_the_first(subject, year, other):
    before = f"What was {subject} in {year}?"
    assert rewrite(f"And in {other}?", [Turn(before)]) == f"What was {subject} in {other}?"


@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=30))
def test_no_text_breaks_the_rules(before, question, reply):
    whole = rewrite(question, [Turn(before, reply)])
    assert isinstance(whole, str)
    assert bool(whole.strip()) == bool(question.strip())


AFTER_SEVERAL = [
    (["What is this contract about?", "What is Quiet Enjoyment?"], "Which law governs it?",
     "Which law governs the contract?"),
    (["What is the Tarrow charter agreement?"], "Which law governs it?", "Which law governs Tarrow charter agreement?"),
    (["What is this study about?", "Which ferries were late?", "What is the main finding?"], "Who paid for it?",
     "Who paid for the study?"),
    (["What is this study about?", "What is fog?"], "Where was it conducted?", "Where was the study conducted?"),
    (["What is this study about?", "What is the Skelby survey?"], "Where was it conducted?",
     "Where was Skelby survey conducted?"),
    (["What is this manual about?", "What is a berth?"], "How do I install it?", "How do I install the manual?"),
    (["What is this charter about?", "Who is Oriel?"], "When does it end?", "When does the document end?"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "question", "whole"), AFTER_SEVERAL)
def test_it_is_what_the_question_can_be_asked_of_else_what_is_read(before, question, whole):
    assert rewrite(question, [Turn(each) for each in before]) == whole


def test_it_is_the_study_and_not_those_who_wrote_it():
    turns = [Turn("Who wrote the study?", "Ann Oxley, Per Lund", "", "name")]
    assert rewrite("Where was it done?", turns) == "Where was the study done?"


def test_a_person_is_who_was_answered():
    turns = [Turn("Who is the chair of the board?", "Ada Kestrel", "", "name")]
    assert rewrite("When was she appointed?", turns) == "When was Ada Kestrel appointed?"


def test_a_company_that_was_answered_is_named_again():
    turns = [Turn("Who runs the ferries?", "Oriel Lines", "", "name")]
    assert rewrite("What does that company pay?", turns) == "What does Oriel Lines pay?"


LIST = "Three rules: 1. Care – we look after people; 2. Speed – we sail on time; and 3. Thrift – we waste nothing."


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("What does the first of them mean?", "What does Care mean?"),
        ("And the last one?", "What is Thrift?"),
        ("Tell me about the fifth one.", None),
    ],
)
def test_an_item_of_the_answered_list_is_named(question, whole):
    turns = [Turn("What are the rules?", text=LIST)]
    assert rewrite(question, turns) == (whole or question)


def test_a_list_is_remembered_over_a_turn():
    turns = [Turn("What are the rules?", text=LIST), Turn("What does Care mean?", text="We look after people.")]
    assert rewrite("And the last one?", turns) == "What does Thrift mean?"


def test_the_one_that_was_answered_is_asked_why():
    turns = [Turn("Which has the lower rate, Oriel or Tarrow?", "Tarrow", "", "name")]
    assert rewrite("Why is that?", turns) == "Why has Tarrow the lower rate?"


def test_follow_ups_build_on_each_other():
    turns = [Turn("What was revenue in 2020?")]
    for question, whole in (
        ("And in 2021?", "What was revenue in 2021?"),
        ("and net income?", "What was net income in 2021?"),
        ("the year after?", "What was net income in 2022?"),
    ):
        turns.append(Turn(rewrite(question, turns)))
        assert turns[-1].question == whole


@given(SUBJECT, YEAR)
def test_a_frame_is_its_question(subject, year):
    question = f"What was {subject} in {year}"
    assert "".join(frame(question)) == question


@pytest.mark.parametrize(
    ("before", "question", "whole"),
    [
        ("What is the rent in the Oriel lease?", "And in the Tarrow lease?", "What is the rent in the Tarrow lease?"),
        (
            "What is the rent in the Oriel lease in 2020?",
            "in the Tarrow one?",
            "What is the rent in the Tarrow one in 2020?",
        ),
        (
            "What does the policy of Oriel say on fares?",
            "And of Tarrow?",
            "What does the policy of Tarrow say on fares?",
        ),
    ],
)
def test_a_document_that_is_named_with_its_kind_goes_whole(before, question, whole):
    assert rewrite(question, [Turn(before)]) == whole


@pytest.mark.parametrize(
    ("before", "question", "whole"),
    [
        ("Where was the season filmed?", "And the sixth season?", "Where was the sixth season filmed?"),
        ("When was the treaty signed?", "And the second treaty?", "When was the second treaty signed?"),
        ("Who was Ann Oxley?", "And the harbour master?", "Who was the harbour master?"),
        ("What is the Harbour Fund?", "Who may use it?", "Who may use Harbour Fund?"),
        ("What is Harbour Money?", "Who may use it?", "Who may use Harbour Money?"),
    ],
)
def test_what_was_done_and_articles_and_names_stay_whole(before, question, whole):
    assert rewrite(question, [Turn(before)]) == whole


def test_the_year_before_is_that_before_the_last_year_that_was_spoken_of():
    turns = [Turn("What was revenue in 2022?"), Turn("Who leads the company?")]
    assert rewrite("And the year before?", turns) == "What was revenue in 2021?"
    assert rewrite("And the year before?", turns[1:]) == "And the year before?"


def test_what_is_asked_of_both_years_names_them_and_the_figure():
    turns = [Turn("What was fare income in 2019?"), Turn("What was fare income in 2018?")]
    assert (
        rewrite("What was the average of both years?", turns) == "What was the average of fare income of 2018 and 2019?"
    )
