"""Decomposition by a language model: its pieces are held to the words of the statement."""

from __future__ import annotations

import pytest

from citewell import notes
from citewell.decomposers.llm import LLMUnits
from citewell.errors import AuthenticationError, RefusedError
from citewell.llm.scripted import Scripted
from citewell.protocols import Completion

STATEMENT = "Ann Smith founded the firm in 1990 and sold it for $41 million in 2001."


def units(reply, statement=STATEMENT):
    with notes.collect() as said:
        found = LLMUnits(llm=Scripted(replies=reply)).decompose(statement)
    for unit in found:
        parts = [statement[start:end] for start, end in unit.spans]
        assert unit.text.rstrip(".") == " ".join(parts).rstrip(".")
    return [unit.text for unit in found], said.warnings


def test_pieces_are_built_of_the_statements_words():
    reply = "- Ann Smith founded the firm in 1990.\n- Ann Smith sold it for $41 million in 2001."
    assert units([reply]) == (
        ["Ann Smith founded the firm in 1990.", "Ann Smith sold it for $41 million in 2001."],
        [],
    )


@pytest.mark.parametrize("bullet", ["1. ", "2) ", "* ", "• ", "(3) ", ""])
def test_lists_of_any_kind_are_read(bullet):
    reply = f"{bullet}Ann Smith founded the firm in 1990.\n{bullet}Ann Smith sold it for $41 million in 2001."
    assert len(units([reply])[0]) == 2


def test_words_of_the_model_are_left_out():
    found, _ = units(["- Ann Smith, a sailor, founded the firm in 1990.\n- She sold it for $41 million in 2001."])
    assert found == ["Ann Smith founded the firm in 1990.", "sold it for $41 million in 2001."]


def test_words_that_no_piece_has_are_added_to_the_nearest():
    found, _ = units(["- Ann Smith founded the firm in 1990.\n- Ann Smith sold it."])
    assert "41" in found[1]
    assert "2001" in found[1]


def test_negation_is_never_lost():
    found, _ = units(["- The fleet has ships."], "The fleet has no ships.")
    assert found == ["The fleet has no ships."]


def test_lines_about_something_else_are_no_pieces():
    found, _ = units(
        ["Here are the pieces:\n- Ann Smith founded the firm in 1990 and sold it for $41 million in 2001."]
    )
    assert found == [STATEMENT]


@pytest.mark.parametrize(
    "reply", ["", "I cannot do that", Completion("- Ann", finish="length"), Completion("", finish="refused")]
)
def test_a_useless_reply_leaves_the_statement_whole_and_says_so(reply):
    found, warnings = units([reply])
    assert found == [STATEMENT]
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
