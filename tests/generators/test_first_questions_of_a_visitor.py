"""What a first visitor asks of any document: who signed, whom to write to, what it costs, what the company does."""

import pytest

import citewell
from citewell import Document
from citewell.generators.extractive.prose.asking import asking
from citewell.generators.extractive.prose.particulars import author, date, title
from citewell.generators.extractive.prose.sorts import genre, kind_of

REPORT = "# Report on the quay\n\nThe quay was rebuilt in 2019. The Board paid for the stone. The lamps were kept. "
LEASE = (
    "LEASE AGREEMENT\n\nThis Lease Agreement is made between the Harbour Board (the “Board”) and Orla Voss (the “Tenant”)."
    "\n\nThe Tenant shall pay the rent on the first day of each month.\n\nThe Board may enter the shed with notice.\n"
)


def read(text):
    return citewell.read(text.encode(), name="a.md")


def ask(text, question):
    return citewell.ask([read(text)], question)


@pytest.mark.parametrize(
    ("question", "way"),
    [
        ("Who signed it?", "signed"),
        ("By whom was the agreement signed?", "signed"),
        ("How do I contact them?", "contact"),
        ("What is the phone number?", "contact"),
        ("How can I reach the authors?", "contact"),
        ("What does it cost?", "price"),
        ("What did it cost?", None),
        ("How much does it cost?", "price"),
        ("Who signed the treaty of Brel?", None),
        ("How do I contact the tenant of pier nine?", None),
        ("What does the ferry cost?", None),
        ("What did it cost to rebuild the quay?", None),
    ],
)
def test_what_a_visitor_asks_of_any_document_has_a_way(question, way):
    assert (asking(question) and asking(question).way) == way


@pytest.mark.parametrize(
    ("ending", "names"),
    [
        ("\n\nBy: /s/ Ida Kestrel\n\nIda Kestrel", ["Ida Kestrel"]),
        ("\n\n/s/ Ida Kestrel\n\n/s/ Tom Ode\n\n/s/ Ida Kestrel", ["Ida Kestrel", "Tom Ode"]),
        ("\n\nElectronically signed by: Ida Kestrel", ["Ida Kestrel"]),
        ("\n\nYours sincerely,\n\nIda Kestrel\n", ["Ida Kestrel"]),
    ],
)
def test_lines_with_a_signature_say_who_signed(ending, names):
    answer = ask(REPORT + ending, "Who signed it?")
    assert [sum(name in citation.quote for citation in answer.citations) for name in names] == [1] * len(names)


def test_a_sentence_on_somebody_who_signs_something_does_not_say_who_signed_the_document():
    assert ask(REPORT + "A petition signed by ten members is sent to the Board.", "Who signed it?").abstained


def test_the_parties_of_a_contract_without_signatures_are_told_with_a_hedge():
    answer = ask(LEASE, "Who signed it?")
    assert "Orla Voss" in answer.text
    assert answer.confidence == 0.6
    assert "Tom Ode" in ask(LEASE + "\n/s/ Tom Ode\n", "Who signed it?").text


@pytest.mark.parametrize(
    ("line", "reached"),
    [
        ("Questions on the quay may be sent to quay@board.example.", True),
        ("Contact: the Board, telephone (212) 555-0100.", True),
        ("The Board can be called at +47 22 55 01 00.", True),
        ("The Board welcomes contact with partners.", False),
        ("Send your contact details to the Board within 7 days.", False),
        ("Telephone lines along the quay were laid from 1998-2004.", False),
        ("The call of 2019 cost $ 212 555 0100.", False),
        ("The Board has 212 555 0100 as its file.", False),
    ],
)
def test_only_an_address_or_a_number_says_how_somebody_is_reached(line, reached):
    answer = ask(REPORT + line, "How do I contact them?")
    assert answer.abstained is not reached
    assert not reached or line in answer.text


def test_an_address_below_a_heading_of_that_name_comes_first_and_one_in_references_never():
    text = f"{REPORT}\n\nThe guard is ann@guard.example.\n\n## Contact\n\nanna@board.example\n\n## References\n\nAsk e-mail of x@y.example.\n"
    assert ask(text, "How do I contact them?").text == "anna@board.example"


@pytest.mark.parametrize(("line", "reached"), [("Contact the following", True), ("We read the following", False)])
def test_items_below_a_line_that_asks_to_write_say_where(line, reached):
    answer = ask(f"{REPORT}\n\n{line}:\n\n- General help – help@board.example\n", "How do I contact them?")
    assert answer.abstained is not reached


@pytest.mark.parametrize("sort", ["# Annual report 2024", "# Minutes of the Board", "# Harbour Act of 2019"])
def test_what_is_not_sold_has_no_price(sort):
    text = f"{sort}\n\nThe cost of the stone was $200. The lamps cost $90 a year. The quay is long.\n"
    assert ask(text, "What does it cost?").abstained


