"""A short answer is of the kind that is asked for, and a number counts what "how many" asks for; else there is none."""

import pytest

from citewell import ask
from citewell.document import Document
from citewell.generators.extractive.phrases.sorts import counts, of_kind
from citewell.generators.extractive.questions import analyse
from citewell.generators.extractive.showing import has_amount, has_time, may_tell


@pytest.mark.parametrize(
    ("question", "text", "fits"),
    [
        ("What was capacity in 2016?", "Capacity rose", False),
        ("What was the capacity of the mill in 2016?", "the capacity of the mill shrank", False),
        ("What was capacity in 2016?", "40 tons a day", True),
        ("What was the name of the mill in 2016?", "Skelby Works", True),
        ("When was the mill opened?", "three offices", False),
        ("When was the mill opened?", "the spring of 1931", True),
        ("In which year was the mill opened?", "together with the quay", False),
        ("Who chose the site?", "a permit for the company", False),
        ("Who chose the site?", "Disclosing Party chooses", False),
        ("Who chose the site?", "Ann Oxley, the chandler", True),
        ("Who chose the site?", "the board", True),
        ("Who chose the site?", "two nurses", True),
        ("Who chose the site?", "Tarrow Freight", True),
        ("Who keeps the site clean?", "the women of the town", True),
        ("In which city is the mill?", "This supply agreement", False),
        ("In which city is the mill?", "the strong growth", False),
        ("In which city is the mill?", "Skelby", True),
        ("In which city is the mill?", "in New York", True),
        ("Where do the swans sleep?", "in the lake", True),
        ("Where do the swans sleep?", "the old harbour in Norway", True),
    ],
)
def test_a_short_answer_is_of_the_kind_that_is_asked_for(question, text, fits):
    assert of_kind(analyse(question), text) is fits


@pytest.mark.parametrize(
    ("text", "has"),
    [
        ("16-01", False),
        ("rule 1.1.2", False),
        ("2nd level manager", False),
        ("Level 5", False),
        ("Yes / No", False),
        ("5 managers of level 2", True),
        ("two", True),
        ("12.5%", True),
        ("1,200", True),
    ],
)
def test_numbers_of_codes_and_ranks_are_no_amounts(text, has):
    assert has_amount(text) is has


@pytest.mark.parametrize(
    ("question", "text", "has"),
    [
        ("By what date must the form be sent?", "Send it when the clerk has answered.", False),
        ("By what date must the form be sent?", "Send it by May at the latest.", True),
        ("By what date must the form be sent?", "Send it by 1 March 2021.", True),
        ("When was the form sent?", "It was sent when the clerk had answered.", True),
        ("When must the form be sent?", "Send it to the clerk.", True),
    ],
)
def test_a_date_is_told_by_a_date_alone(question, text, has):
    assert has_time(analyse(question), text) is has


@pytest.mark.parametrize(
    ("question", "text", "told"),
    [
        ("How many tests were run?", "On March 17, 89 state laboratories ran tests.", False),
        ("How many laboratories ran tests?", "On March 17, 89 state laboratories ran tests.", True),
        ("How many people work in the team?", "Write to the team at 75 Ninth Avenue.", False),
        ("How many people were hurt?", "Twelve passengers were hurt.", True),
        ("How many ferries does Oriel own?", "Oriel owns nine of these ferries.", True),
        ("How many of the clerks stayed?", "Of the clerks, 12 stayed.", True),
        ("How much did it cost?", "It cost 12 euros.", True),
    ],
)
def test_a_number_counts_what_is_asked_for(question, text, told):
    assert counts(question, text) is told


def test_what_is_of_another_kind_is_left_to_its_sentence():
    report = Document.from_text(
        "Mill report\n\nCapacity rose in 2016. The mill employed 40 people. As of March 17, 89 state laboratories run tests."
    )
    answer = ask(report, "What was capacity in 2016?")
    assert (answer.text, answer.value) == ("Capacity rose in 2016.", None)
    assert ask(report, "How many tests were run?").abstained
    assert ask(report, "How many people did the mill employ?").value.text == "40"


