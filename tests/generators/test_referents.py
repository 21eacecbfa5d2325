"""Two documents in one question: which phrase means which, and what each of them is asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import citewell
from citewell.generators.extractive.referents import put, split


def page(name, text):
    return citewell.read(f"# {name}\n\n{text}\n".encode(), name=f"{name.lower().replace(' ', '-')}.md")


@pytest.fixture(scope="module")
def reports():
    return (
        page("Oriel Lines annual report 2019", "Oriel Lines had 4,100 employees at the end of 2019."),
        page("Tarrow Freight annual report 2021", "Tarrow Freight had 2,300 employees at the end of 2021."),
    )


@pytest.fixture(scope="module")
def trials():
    return (
        page("Drops against hay fever", "The hay fever trial enrolled 120 participants. Pollen counts were kept."),
        page(
            "Walking after a stroke", "The stroke trial enrolled 95 participants. Nurses walked with stroke patients."
        ),
    )


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("Which had more employees, Oriel Lines in 2019 or Tarrow Freight in 2021?", "Oriel Lines in 2019",
         "Tarrow Freight in 2021"),
        ("Whose staff was larger, that of Tarrow Freight in fiscal 2021 or that of Oriel Lines in 2019?",
         "Tarrow Freight in fiscal 2021", "Oriel Lines in 2019"),
        ("How many people worked for Oriel Lines in 2019 and how many for Tarrow Freight in May 2021?",
         "for Oriel Lines in 2019", "for Tarrow Freight in May 2021"),
    ],
)  # fmt: skip
def test_each_company_has_its_own_period(reports, question, first, second):
    pair = split(question, reports)
    assert [each.phrase for each in pair] == [first, second]
    assert [each.document for each in pair] == sorted(reports, key=lambda each: each.title.split()[0] not in first)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("How many people worked for Oriel Lines in 2019, and how many for Tarrow Freight in May 2021?",
         ["How many people worked for Oriel Lines in 2019?", "How many people worked for Tarrow Freight in May 2021?"]),
        ("What were the sales of Oriel Lines and of Tarrow Freight in fiscal 2020?",
         ["What were the sales of Oriel Lines in fiscal 2020?", "What were the sales of Tarrow Freight in fiscal 2020?"]),
    ],
)  # fmt: skip
def test_the_time_behind_a_name_is_its_own_and_that_behind_both_is_shared(reports, question, asked):
    assert [each.question for each in split(question, reports)] == asked


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Where were the hay fever trial and the stroke trial done?", "Where was the trial done?"),
        ("How long did the treatment last in the pollen study and in the one with nurses?",
         "How long did the treatment last in the study?"),
        ("Who paid for the trial of pollen, and who for the trial of nurses?", "Who paid for the trial?"),
        ("What does each measure, the study of pollen and the study of walking?", "What does the study measure?"),
    ],
)  # fmt: skip
def test_a_description_finds_its_document_and_is_cut_to_its_noun(trials, question, asked):
    pair = split(question, trials)
    assert [each.document for each in pair] == list(trials)
    assert pair[0].question == asked


@pytest.mark.parametrize(
    "question",
    [
        "Who led the trial and who paid?",
        "What did nurses and patients do?",
        "Which trial was larger?",
        "",
        "and or and",
    ],
)
def test_words_that_tell_no_document_from_the_other_make_no_pair(trials, question):
    assert split(question, trials) == ()


def test_figures_of_two_periods_are_compared(reports):
    answer = citewell.ask(reports, "Which had more employees, Oriel Lines in 2019 or Tarrow Freight in 2021?")
    assert answer.value.text.startswith("Oriel Lines")
    assert {each.document_id for each in answer.citations} == {each.id for each in reports}


def test_trials_are_compared_by_their_participants(trials):
    answer = citewell.ask(trials, "Which trial was larger, the one on hay fever or the one on strokes?")
    assert answer.text.startswith("Drops against hay fever: 120")


@pytest.mark.parametrize(
    ("before", "behind", "asked"),
    [
        ("How do ", " treat their guests?", "How does Oriel treat its guests?"),
        ("What notice do both ", " require, respectively?", "What notice does Oriel require?"),
        ("What does each of the two leases ask, ", "?", "What does Oriel ask?"),
    ],
)
def test_one_subject_takes_the_place_of_several(before, behind, asked):
    assert put(before, "Oriel", behind) == asked


@given(st.text(alphabet="aA ,?and or in the trial2019", max_size=80))
def test_any_question_has_two_documents_or_none(text):
    documents = (page("Alpha", "The trial A."), page("Beta", "The land in 2019."))
    pair = split(text, documents)
    assert [each.document for each in pair] in ([], list(documents), list(documents)[::-1])


def test_a_document_without_a_name_is_called_as_the_question_calls_it():
    documents = [
        citewell.Document.from_text("The hay fever trial enrolled 120 participants. Pollen was counted."),
        citewell.Document.from_text("The stroke trial enrolled 95 participants. Nurses helped."),
    ]
    answer = citewell.ask(documents, "Which trial had more participants, the one on strokes or the one on hay fever?")
    assert answer.text.startswith("the one on hay fever: 120, more than the one on strokes with 95.")