def test_what_is_sold_has_one():
    text = "# Ferry pass\n\nThe pass costs $90 a year. It is sold at the quay. Children ride free of charge."
    assert "$90" in ask(text, "What does the pass cost?").text
    assert "names a price" not in ask(text, "What does it cost?").abstention.message


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("# Velin House\n\nVelin House (VH) is a small, faith-based charity that lends boats. It sails.", True),
        ("# Smectite in milk\n\nAbstract\n\nSmectite is a natural silicate used in dairies. We propose a test.", False),
        ("# Smectite\n\nSmectite is a natural silicate used in dairies. It is white.", False),
        ("# Velin advice\n\nVelin provides some training. The exam is free.", False),
        ("# Lease agreement\n\nThe Company is a corporation duly organized under the laws of Brel.", False),
        ("# Privacy policy\n\nWe operate other systems. We ask you to test this one only.", False),
        ("# Annual report 2024\n\nWe operate nine ferries between Brel and Skelby. The year was good.", True),
    ],
)
def test_only_a_sentence_on_a_company_s_own_business_says_what_the_company_does(text, told):
    assert ask(text, "What does the company do?").abstained is not told


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("# Guide\n\n- Ann Oxley\n- Ben Hart\n- Cay Dune\n\nThe guide is short.", None),  # contents, or who was there
        ("# Guide\n\nAnn Oxley\n\nMay 3, 2021\n\nThe guide is short.", "Ann Oxley"),
        ("# Guide\n\nAnn Oxley\n\nThe guide is short.", None),
        ("# Guide\n\nAnn Oxley, Ben Hart\n\nThe guide is short.", "Ann Oxley, Ben Hart"),
        ("# Guide\n\nAnn Oxley, Jo Stone\n\nThe guide is short.", "Ann Oxley, Jo Stone"),
        ("# Guide\n\nAccident Form\n\nParking Form\n\nThe guide is short.", None),
        ("# Guide\n\nTide Rules ......... 7\n\nMoor Owners ......... 8\n\nThe guide is short.", None),
    ],
)
def test_names_below_a_title_are_authors_where_they_are_no_list(text, name):
    known = author(read(text))
    assert (known and known.text) == name


def test_a_sentence_that_begins_with_the_name_of_who_filed_is_not_quoted_for_who_wrote():
    document = Document.from_text(
        "Orla Lines was formed in 2003 in Brel.\n\nThe year was good.", title="Orla Lines — Annual report (10-K) 2015"
    )
    assert citewell.ask([document], "Who wrote it?").text == "Orla Lines"


def test_the_end_of_the_period_is_no_day_of_publication_wherever_it_stands():
    cover = "For the year ended December 31, 2015\n\nDECEMBER 31, 2015\n\n"
    assert date(read(cover + "The year was good.")) is None
    assert date(read("# Lab rules\n\nExpiration: March 31, 2020\n\nThe lab is open.")) is None
    assert date(read(cover + "March 30, 2016\n\nThe year was good.")).text == "March 30, 2016"


def test_people_of_another_company_are_not_counted():
    text = "# Orla Fund — Annual report 2024\n\nThe Fund gets help from a party, {}, which had 45 employees in 2024."
    assert ask(text.format("CCC"), "How many people work there?").abstained
    assert "45" in ask(text.format("Orla Fund"), "How many people work there?").text


def test_people_who_are_counted_for_something_else_do_not_work_there():
    text = "# Council talk\n\n112 people signed up for the fair. The people who work on it are trusted."
    assert ask(text, "How many people work there?").abstained


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The Senate will be reformed.\n\nA bill is placed before you.", None),
        ("Reform of the Senate\n\nA bill is placed before you.", "Reform of the Senate"),
        ("# Reform of the Senate\n\nA bill is placed before you.", "Reform of the Senate"),
    ],
)
def test_a_sentence_is_no_title(text, name):
    known = title(Document.from_text(text))
    assert (known and known.text.removeprefix("# ")) == name


def test_what_a_contract_is_about_is_its_title_and_its_preamble():
    clauses = "".join(
        f"\n\n{n}. The Tenant shall keep the shed and the quay of the lease clean in {n} winters." for n in (1, 2, 3)
    )
    answer = ask(LEASE + clauses, "What is this agreement about?")
    assert "made between the Harbour Board" in answer.text
    assert "winters" not in answer.text
    assert "rent" not in answer.text


def test_what_minutes_are_about_is_what_was_talked_about():
    text = (
        "# Board meeting 3 May\n\n## Attendance\n\n- Ann Oxley\n\n## Budget\n\n### Lamps\n\nWe talked of lamps for long."
        "\n\n## Repair of the quay\n\nBen: we wait.\n"
    )
    assert kind_of(read(text)) == "minutes"
    answer = ask(text, "What is this about?").text
    assert answer.split("\n") == ["Board meeting 3 May", "Budget", "Repair of the quay"]


def test_a_document_with_no_telling_sentence_is_told_with_a_hedge():
    clear = "# Quay\n\nThis report examines the repair of the quay and its lamps.\n"
    assert ask(clear, "What is this about?").confidence > 0.8
    vague = "# Talk\n\n" + "Somebody moved the boat again. " * 40
    assert ask(vague + "\n\nAnd then the rain fell on the boat.", "What is this about?").confidence < 0.6


def test_one_word_is_answered_by_a_list_of_that_name_but_not_by_any_sentence_that_has_it():
    told = "# Quay\n\n## Risks\n\n- Storms in winter.\n- Rust of the lamps.\n"
    assert "Storms" in ask(told, "What are the risks?").text
    passing = "# Quay\n\nThe guide names a study of the risks. Masts are tall. " + "Boats lie at the quay. " * 30
    assert ask(passing, "What are the risks?").abstained


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("# Privacy Policy\n\nWe collect names.", "privacy policy"),
        ("# Travel Policy\n\nThis policy applies to all staff.", "policy"),
        ("# Quay\n\nLong.", "text"),
    ],
)
def test_a_policy_on_privacy_is_a_genre_of_its_own(text, kind):
    assert genre(read(text)) == kind


def test_a_speech_that_says_this_report_once_is_no_report():
    speech = "Honourable members.\n\nYou will be asked to study this report. My ministers thank you."
    assert kind_of(Document.from_text(speech)) == "text"
    assert kind_of(Document.from_text(f"{speech} Congress asked for it.")) == "report"
