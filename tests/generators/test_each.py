"""A question that is put to each of several documents: its parts, and the answer that they make."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import citewell
from citewell.generators.extractive.each import parts


def lease(name, law, days):
    text = f"# {name} lease\n\nThe tenant may end the lease with {days} days of notice. The lease is governed by the laws of {law}.\n"
    return citewell.read(text.encode(), name=f"{name.lower()}.md")


@pytest.fixture(scope="module")
def leases():
    return lease("Oriel", "Norway", 30), lease("Tarrow", "Portugal", 60)


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("Which law governs each of the two contracts?", "Which law governs the contract?", None),
        ("What do the two studies measure?", "What does the study measure?", None),
        ("How does each policy treat children?", "How does the policy treat children?", None),
        ("What notice do Oriel and Tarrow require?", "What notice does Oriel require?",
         "What notice does Tarrow require?"),
        ("Do Oriel and Tarrow, respectively, allow pets?", "Does Oriel allow pets?", "Does Tarrow allow pets?"),
        ("How many clerks do Oriel and Tarrow each have at their year ends?", "How many clerks does Oriel have?",
         "How many clerks does Tarrow have?"),
    ],
)  # fmt: skip
def test_each_document_gets_its_own_question(leases, question, first, second):
    assert [part for _, part in parts(question, leases)] == [first, second or first]


def test_three_names_make_three_questions(leases):
    three = (*leases, lease("Marram", "Chile", 90))
    assert [
        (document.title, part) for document, part in parts("What notice do Tarrow, Oriel and Marram require?", three)
    ] == [(f"{name} lease", f"What notice does {name} require?") for name in ("Tarrow", "Oriel", "Marram")]


@pytest.mark.parametrize(
    "question",
    ["What notice does Oriel require where Tarrow requires none?", "Why does Oriel, with Tarrow, act as Oriel does?"],
)
def test_names_that_stand_apart_or_twice_are_no_list(leases, question):
    assert parts(question, leases) == []


@pytest.mark.parametrize(
    "question",
    ["Which of the two contracts has the longer notice?", "What is the notice period?", "Who owns Oriel?", "Why?"],
)
def test_a_comparison_or_a_single_question_is_not_put_to_each(leases, question):
    assert parts(question, leases) == []


def test_the_answer_names_each_document_and_cites_it(leases):
    answer = citewell.ask(leases, "Which law governs each of the two contracts?")
    assert [statement.text for statement in answer.statements] == [
        "The lease is governed by the laws of Norway.",
        "The lease is governed by the laws of Portugal.",
    ]
    assert answer.value.text.startswith("Oriel lease: ")
    assert "; Tarrow lease: " in answer.value.text
    for citation in answer.citations:
        document = next(each for each in leases if each.id == citation.document_id)
        assert document.text[citation.start : citation.end] == citation.quote
    assert {each.document_id for each in answer.citations} == {each.id for each in leases}


def test_nothing_is_answered_where_one_document_does_not_say_it(leases):
    silent = citewell.read(b"# Marram lease\n\nThe flat has three rooms and a view of the harbour.\n", name="marram.md")
    answer = citewell.ask([leases[0], silent], "Which law governs each of the two contracts?")
    assert answer.abstained
    assert "Marram" in answer.abstention.message or "marram" in answer.abstention.message


@given(st.text(max_size=120))
def test_any_text_has_parts_for_every_document_or_none(text):
    documents = (lease("Oriel", "Norway", 30), lease("Tarrow", "Portugal", 60))
    assert len(parts(text, documents)) in (0, 1, 2)
