"""Attribution by a language model: marks are carried back to the answer, whatever the reply does to it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.attributors import llm_marks
from citewell.attributors.llm import LLMAttributor
from citewell.attributors.llm_marks import Mark
from citewell.document import Document
from citewell.errors import notes
from citewell.llm.scripted import Scripted
from citewell.protocols import Completion
from citewell.text import segments
from citewell.types import Draft, Span

REPORT = Document.from_text(
    "Revenue rose to 41 million in 2022.\n\nCosts fell by 2%. Nobody knows why [1].\n\nThe fleet has five ships.",
    "Report",
)
ANSWER = "Revenue rose to 41 million in 2022. The fleet has five ships, and costs fell by 2%."


def attribute(reply, granularity="paragraph", k=None, text=ANSWER, targets=(), documents=(REPORT,), **settings):
    draft = Draft(text, "How was it?", segments.statements(text), tuple(targets))
    with notes.collect() as collected:
        citations = LLMAttributor(llm=Scripted(replies=reply), **settings).attribute(draft, documents, granularity, k)
    for cited in citations:
        assert REPORT.text[cited.start : cited.end] == cited.quote or documents != (REPORT,)
    return citations, collected.warnings


def span(words, text=ANSWER):
    return Span(text.index(words), text.index(words) + len(words))


def test_a_marked_answer_reads_back_without_its_brackets():
    marked = llm_marks.put(ANSWER, [span("41 million"), span("five ships")])
    plain, marks = llm_marks.read(marked, ANSWER)
    assert plain == ANSWER
    assert [ANSWER[mark.start : mark.end] for mark in marks] == ["41 million", "five ships"]


@pytest.mark.parametrize(
    ("reply", "plain", "marks"),
    [
        ("A [[2: ship]] sank.", "A ship sank.", [("ship", (2,))]),
        ("A [[2, 5: ship]] sank.", "A ship sank.", [("ship", (2, 5))]),
        ("A [[ 2 and 5 : ship]] sank.", "A ship sank.", [("ship", (2, 5))]),
        ("A [2: ship] sank.", "A ship sank.", [("ship", (2,))]),
        ("A [2 ship] sank.", "A ship sank.", [("ship", (2,))]),
        ("A [[2 ship]] sank.", "A ship sank.", [("ship", (2,))]),
        ("A [[ship]] sank.", "A ship sank.", [("ship", ())]),
        ("A [[1: big [[2: ship]]]] sank.", "A big ship sank.", [("big ship", (1,)), ("ship", (2,))]),
        ("A [[2: ship [sic] sank]].", "A ship [sic] sank.", [("ship [sic] sank", (2,))]),
        ("A ship [1] sank [2].", "A ship [1] sank [2].", []),
        ("A [[2: ship sank.", "A ship sank.", []),
        ("A ship]] sank.", "A ship]] sank.", []),
        ("[[1: 41]] [[2: million]]", "41 million", [("41", (1,)), ("million", (2,))]),
        ("[[1: ]] x", " x", []),
    ],
)
def test_marks_of_many_forms_are_read(reply, plain, marks):
    text, read = llm_marks.read(reply)
    assert text.replace("  ", " ") == plain.replace("  ", " ")
    assert [(text[mark.start : mark.end], mark.numbers) for mark in read] == marks


@given(st.text(alphabet="[]: 12ab,.\n東é"), st.text(alphabet="[]: 12ab,.\n東é"))
def test_no_reply_raises_and_every_mark_lies_in_the_answer(reply, answer):
    plain, marks = llm_marks.read(reply)
    assert all(0 <= mark.start < mark.end <= len(plain) for mark in marks)
    kept, lost = llm_marks.realign(plain, marks, answer)
    assert len(kept) + len(lost) == len(marks)
    assert all(0 <= mark.start < mark.end <= len(answer) for mark in kept)


@given(st.text(alphabet="ab c.東", min_size=1), st.data())
def test_a_faithful_reply_gives_every_mark_back_exactly(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    plain, marks = llm_marks.read(llm_marks.put(text, [Span(start, end)]))
    assert plain == text
    kept, _ = llm_marks.realign(plain, marks, text)
    for mark in kept:  # but for white space and parts of words
        assert mark.start <= start + len(text[start:end]) - len(text[start:end].lstrip())
        assert mark.end >= start + len(text[start:end].rstrip())


@pytest.mark.parametrize(
    "reply",
    [
        "Revenue rose to [[1: 41 million]] in 2022. The fleet has five ships, and costs fell by 2%.",
        "Sure! Here is the annotated answer:\n\nRevenue rose to [[1: 41 million]] in 2022. The fleet has five ships.",
        "In 2022 sales rose to [[1: 41 million]].",
        "REVENUE  rose to\n[[1: 41  Million]] in 2022",
        "[[1: 41 million]]",
        "Revenue grew to about [[1: 41 million euros]] in 2022. The fleet of five ships costs less.",
    ],
)
def test_a_reply_that_changes_the_answer_is_realigned(reply):
    citations, _ = attribute([reply], targets=[span("41 million")])
    assert [(cited.quote, cited.answer_start, cited.answer_end) for cited in citations] == [
        ("Revenue rose to 41 million in 2022.", *span("41 million"))
    ]


def test_a_number_in_brackets_is_text_where_the_answer_has_it():
    assert llm_marks.read("[[41 million]] and [41 million] and [2 ships]", ANSWER) == (
        "41 million and [41 million] and ships",
        (Mark(0, 10, ()), Mark(32, 37, (2,))),
    )


def test_marks_on_words_that_the_answer_has_not_are_told_and_left_out():
    citations, warnings = attribute(["[[1: Something else entirely]] and more"], targets=[span("41 million")])
    assert citations == ()
    assert warnings == [
        "1 marks of the model's reply are on words that the answer does not contain; they were left out"
    ]


def test_passages_that_do_not_exist_are_told_and_left_out():
    citations, warnings = attribute([f"[[7, 1: {ANSWER[:35]}]]"])
    assert [cited.quote for cited in citations] == ["Revenue rose to 41 million in 2022."]
    assert warnings == ["the model named passages that do not exist: 7; they were left out"]


def test_the_model_sees_passages_question_and_brackets_around_the_targets():
    requests = []
    attribute(lambda request: requests.append(request) or "", targets=[span("41 million")])
    text = requests[0].messages[1].content
    assert "From: Report\n[1] Revenue rose to 41 million in 2022.\n[2] Costs fell" in text
    assert "Question: How was it?\nAnswer: Revenue rose to [[41 million]] in 2022." in text


def test_each_statement_gets_the_passages_named_for_it_in_their_order():
    reply = "[[1: Revenue rose to 41 million in 2022.]] [[3, 2: The fleet has five ships, and costs fell by 2%.]]"
    citations, warnings = attribute([reply])
    assert [(cited.answer_start, cited.quote[:5]) for cited in citations] == [
        (0, "Reven"),
        (36, "The f"),
        (36, "Costs"),
    ]
    assert warnings == []
    assert len(attribute([reply], k=1)[0]) == 2


def test_sentences_are_numbered_where_sentences_are_wanted():
    citations, _ = attribute(["[[3: Revenue rose to 41 million in 2022.]]"], "sentence")
    assert [cited.quote for cited in citations] == ["Nobody knows why [1]."]


def test_copied_runs_are_marked_in_whole_statements():
    requests = []
    reply = "Revenue rose to [[1: 41 million in 2022]]. [[3: The fleet has five ships]], and [[2: costs fell by 2%]]."
    citations, _ = attribute(lambda request: requests.append(request) or reply, "token")
    assert "Marked answer:" in requests[0].messages[1].content
    assert "[[" not in requests[0].messages[1].content.partition("Answer:")[2]
    assert [(cited.granularity, cited.quote, ANSWER[cited.answer_start : cited.answer_end]) for cited in citations] == [
        ("token", "41 million in 2022", "41 million in 2022"),
        ("token", "The fleet has five ships", "The fleet has five ships"),
        ("token", "Costs fell by 2%", "costs fell by 2%"),
    ]


def test_a_run_that_crosses_statements_is_cited_for_each():
    citations, _ = attribute(["Revenue rose to 41 [[1: million in 2022. The]] fleet has five ships"], "token")
    assert [ANSWER[cited.answer_start : cited.answer_end] for cited in citations] == ["million in 2022."]


def test_a_mark_whose_passage_has_none_of_its_words_is_told():
    citations, warnings = attribute(["Revenue rose to [[3: 41 million]] in 2022."], "token")
    assert citations == ()
    assert "has no word of '41 million'" in warnings[0]


def test_targets_that_overlap_are_asked_about_apart():
    requests = []
    attribute(
        lambda request: requests.append(request) or "", targets=[span("41 million"), span("rose to 41"), span("five")]
    )
    assert len(requests) == 2


def test_a_document_beyond_the_room_is_reduced_and_said_so():
    requests = []
    document = Document.from_text("\n\n".join(f"In {1900 + n} ship {n} sank near Norway." for n in range(60)))
    text = "Ship 33 sank in 1933."
    citations, warnings = attribute(
        lambda request: requests.append(request) or f"[[2: {text}]]", text=text, documents=(document,), room=100
    )
    assert "Ship 33" in str(requests[0].messages).replace("ship 33", "Ship 33")
    assert warnings[0].startswith("the model was shown ")
    assert "of 60 passages, chosen by bm25" in warnings[0]
    assert len(citations) == 1
    assert document.text[citations[0].start : citations[0].end] == citations[0].quote


@pytest.mark.parametrize(("finish", "warning"), [("refused", "refused to annotate"), ("length", "was cut off")])
def test_a_reply_that_did_not_end_well_is_told(finish, warning):
    _, warnings = attribute([Completion("", finish=finish)])
    assert warning in warnings[0]


def test_the_mark_nearest_to_the_answer_wins_where_words_repeat():
    text = "The ship sank. The ship rose. The ship sank."
    plain, marks = llm_marks.read("The ship sank. The ship rose. [[4: The ship sank.]]")
    kept, _ = llm_marks.realign(plain, marks, text)
    assert kept == [Mark(30, 44, (4,))]


def test_marks_without_a_number_are_told_and_counted():
    targets = [span("41 million"), span("five ships")]
    for reply, bare, unread, warning in (
        (
            ANSWER.replace("41 million", "[[41 million]]").replace("five ships", "[[five ships]]"),
            2,
            1,
            "2 of the model's 2",
        ),
        (
            ANSWER.replace("41 million", "[[1: 41 million]]").replace("five ships", "[[five ships]]"),
            1,
            0,
            "1 of the model's 2",
        ),
        ("I cannot do that.", 0, 1, None),
    ):
        with notes.collect() as noted:
            attribute([reply], targets=targets)
        assert (noted.counts["marks without a number"], noted.counts["replies without a numbered mark"]) == (
            bare,
            unread,
        )
        assert [warning for warning in noted.warnings if "by its number" in warning] == (
            [f"{warning} marks name no passage by its number: they have no evidence"] if warning else []
        )
