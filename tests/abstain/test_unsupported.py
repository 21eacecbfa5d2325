"""What becomes of statements that nothing supports: the same policy in every verb."""

import dataclasses

import pytest

import citewell
from citewell.errors import UsageError
from citewell.pipeline.unsupported import POLICIES, applied
from citewell.types import LABELS, QUIET, Answer, Partial

TEXT = "Revenue rose to $5.9bn in 2022. Two ferries were sold in March. The harbour froze in January 2021."
DOCUMENT = citewell.Document.from_text(TEXT)
REPLY = "- Two ferries were sold in March.\n- Revenue rose to $6.5bn in 2022.\n- The harbour froze in January 2021."
WEAK = [label for label in LABELS if label not in QUIET]


def relabelled(label):
    answer = citewell.attribute(DOCUMENT, "Two ferries were sold in March. The harbour froze in January 2021.")
    first = dataclasses.replace(answer.statements[0], label=label)
    return dataclasses.replace(answer, statements=(first, *answer.statements[1:]))


@pytest.mark.parametrize("label", WEAK)
def test_no_weak_label_carries_a_number(label):
    answer = relabelled(label)
    assert answer.cited(0)
    assert "[1]" not in answer.marked
    assert "[2]" in answer.marked
    assert answer.marked == str(answer)
    assert applied(answer, "drop").text == "The harbour froze in January 2021."
    assert applied(answer, "refuse").abstention.reason == "unsupported"


def test_dropping_keeps_the_rest_and_its_offsets():
    answer = citewell.attribute(DOCUMENT, REPLY, on_unsupported="drop")
    assert answer.text == "- Two ferries were sold in March.\n- The harbour froze in January 2021."
    assert [result.label for result in answer.removed] == ["contradicted"]
    for statement in answer.statements:
        assert answer.text[statement.start : statement.end] == statement.text
        for cited in answer.cited(statement):
            assert DOCUMENT.text[cited.start : cited.end] == cited.quote
            assert statement.start <= cited.answer_start <= cited.answer_end <= statement.end
    assert Answer.from_dict(answer.to_dict()) == answer
    assert citewell.verify(answer, DOCUMENT).ok
    assert answer.marked.endswith("(1 statement that the documents do not support was removed.)")


def test_what_a_stream_passes_on_is_how_the_answer_begins():
    parts = list[Partial]()
    replies = iter(
        ["Two ferries were sold in March. Revenue rose to $6.5bn in 2022. The harbour froze in January 2021."]
    )
    answer = citewell.ask(
        DOCUMENT, "What happened?", llm=lambda _: next(replies), tell=parts.append, on_unsupported="drop"
    )
    assert "".join(part.before + part.statement.text for part in parts) == answer.text
    assert [part.statement for part in parts] == list(answer.statements)


def test_dropping_everything_abstains():
    answer = citewell.attribute(DOCUMENT, "Revenue rose to $6.5bn in 2022.", on_unsupported="drop")
    assert answer.abstained
    assert answer.removed


def test_a_model_rewrites_once():
    prompts = []

    def llm(prompt):
        prompts.append(prompt)
        return "Revenue rose to $6.5bn in 2022." if len(prompts) == 1 else "Revenue rose to $5.9bn in 2022."

    answer = citewell.ask(DOCUMENT, "What was revenue?", llm=llm, on_unsupported="rewrite")
    assert answer.text == "Revenue rose to $5.9bn in 2022."
    assert len(prompts) == 2
    assert "6.5" in prompts[1].rsplit("not supported", 1)[-1]


def test_rewriting_needs_a_model():
    with pytest.raises(UsageError, match="needs a language model|is for answers"):
        citewell.attribute(DOCUMENT, REPLY, on_unsupported="rewrite")
    with pytest.raises(UsageError, match="on_unsupported is one of " + ", ".join(POLICIES)):
        citewell.attribute(DOCUMENT, REPLY, on_unsupported="hide")


def test_marks_of_others_never_stand_beside_ours():
    for mark in (
        "[1]",
        "[^4]",
        "【2†source】",
        "[[2]](http://a.example)",
        "[Source 3]",
        "<sup>1</sup>",
        "［2］",
        "[1, 3]",
    ):
        answer = citewell.attribute(DOCUMENT, f"Two ferries were sold in March {mark}. Whales sang {mark}.")
        marked = answer.marked
        assert mark not in marked.replace(" [1]", ""), marked
        assert marked.startswith("Two ferries were sold in March. [1] Whales sang. (✗ not supported"), marked
        assert mark in answer.text


def test_where_several_statements_are_dropped_the_widest_gap_stays():
    reply = "Two ferries were sold in March.\n\nRevenue rose to $6.5bn in 2022. Revenue rose to $7.5bn in 2022. The harbour froze in January 2021."
    answer = citewell.attribute(DOCUMENT, reply, on_unsupported="drop")
    assert len(answer.removed) == 2
    assert answer.text == "Two ferries were sold in March.\n\nThe harbour froze in January 2021."
