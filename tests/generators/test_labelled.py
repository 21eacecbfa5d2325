"""Facts that stand as a label and its value answer questions that have the label's words, or related ones."""

import pytest

import citewell

POLICY = """# Mooring

```
owner: Ida Kestrel, harbour master
effective: 2025-07-01
```

Status: Stable
License: CC BY 4.0
Published: November 10, 2025

Fee per night: 40 crowns
Telephone: 555 0134

| Step | Who | When |
|---|---|---|
| Application | Clerk | in spring |
| Final payment | Skipper | after the last night |

Ships are moored at the long pier. The keeper lights the lamp at dusk. Ropes are checked twice a day by the crew.
The clerk writes the log. Nobody is to be on the pier in a storm. Guests may stay for three nights.
"""


@pytest.fixture(scope="module")
def policy():
    return citewell.read(POLICY.encode(), name="mooring.md")


@pytest.mark.parametrize(
    ("question", "value", "line"),
    [
        ("Who owns this policy?", "Ida Kestrel, harbour master", "owner: Ida Kestrel, harbour master"),
        ("When does it take effect?", "2025-07-01", "effective: 2025-07-01"),
        ("Under which licence is it?", "CC BY 4.0", "License: CC BY 4.0"),
        ("What is the status?", "Stable", "Status: Stable"),
        ("How much is the fee per night?", "40 crowns", "Fee per night: 40 crowns"),
    ],
)
def test_a_label_answers_with_its_value(policy, question, value, line):
    answer = citewell.ask(policy, question)
    assert answer.value is not None
    assert answer.value.text == value
    assert answer.text == line
    assert policy.text[answer.citations[0].start : answer.citations[0].end] == line


def test_a_row_answers_what_its_label_is_asked(policy):
    answer = citewell.ask(policy, "Who makes the final payment?")
    assert answer.text == "Final payment | Skipper | after the last night"


@pytest.mark.parametrize(
    "question",
    [
        "Who owns the long pier?",  # the label has not all that is asked
        "Why is it effective?",  # no value is a reason
    ],
)
def test_a_label_that_lacks_a_word_or_has_another_kind_of_value_does_not_answer(policy, question):
    answer = citewell.ask(policy, question)
    assert not [part for part in ("owner:", "effective:") if part in answer.text]


def test_a_value_of_another_kind_does_not_answer():
    page = citewell.read(b"Opening: by order of the council\n\nThe pier is long. The lamp is lit at dusk.", name="a.md")
    answer = citewell.ask(page, "When is the opening?")
    assert answer.value is None or answer.confidence < 0.8


@pytest.mark.parametrize("line", ["Keeper video: Brel Films", "Keeper: TBA"])
def test_what_a_label_is_not_the_head_of_or_leaves_open_does_not_answer(line):
    text = f"{line}\n\nThe pier is long and the lamp is lit at dusk by the crew.\n\nShips pass by night."
    answer = citewell.ask(citewell.read(text.encode(), name="light.md"), "Who is the keeper?")
    assert answer.value is None or answer.confidence < 0.8


def test_a_label_may_have_a_general_head():
    text = "Job title: Lamp keeper\n\nThe pier is long and the lamp is lit at dusk.\n\nShips pass by night."
    answer = citewell.ask(citewell.read(text.encode(), name="light.md"), "What is the job?")
    assert answer.value is not None
    assert answer.value.text == "Lamp keeper"


def test_several_values_of_one_label_tell_nothing_for_sure():
    text = "Keeper: Ida Kestrel\n\nThe north light is white.\n\nKeeper: Jan Brel\n\nThe south light is red."
    answer = citewell.ask(citewell.read(text.encode(), name="lights.md"), "Who is the keeper?")
    assert answer.value is None or answer.confidence < 0.8


def test_labels_in_one_line_are_told_apart():
    text = "Keeper: Ida Kestrel Owner: Jan Brel Date: March 2026\n\nThe lamp is lit at dusk. Ships pass by night."
    answer = citewell.ask(citewell.read(text.encode(), name="light.md"), "Who is the owner?")
    assert answer.text == "Owner: Jan Brel"


def test_what_is_no_company_is_told_by_what_it_is():
    text = "# Brelkit\n\nBrelkit is an open-source package for reading tide tables. The tables are public. It is fast."
    answer = citewell.ask(citewell.read(text.encode(), name="brelkit.md"), "What does Brelkit do?")
    assert "open-source package for reading tide tables" in answer.text


def test_what_is_asked_of_the_document_itself_is_told_by_no_entry_and_no_abbreviation():
    text = (
        "# Guideline for tides\n\n| Contents | |\n|---|---|\n| 5.1 Publication | 24 |\n| 5.2 Updating | 25 |\n\n"
        "| Short | Long |\n|---|---|\n| PEN | Package of essential needs |\n| TID | Tidal index |\n\n"
        "The tide turns twice a day. Boats wait for it at the pier. The keeper writes it down.\n"
    )
    guideline = citewell.read(text.encode(), name="tides.md")
    for question in ("Who wrote this document?", "When was this document published?"):
        answer = citewell.ask(guideline, question)
        assert "PEN" not in answer.text
        assert "Publication" not in answer.text
