"""Replies of n and 4n characters: the work of reading them grows no faster than they do. Calls are counted, no clock."""

import pytest

from citewell.document import Document
from citewell.generators.prompted import generator
from citewell.generators.prompted.generator import Prompted
from citewell.protocols import Completion
from citewell.text.replies.markers import find
from citewell.text.replies.parsing import parse

REPORT = Document.from_text("The quarry employs 212 people.\n\nIts output of slate rose to 9,400 tonnes.")


class Streams:
    """A model that hands its reply over in pieces of seven characters."""

    name = "streams"

    def __init__(self, reply):
        self.reply = reply

    def complete(self, request, on_text=None):
        for start in range(0, len(self.reply), 7):
            on_text(self.reply[start : start + 7])
        return Completion(self.reply, "streams")


def characters_read(monkeypatch, statements):
    """How many characters are read again and again while a reply of so many statements arrives, and how many drafts."""
    read, drafts = [], []
    settled = generator.settled

    def counted(reply, known, source=""):
        read.append(len(reply))
        return settled(reply, known, source)

    monkeypatch.setattr(generator, "settled", counted)
    reply = " ".join(f"The quarry employs {n} people in two shifts [1]." for n in range(statements))
    Prompted(llm=Streams(reply)).generate("How many?", [REPORT], drafts.append)
    monkeypatch.setattr(generator, "settled", settled)
    return sum(read), drafts, reply


@pytest.mark.slow
def test_a_streamed_reply_is_read_a_bounded_number_of_times(monkeypatch):
    short, _, _ = characters_read(monkeypatch, 100)
    long, drafts, reply = characters_read(monkeypatch, 400)
    assert long <= 20 * len(reply)
    assert long <= 4.6 * short
    assert len(drafts) > 20  # and yet it is told in many steps


def test_the_first_statement_of_a_streamed_reply_is_told_as_soon_as_it_is_final(monkeypatch):
    _, drafts, _ = characters_read(monkeypatch, 8)
    assert len(drafts[0].statements) == 1
    assert [len(draft.statements) for draft in drafts] == sorted({len(draft.statements) for draft in drafts})


@pytest.mark.parametrize(
    "reply",
    [
        "Total [" + "1" * 60 + "x",
        "[2010 2011 2012 2013 2014 2015 2016 2017 2018 2019 2020 2021 approx.]",
        "[" + "1 " * 39 + "x",
        "Words.\n" + "Sources:\n" * 20_000 + "Nothing.",
        "Words." + "\n" * 50_000 + "End.",
    ],
    ids=["digits", "years", "numbers", "heads", "blank lines"],
)
def test_replies_made_to_be_read_in_every_way_are_read_once(reply):
    assert parse(reply, 5).cites == ()  # an exponential or quadratic reader does not come to this line


def test_a_list_of_sources_is_left_out_wherever_its_head_stands():
    assert parse("It rose. [1]\n\n**Sources:**\n\n[1] a\n- b\n", 2).text == "It rose."
    assert parse("It rose. [1]\nSources:\nNot a list.", 2).text == "It rose.\nSources:\nNot a list."
    assert parse("Sources:\n[1] a", 2).text.startswith("Sources")
    assert parse("It rose. [1]\nSources:\nSome words.\nReferences:\n1. a\n2. b", 2).text.endswith("Some words.")


def test_numbers_of_a_mark_need_something_between_them():
    assert [mark.numbers for mark in find("A [1 3]. B [2,4]. C [1-3]. D [2 and 3].", 4)] == [
        (1, 3),
        (2, 4),
        (1, 2, 3),
        (2, 3),
    ]


def test_marks_in_code_and_quotations_are_told_among_many():
    text = "`a[1]` is code [2]. " * 50 + "``` b[1]\n" + "It rose [1]."
    marks = find(text, 4)
    assert {mark.numbers for mark in marks} == {(2,), (1,)}
    assert sum(mark.numbers == (2,) for mark in marks) == 50
