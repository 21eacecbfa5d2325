"""Decomposition by a language model: its pieces are held to the words of the statement."""

from __future__ import annotations

import pytest

from citewell.decomposers.llm import LLMUnits, listed
from citewell.errors import AuthenticationError, RefusedError, UsageError, notes
from citewell.llm.scripted import Scripted
from citewell.protocols import Completion

STATEMENT = "Ann Smith founded the firm in 1990 and sold it for $41 million in 2001."


def units(reply, statement=STATEMENT, **settings):
    with notes.collect() as collected:
        units = LLMUnits(llm=Scripted(replies=reply), **settings).decompose(statement)
    return [unit.text for unit in units], collected.warnings


def test_units_of_the_statements_words_are_taken_as_they_read():
    reply = ["- Ann Smith founded the firm in 1990.\n- Ann Smith sold it for $41 million in 2001."]
    units = LLMUnits(llm=Scripted(replies=reply)).decompose(STATEMENT)
    assert [unit.text for unit in units] == [line[2:] for line in reply[0].splitlines()]
    at = [[STATEMENT[start:end] for start, end in unit.spans] for unit in units]
    assert at == [["Ann Smith founded the firm in 1990"], ["Ann Smith", "sold it for $41 million in 2001."]]


@pytest.mark.parametrize("bullet", ["1. ", "2) ", "* ", "• ", "(3) ", "a) ", "Fact 4: ", ""])
def test_lists_of_any_kind_are_read(bullet):
    reply = f"{bullet}Ann Smith founded the firm in 1990.\n{bullet}Ann Smith sold it for $41 million in 2001."
    assert units([reply])[0] == [
        "Ann Smith founded the firm in 1990.", "Ann Smith sold it for $41 million in 2001.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ('["The pier opened.", "It burnt in 1902."]', ["The pier opened.", "It burnt in 1902."]),
        ('```json\n["The pier opened."]\n```', ["The pier opened."]),
        (
            "1. The pier opened. 2. It burnt in 1902. 3. It stands.",
            ["The pier opened.", "It burnt in 1902.", "It stands."],
        ),
        (
            "Facts:\n- The pier opened.\n  - It burnt in 1902.\nI hope this helps!",
            ["The pier opened.", "It burnt in 1902."],
        ),
        ("**The pier opened.**\n\nIt burnt in 1902.", ["The pier opened.", "It burnt in 1902."]),
        ("- The pier opened.\n- The pier opened.", ["The pier opened."]),
        ("- The pier has 2. It had 3.", ["The pier has 2. It had 3."]),
        ("Here are the facts:", []),
    ],
)
def test_a_line_is_a_unit_and_never_a_part_of_another(reply, read):
    assert listed(reply) == read


BEER = "The Beer Hall, also known as Brewer's Rest, was founded in 1927."


def test_raw_units_are_kept_as_they_are_with_what_the_statement_lacks():
    reply = (
        "- The Beer Hall is also known as Brewer's Rest.\n- The Beer Hall was founded in 1927.\n"
        "- The Beer Hall was founded in Ontario, Canada.\n- Zebras graze."
    )
    units = LLMUnits(llm=Scripted(replies=[reply]), units="raw").decompose(BEER)
    assert [unit.text for unit in units] == [line[2:] for line in reply.splitlines()]
    at = [[BEER[start:end] for start, end in unit.spans] for unit in units]
    assert at[1] == ["The Beer Hall", "was founded in 1927."]
    assert at[3] == [BEER]


def test_aligned_units_leave_out_what_the_statement_lacks_and_break_nothing():
    reply = (
        "- The Beer Hall is also known as Brewer's Rest.\n- The Beer Hall was founded in 1927.\n"
        "- The Beer Hall was founded in Ontario, Canada."
    )
    assert units([reply], BEER)[0] == [
        "The Beer Hall is also known as Brewer's Rest.", "The Beer Hall was founded in 1927.",
    ]  # fmt: skip


def test_a_unit_that_another_holds_is_left_out():
    reply = ["- Ann Smith was born.\n- Ann Smith was born in Leeds."]
    assert units(reply, "Ann Smith was born in Leeds.")[0] == ["Ann Smith was born in Leeds."]


def test_where_units_lose_words_the_statement_is_a_unit_too():
    reply = ["- Ann Smith founded the firm in 1990.\n- Ann Smith sold it."]
    assert units(reply)[0] == ["Ann Smith founded the firm in 1990.", "Ann Smith sold it.", STATEMENT]


def test_negation_is_never_lost():
    assert units(["- The fleet has ships."], "The fleet has no ships.")[0] == ["The fleet has no ships."]


def test_a_prompt_of_ones_own_is_asked_with_and_must_have_the_gap(tmp_path):
    path = tmp_path / "own.txt"
    path.write_text("Take apart: {sentence}", encoding="utf-8")
    requests = []

    def reply(request):
        requests.append(request.messages[-1].content)
        return "- Boats sank."

    LLMUnits(llm=Scripted(replies=reply), units="raw", prompt=str(path)).decompose("Boats sank fast.")
    assert requests == ["Take apart: Boats sank fast."]
    path.write_text("Take apart.", encoding="utf-8")
    with pytest.raises(UsageError, match="sentence"):
        LLMUnits(llm=Scripted(replies=reply), prompt=str(path)).decompose("Boats sank fast.")


def test_lines_about_something_else_are_no_pieces():
    result, _ = units(
        ["Here are the pieces:\n- Ann Smith founded the firm in 1990 and sold it for $41 million in 2001."]
    )
    assert result == [STATEMENT]


@pytest.mark.parametrize(
    "reply", ["", "I cannot do that", Completion("- Ann", finish="length"), Completion("", finish="refused")]
)
def test_a_useless_reply_leaves_the_statement_whole_and_says_so(reply):
    result, warnings = units([reply])
    assert result == [STATEMENT]
    assert "not decomposed" in warnings[0]


def test_a_refusal_leaves_the_statement_whole_and_other_faults_are_raised():
    def fail(error):
        def reply(_):
            raise error

        return reply

    assert units(fail(RefusedError("no")))[0] == [STATEMENT]
    with pytest.raises(AuthenticationError):
        units(fail(AuthenticationError("no key")))


def test_a_single_word_is_not_asked_about():
    assert units([], "Yes.") == (["Yes."], [])
