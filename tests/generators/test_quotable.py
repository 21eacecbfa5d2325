"""What is quoted as an answer states something: no heading, no caption, no names of columns, no piece of a page."""

import pytest

import citewell
from citewell.generators.extractive.prose.quotable import quotable
from citewell.types import Segment


def segment(text, kind="paragraph"):
    return Segment("p0", "sentence", 0, len(text), text, (), kind)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The harbour closes at noon.", "paragraph"),
        ("The harbour closes at noon", "list_item"),  # a list has no marks
        ("40 seats, two of them for guests", "list_item"),
        ("Harbour master: Ida Kestrel", "paragraph"),
        ("owner: Ida Kestrel", "code"),  # front matter
        ("Operated by Alder Lines", "paragraph"),
        ("Last updated April 20, 2023", "heading"),
        ("Figure 4: The new pier is 40 m long.", "caption"),
        ("Table 2 (continued) shows the ships of the pier.", "paragraph"),
        ("Final payment | on delivery", "table_row"),
    ],
)
def test_what_states_something_may_be_quoted(text, kind):
    assert quotable(segment(text, kind))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The harbour's review continued", "heading"),
        ("Figure 4: Use of the pier during the storm", "paragraph"),
        ("Figure 4: Use of the pier during the storm.", "paragraph"),
        ("Table 2 (part 1 of 3): Use of the pier during the storm", "paragraph"),
        ("Extract from the council's objection to the pier", "paragraph"),
        ("3.4 Ships that may use the pier ........ 11", "list_item"),
        ("4. | Duties of the master | 4", "table_row"),
        ("3.4 Ships that may use the pier | 11", "table_row"),
        ("Which ships may use the pier?", "paragraph"),
        ("ship.berth(pier)", "code"),
        ("Made on ______ between ______ and ______ (the Parties).", "paragraph"),
        ("Pier", "table_row"),
        ("Issue: https://pier.example/28 Video: https://pier.example/29", "paragraph"),
    ],
)
def test_what_states_nothing_may_not(text, kind):
    assert not quotable(segment(text, kind))


def test_the_row_that_names_columns_is_no_answer():
    row = segment("When | What is needed | Within", "table_row")
    assert quotable(row)
    assert not quotable(row, heads=True)
    assert quotable(segment("Developer | Ida Kestrel", "table_row"), heads=True)  # two cells are a label and its value


BOOK = """# Harbour rules

## Closing of the pier

| When | What closes the pier | Within |
|---|---|---|
| A storm warning | The master closes the pier | One hour |

Figure 2: Closing of the pier by the master

Only the harbour master may close the pier to ships.

The clerk writes the log. The keeper lights the lamp. The crane is tested in spring.
"""


def test_an_answer_quotes_no_caption_heading_or_names_of_columns():
    answer = citewell.ask(citewell.read(BOOK.encode(), name="rules.md"), "Who may close the pier?")
    assert "Only the harbour master may close the pier to ships." in answer.text
    assert not [part for part in ("Figure 2", "Closing of", "When |") if part in answer.text]


def test_what_is_left_is_no_surer_than_what_cannot_be_quoted():
    page = "The lighthouse at Innis is white. The keeper lives there. Ships pass it by night on their way to Corran."
    question = "Who paints the lighthouse at Innis?"
    plain = citewell.ask(citewell.read(page.encode(), name="innis.md"), question)
    headed = citewell.ask(citewell.read(f"## Who paints the lighthouse\n\n{page}".encode(), name="innis.md"), question)
    assert headed.confidence <= plain.confidence
    assert "Who paints" not in headed.text
    assert not [near for near in getattr(headed.abstention, "nearest", ()) if near.citation.quote.startswith("Who")]


def test_who_was_chosen_for_an_office_is_who_holds_it():
    text = (
        "Jan Brel calls for nominations. The president is Ida Kestrel. The vice president is Odo Pell. The sea is calm."
    )
    answer = citewell.ask(citewell.read(text.encode(), name="minutes.md"), "Who was elected president?")
    assert answer.value is not None
    assert answer.value.text == "Ida Kestrel"


def test_an_office_is_no_name():
    text = (
        "Our Chief Executive Officer, Chief Financial Officer and Chief Accounting Officer certify the reports. "
        "The sea is calm. The harbour of Skelby is open at night. The crew is well."
    )
    answer = citewell.ask(citewell.read(text.encode(), name="report.md"), "Who runs the company?")
    assert answer.abstained or (answer.value and "Officer" not in answer.value.text)


TABLES = """# Fleet

| Ship | Built | Beds |
|---|---|---|
| Alder | 1998 | 60 |
| Birch | 2003 | 72 |

The fleet was renewed.

| Keeper | Odo Pell |
|---|---|
| Crane | 40 tonnes |

The crew is well. The sea is calm. Ships pass the pier by night on their way to Corran.
"""


def test_words_name_the_columns_of_their_own_table_only():
    fleet = citewell.read(TABLES.encode(), name="fleet.md")
    own = citewell.ask(fleet, "How many beds does the Birch have?")
    assert "60" not in (own.value.text if own.value else "")
    other = citewell.ask(fleet, "What is the crane?")
    assert "Built" not in other.text


@pytest.mark.parametrize(
    ("heading", "may_be"), [("References", False), ("7. List of references", False), ("Reference pier", True)]
)
def test_an_entry_of_a_list_of_references_is_not_quoted(heading, may_be):
    entry = Segment(
        "p0", "sentence", 0, 51, "Holt, A. (2019). The pier was closed by ice. Tides.", ("Paper", heading), "paragraph"
    )
    assert quotable(entry) is may_be