def test_when_something_was_done_is_told_by_no_sentence_without_a_time():
    report = Document.from_text(
        "Mill report\n\nAnn Oxley opened the mill for the company. Corn is ground when it is dry."
    )
    assert ask(report, "When was the mill opened?").abstained
    assert "dry" in ask(report, "When is corn ground?").text


@pytest.mark.parametrize(
    ("question", "amount"),
    [
        ("How high was Oriel Bank's capital at the end of 2024?", "$17.9 million"),
        ("How much did Oriel Bank have in loans at the end of 2024?", "$91.2 million"),
        ("How large were the deposits of Oriel Bank at the end of 2024?", "$1.4 billion"),
    ],
)
def test_of_several_amounts_the_one_beside_the_word_asked_for_is_the_answer(question, amount):
    bank = Document.from_text(
        "Oriel Bank\n\nAt December 31, 2024, we had assets of approximately $1.9 billion, loans of $91.2 million, "
        "deposits of $1.4 billion and capital of $17.9 million."
    )
    assert ask(bank, question).value.text == amount


def test_a_scale_behind_a_bracket_of_earlier_years_belongs_to_the_amount():
    school = Document.from_text(
        "Annual report 2022\n\nDirect personnel costs were EUR 49.1 (46.6; 42.6) million in 2022."
    )
    value = ask(school, "How high were the direct personnel costs in 2022?").value
    assert (value.text, value.number, value.scale, value.unit) == ("EUR 49.1 million", 49.1, 1e6, "EUR")


def test_no_clause_is_an_amount_and_no_phrase_begins_inside_two_years():
    sentence = (
        "For the full year 2024/25, our view of the effect, with the hedges that are now in place and the rates that we "
        "expect, is a loss of £8.4m to revenue and of £6.2m to profit."
    )
    answer = ask(Document.from_text(f"Mill report\n\n{sentence}"), "How much revenue did the mill make in 2024?")
    assert answer.value is None or len(answer.value.text.split()) <= 12
    assert answer.value is None or not answer.value.text.startswith("25")


def test_a_sum_without_its_figure_is_not_told_with_a_hedge():
    report = Document.from_text(
        "Ferry report\n\nThe $250,000 deductible per accident could hurt our profit. Costs of the company were down $587,000, "
        "due to lower legal fees.\n\nThe office opens at nine."
    )
    assert ask(report, "How much did the company spend on advertising?").abstained


LINES = (
    "Lines report\n\nThe audit committee meets the auditors often. Ida Kestrel has been chief executive officer since 2019. "
    "The accounts were checked in May."
)


@pytest.mark.parametrize("question", ["Who runs the company?", "Who leads the group?", "Who is in charge of it?"])
def test_who_runs_a_company_is_its_chief_executive(question):
    assert ask(Document.from_text(LINES), question).value.text == "Ida Kestrel"


def test_who_runs_a_cooperative_is_its_managing_director():
    text = LINES.replace("chief executive officer", "managing director")
    assert ask(Document.from_text(text), "Who runs the company?").value.text == "Ida Kestrel"


@pytest.mark.parametrize("question", ["Who audits the company?", "Who is the auditor?"])
def test_who_holds_an_office_is_told_by_a_name_or_not_at_all(question):
    assert ask(Document.from_text(LINES), question).abstained
    named = f"{LINES} Our auditor is Pell LLP."
    assert "Pell LLP" in ask(Document.from_text(named), question).text


def test_who_runs_something_else_is_asked_as_it_is():
    text = Document.from_text(f"{LINES} Per Lund runs the ferries of the company.")
    assert "Per Lund" in ask(text, "Who runs the ferries?").text


@pytest.mark.parametrize(
    ("sentence", "abstains"),
    [
        ("In 2021, Pell derived 23% of its revenue from five ports in Ostland and Norland.", True),
        ("In 2021, Pell made a revenue of some four thousand dollars in Ostland.", False),
        ("In 2021, Pell made a revenue of 4,000 euros in Ostland.", False),
    ],
)
def test_a_share_is_no_amount_of_money(sentence, abstains):
    text = f"Pell report\n\nThe boats were painted in May. {sentence} Nobody complained about the noise."
    assert ask(Document.from_text(text), "How much revenue did Pell make in Ostland in 2021?").abstained is abstains


@pytest.mark.parametrize(
    ("question", "text", "tells"),
    [
        ("In which town does the mill stand?", "The Miller may lease the Building in Skelby.", True),
        ("In which town does the mill stand?", "The Miller leases the Building under this Agreement.", False),
        ("Which country does Fjord Marine come from?", "She was built by Fjord Marine in Norway.", True),
        ("Which country does Fjord Marine come from?", "FJORD MARINE.", False),
        ("Which country does the ship come from?", "She belongs to Fjord Marine Ltd and carries Timber.", False),
        ("In which country is Skelby?", "The mill is in Skelby.", False),
        ("In which country is the mill?", "The lease of the Company ends.", False),
        ("What is the daily rate of a guide?", "A guide gets 12% more.", False),
        ("How high is the penalty?", "The penalty is 3% of it.", False),
        ("In which state is Oriel incorporated?", "Oriel, Inc. is a Delaware corporation.", True),
        ("In which city is the fair?", "The fair takes place in Łódź every June.", True),
        ("In which city is the fair?", "It takes place in New Works every June.", True),
        ("Which countries are served?", "the network covers france and spain.", True),
        ("Where is the fair?", "The fair takes place on the quay.", True),
        ("How big is the harbour?", "The harbour covers 40 hectares.", True),
        ("How big is the harbour?", "The harbour is very big, see section 1.2.", False),
        ("How big an effort was it?", "It was a great effort.", True),
        ("What is the size of the team?", "The team is small.", False),
        ("What is the size of the team?", "The team has six members.", True),
        ("What dose did the patients take?", "Patients took the drug daily.", False),
        ("What dose did the patients take?", "Patients took 40 mg daily.", True),
        ("How old is the quay?", "The quay was built in 1931.", True),
        ("How old is the quay?", "The quay was crowded in 1931.", False),
        ("How old is the quay?", "The quay holds 12 boats.", False),
        ("How old must a skipper be?", "A skipper is at least eighteen years of age.", True),
        ("How old must a skipper be?", "A skipper is of legal age.", False),
        ("How high is the fine for late payment?", "The fine is $40.", True),
        ("How high is the fine for late payment?", "The fine is 40 for each day.", True),
        ("How high is the fine for late payment?", "Late payment at level 2 has a fine.", False),
        ("How high is the fine for late payment?", "It may rise by up to five (5) percent.", False),
        ("What does the breach cost in dollars?", "The breach of 12 rules costs a lot.", False),
        ("What does the breach cost in dollars?", "The breach costs 12 dollars.", True),
        ("What is the hourly rate of a guard?", "Guards are paid at the rate of their grade.", False),
        ("What is the hourly rate of a guard?", "A guard earns 12% more.", False),
        ("What is the hourly rate of a guard?", "A guard earns $19 an hour.", True),
        ("What is the daily rate of a guide?", "A guide gets 150 a day.", True),
        ("What proportion of the boats was lost?", "The boats that were lost were old.", False),
        ("What proportion of the boats was lost?", "Half of them was lost.", True),
        ("What is the rate of loss?", "Losses run at 4% a year.", True),
        ("What is the postal address of the mill?", "Write to the mill by post.", False),
        ("At which address does the board meet?", "The board meets at 4 Quay Street.", True),
        ("What is its email address?", "Write to mill@skelby.example.", True),
        ("What does the address to the crew say?", "It thanks them all.", True),
        ("When does the pool open?", "The pool opens at 7 am.", True),
        ("When does the pool open?", "The pool has a council of its own.", False),
        ("When is a claim denied?", "A claim is denied in the event of fraud.", True),
        ("When are claims denied?", "Claims are denied as long as no form is filed.", True),
    ],
)
def test_a_sentence_has_the_kind_of_thing_that_is_asked_for(question, text, tells):
    assert may_tell(analyse(question), text, text) is tells


def test_a_sentence_about_the_mill_does_not_tell_its_country():
    mill = Document.from_text(
        "The Miller leases the Building under this Agreement. The Building is the mill of the lease."
    )
    assert ask(mill, "In which country is the mill of the lease?").abstained
    mill = Document.from_text(
        "The Miller leases the Building under this Agreement. The mill of the lease is in Norway."
    )
    assert "Norway" in ask(mill, "In which country is the mill of the lease?").text
