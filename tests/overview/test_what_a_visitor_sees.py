"""What somebody who opens a document sees first: what it is called and is, by whom and when, for whom, its parts."""

import pytest

import citewell
from citewell.document import Document
from citewell.generators.extractive.prose.particulars import author, date, publisher
from citewell.generators.extractive.prose.sorts import kind_of
from citewell.generators.extractive.prose.titles import title
from citewell.pipeline.overview.details import outline, period
from citewell.pipeline.overview.questions import _themes, suggested
from citewell.types import Block, Page
from citewell.types.overview import OutlineEntry

PROSE = "The harbour board keeps the quay, the lamps and the two cranes in good order all year round."


def read(text: str) -> Document:
    return citewell.read(text.encode(), name="a.md")


def named(text: str) -> str | None:
    known = title(read(text))
    return known.text if known else None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"BY-LAWS OF THE TOWN OF ELMHURST\n\nARTICLE 1\n\n# WARRANTS\n\n{PROSE}", "BY-LAWS OF THE TOWN OF ELMHURST"),
        (f"# Skelby University\n\nRowing Club Bylaws\n\n{PROSE}", "Rowing Club Bylaws"),
        (f"# Disclaimer\n\n{PROSE}\n\n## Ships\n\n{PROSE}", None),
        (f"# News Release\n\nOriel reports its second quarter\n\n{PROSE}", "Oriel reports its second quarter"),
        (f"# Behind the quay: how ships are paid for\n\nTechnical Report\n\n{PROSE}", "Behind the quay: how ships are paid for"),
        (f"What is a tide?\n\n{PROSE}\n\n# What moves a tide?\n\n{PROSE}", "What is a tide?"),
        (f"Good evening.\n\n{PROSE}", None),
        (f"Title: Lamps of the quay\n\n{PROSE}", "Lamps of the quay"),
        (f"TITLE:\n\nThe effect of lamps on ships at the quay, measured in a long study\n\n{PROSE}",
         "The effect of lamps on ships at the quay, measured in a long study"),
        (f"# {'Very long words of a title ' * 7}\n\n{PROSE}", ("Very long words of a title " * 7).strip()),
    ],
)  # fmt: skip
def test_a_document_is_called_by_its_title_and_not_by_its_first_part(text, name):
    assert named(text) == name


def paged(text, title_of_file, second=None):
    """A document of two pages with the title that its file has; the second page begins at `second`."""
    blocks, at = [], 0
    for line in text.split("\n\n"):
        heads = line.startswith("# ")
        blocks.append(Block(at + 2 * heads, at + len(line), "heading" if heads else "paragraph", int(heads)))
        at += len(line) + 2
    cut = text.index(second) if second else len(text) - 1
    pages = (Page(1, 0, cut, 1.0, 1.0), Page(2, cut, len(text), 1.0, 1.0))
    return Document(text, title=title_of_file, blocks=tuple(blocks), pages=pages)


@pytest.mark.parametrize(
    ("of_file", "name"),
    [
        ("OX 2024 draft final (last part)", "Annual Report of the Oxley Quay"),  # nothing of it is printed
        ("Annual Report of the Oxley Quay - Google Docs", "Annual Report of the Oxley Quay"),
        ("Microsoft Word - body", "Annual Report of the Oxley Quay"),
        ("Introduction", "Annual Report of the Oxley Quay"),
        ("The Annual Report of the Quay", "The Annual Report of the Quay"),  # printed in other order
    ],
)
def test_a_title_of_the_file_that_is_not_printed_gives_way_to_the_one_on_the_cover(of_file, name):
    known = title(paged(f"# Annual Report of the Oxley Quay\n\n# Introduction\n\n{PROSE}\n\n{PROSE}", of_file))
    assert known is not None
    assert known.text == name


def test_a_title_of_the_file_whose_words_the_cover_prints_in_another_order_stays():
    text = f"# Oxley at night\n\n# The lamps and cranes\n\n{PROSE}\n\n{PROSE}"
    assert title(paged(text, "The cranes and lamps: Oxley")).text == "The cranes and lamps: Oxley"
    assert title(paged(text, "Draft of some other words")).text == "Oxley at night"


def test_a_cover_names_a_document_before_its_second_page_does():
    text = f"# The quay and its lamps\n\nSteering group\n\nNational guideline for the lamps of quays\n\n{PROSE}"
    assert title(paged(text, None, second="National")).text == "The quay and its lamps"
    assert title(paged(text, None, second=PROSE)).text == "National guideline for the lamps of quays"


def test_parties_and_addresses_are_no_authors():
    names = "Nora L. Keenan, Paul Ames"
    assert author(read(f"# The quay\n\n{names}\n\n{PROSE}")).text == names
    assert author(read(f"# Lease of the quay\n\n{names}\n\n{PROSE}")) is None
    assert author(read(f"# The quay\n\nOxley Reg. 29190623,\n\nUniversity of Oxley\n\n{PROSE}")) is None
    assert author(read(f"# The quay\n\n33 Boulevard Albert, Oxley Harbour\n\n{PROSE}")) is None


def test_the_outline_has_no_rows_and_no_author():
    text = (
        f"# The quay\n\n## Nora L. Keenan, Paul Ames\n\n## Lamps\n\n{PROSE}\n\n"
        f"## 1997 41.10 27.60 28.4 Oxley\n\n{PROSE}\n\n## Cranes 1 and 2\n\n{PROSE}"
    )
    assert [entry.title for entry in outline(read(text))] == ["The quay", "Lamps", "Cranes 1 and 2"]


def test_clauses_that_a_heading_style_sets_are_paragraphs():
    clauses = "## The board shall light the lamps.\n\n## The board shall oil both cranes.\n\n## It may let the quay."
    long = "# The board shall keep the quay, the lamps and the two cranes in good order all the year round."
    document = read(f"# The quay\n\n# Duties.\n\n{clauses}\n\n{long}\n\n## Lamps\n\n{PROSE}")
    assert [entry.title for entry in outline(document)] == ["The quay", "Duties.", "Lamps"]
    few = read(f"# The quay\n\n## The lamps burn all night.\n\n{PROSE}\n\n## Cranes\n\n{PROSE}")
    assert [entry.title for entry in outline(few)] == ["The quay", "The lamps burn all night.", "Cranes"]


def test_what_runs_above_the_pages_names_a_document_whose_headings_do_not():
    text = f"PURPOSE\n\n{PROSE}\n\nUSERS\n\n{PROSE}"
    second = text.index("USERS")
    running = ("CRANE ADMIN USER GUIDE", "IM&T | v 0.4")
    blocks = (Block(0, 7, "heading", 1), Block(9, second - 2), Block(second, second + 5, "heading", 1),
              Block(second + 7, len(text)))  # fmt: skip

    def paged(*furniture):
        pages = (Page(1, 0, second, 1.0, 1.0, furniture[0]), Page(2, second, len(text), 1.0, 1.0, furniture[1]))
        return Document(text, title="USERS", blocks=blocks, pages=pages)

    known = title(paged(running, running))
    assert known is not None
    assert (known.text, known.at) == ("CRANE ADMIN USER GUIDE", None)
    assert kind_of(paged(running, running)) == "manual"
    assert title(paged(running, ())) is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"# Lamp Specification v2\n\n**License:** CC BY 4.0\n\n{PROSE}", "specification"),
        (f"# Guideline for the care of ropes\n\n{PROSE}", "guideline"),
        (f"# By-laws of the Town of Elmhurst\n\n{PROSE}", "law"),
        (f"# Data addendum\n\n{PROSE}", "contract"),
        (f"OXLEY\n\nTo light the quay.\n\nOxley plc Annual Report 2024\n\n{PROSE}", "annual report"),
        (f"# Ropes\n\n## Statement of need\n\n{PROSE}", "paper"),
        (f"# Ropes: manual splicing at sea\n\n## Statement of need\n\n{PROSE}", "paper"),
        (f"# Ropes\n\nIt was said by Ann Lee et al. that ropes hold.\n\n{PROSE}", "text"),
        (f"# Ropes\n\n## Introduction\n\n{PROSE}\n\n## References\n\n{PROSE}", "paper"),
        (f"# Quay Club Bylaws\n\n{PROSE}", "bylaws"),
        (f"# Constitution of the Quay Club\n\n{PROSE}", "bylaws"),
        (f"My fellow citizens, good evening.\n\n{PROSE}\n\nThank you so much.", "speech"),
        (f"# Terms of Use\n\n{PROSE}", "contract"),
        (f"# Crew Handbook\n\nPolicies of the quay\n\n{PROSE}", "manual"),
        (f"# Crane manual\n\n{PROSE}", "manual"),
        (f"# Manual of cranes\n\n{PROSE}", "manual"),
        (f"# Quay Steering Committee (QSC) Meeting 2018-05-16\n\n{PROSE}", "minutes"),
    ],
)
def test_the_kind_is_told_by_the_title_the_lines_above_the_text_and_its_wording(text, kind):
    assert kind_of(read(text)) == kind


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (f"---\ntitle: Ropes\nauthors:\n- name: Ann Oxley\n- name: Ben Hart\n---\n{PROSE}", "Ann Oxley, Ben Hart"),
        (f"# Rope Format\n\n**Authors:** Rope team\n\n{PROSE}", "Rope team"),
        (f"---\ntitle: Ropes\nowner: Ann Oxley, Clerk\n---\n{PROSE}", "Ann Oxley, Clerk"),
        (f"# Ropes\n\nAnn Oxley University of Skelby\n\nBen Hart University of Skelby\n\n{PROSE}", "Ann Oxley, Ben Hart"),
        (f"# Ropes\n\nAnn Oxley1 and Ben Hart1,2\n\n{PROSE}", "Ann Oxley and Ben Hart"),
        (f"# Ropes\n\nHart University of Skelby\n\n{PROSE}", None),
    ],
)  # fmt: skip
def test_authors_are_told_by_front_matter_a_label_or_names_beside_their_university(text, names):
    known = author(read(text))
    assert (known.text if known else None) == names


def test_an_item_c_names_no_owner_of_a_copyright():
    assert publisher(read(f"# Camping\n\n(c) Protect the beach.\n\n{PROSE}")) is None
    assert publisher(read(f"# Camping\n\n(c) 2019 Skelby Harbour Trust\n\n{PROSE}")).text == "Skelby Harbour Trust"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        (f"# Town by-laws\n\nEffective: 9-28-2021\n\n{PROSE}", "9-28-2021"),
        (f"# Quay policy\n\n*Last updated: February 2026*\n\n{PROSE}", "February 2026"),
        (f"# Quay policy\n\nRevised January 2024, the rules were longer.\n\n{PROSE}", None),
        (f"# Annual Report 2020\n\n2019-12-31\n\n{PROSE}", None),
        (f"# Annual Report 2020\n\n2021-03-31\n\n{PROSE}", "2021-03-31"),
        (f"# Minutes\n\nGeneral meeting of the club, Saturday April 23, 2022 (2:00PM)\n\n{PROSE}", "April 23, 2022"),
        (f"# Minutes\n\nThe minutes of April 27, 2021 are read and have one mistake.\n\n{PROSE}", None),
    ],
)
def test_the_day_is_that_of_the_document_and_of_minutes_that_of_the_meeting(text, day):
    known = date(read(text))
    assert (known.text if known else None) == day


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("Effective Date: 1 May 2020", "When did it come into force?", "1 May 2020"),
        ("This policy takes effect on 2 May 2020.", "When does this policy take effect?", "2 May 2020"),
        ("Applies to: all harbour masters", "Who is it for?", "all harbour masters"),
        ("This policy is intended for harbour masters and their crews.", "Who should read this?", "harbour masters"),
    ],
)
def test_when_it_is_in_force_and_for_whom_it_is_are_quoted(text, question, answer):
    assert answer in citewell.ask(read(f"# Crane policy\n\n{text}\n\n{PROSE}"), question).text


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The lamp is intended for ships, and this part is aimed at saving oil.", "Who is it for?"),
        ("Effective tax rate: 23% in 1 May 2020", "When did it come into force?"),
        ("Effective lamps are lit on 1 May 2020.", "When did it come into force?"),
    ],
)
def test_what_is_effective_or_intended_otherwise_answers_neither(text, question):
    answer = citewell.ask(read(f"# Crane policy\n\n{PROSE}\n\n{text}"), question)
    assert answer.abstained or answer.confidence < 0.8


def test_the_outline_has_no_captions_asides_or_headings_twice():
    document = read(f"# Talk\n\n## (Laughter)\n\n{PROSE}\n\n## Fig. 1 Ships\n\n## Ships\n\n## Ships\n\n{PROSE}")
    assert [entry.title for entry in outline(document)] == ["Talk", "Ships"]


def test_a_theme_is_one_section_whose_title_is_whole():
    text = "# Ropes\n\n" + "\n\n".join(
        f"## {name}\n\n{PROSE} {PROSE} {PROSE} {PROSE}"
        for name in ("Undesirable effects of", "Evidence", "Care", "Evidence", "Lamps")
    )
    entries: tuple[OutlineEntry, ...] = outline(read(text))
    assert sorted(_themes(read(text), entries)) == ["Care", "Lamps"]


def test_what_an_acronym_stands_for_is_not_suggested():
    document = read("# Ropes\n\n" + "The earnings per share (EPS) rose, and EPS is a figure that EPS plans use. " * 5)
    asked = suggested(document, None, outline(document), citewell.Pipeline())
    assert not [each for each in asked if "EPS" in each.question]


def test_a_figure_that_grew_from_next_to_nothing_has_no_share():
    from citewell.pipeline.overview.points import key_figures

    def change(before):
        text = (
            "# Annual report 2024 of Oxley\n\n| | 2024 | 2023 |\n|---|---|---|\n"
            f"| Revenue | 900 | 800 |\n| Cash and cash equivalents | 15,233 | {before} |\n"
        )
        figures = key_figures(read(text), "annual report", "2024", citewell.Pipeline())
        return {figure.name: figure.change for figure in figures}

    assert change("10,000")["Cash"] is not None
    assert change("1")["Cash"] is None


def test_what_a_part_says_of_itself_is_no_point_of_the_whole():
    from citewell.pipeline.overview.points import key_figures

    own = "The purpose of this by-law is to keep the quay clean, safe and open to every ship of the town."
    dogs = "The purpose of this by-law is to keep every dog of the town on a leash near the harbour and quay."
    term = "For the purpose of this by-law, the term quay shall include every pier and mole of the town."
    late = "A skipper who at the time this by-law takes effect has a berth shall keep the berth for a year."
    force = "This by-law takes effect on the first day of May after the vote of the annual town meeting."

    def points(*parts):
        text = "# By-laws of the Town of Elmhurst\n\n" + "\n\n".join(parts)
        return {each.name: each.text for each in key_figures(read(text), "law", None, citewell.Pipeline())}

    assert points(own, PROSE, PROSE)["Purpose"] == own
    assert "Purpose" not in points(PROSE, PROSE, PROSE, dogs)
    assert "Purpose" not in points(term, PROSE, PROSE)
    assert "In force" not in points(late, PROSE, PROSE)
    assert points(PROSE, PROSE, PROSE, force)["In force"] == force


def test_parties_above_a_text_are_no_authors_and_what_leads_to_a_list_is_no_title():
    text = "Between Mr Ivo Tern\n\nAnd Mr Olaf Kestrel\n\n# Summary:\n\nI will paint the boats and you will pay me for them.\n"
    seen = citewell.overview(citewell.read(text.encode(), name="boats.md"))
    assert seen.author is None
    assert seen.title is None or seen.title.text != "Summary:"


def test_who_wrote_the_minutes_down_is_no_topic_of_them():
    text = (
        "# Minutes of the harbour board\n\nPresent: Ivo Tern, Ann Oxley\n\n## Respectfully submitted, Ivo Tern\n\n"
        "## Recording Secretary\n\nThe board met at noon and approved the plan for the new pier.\n"
    )
    answer = citewell.ask(citewell.read(text.encode(), name="minutes.md"), "What is this document about?")
    assert "submitted" not in answer.text
    assert "Secretary" not in answer.text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"**Title:** Lamps and ships\n\n{PROSE}\n\n## Oil in the context\n\n{PROSE}", "Lamps and ships"),
        (f"{PROSE * 60}\n\n## Oil in the context\n\n{PROSE}", None),  # of a part
        (f"## Mission Statement\n\n{PROSE}\n\n## Article 1\n\n{PROSE}", None),
        (f"# Meeting - Week 1\n\n{PROSE}\n\n# Meeting - Week 2\n\n{PROSE}\n\n# Meeting - Week 3\n\n{PROSE}", None),
        (f"# Lamps, part 1\n\n{PROSE}\n\n## Lamps, part 2\n\n{PROSE}", "Lamps, part 1"),
        (f"# Hiring Policy\n\n{PROSE}" + "".join(f"\n\n# {each} Policy\n\n{PROSE}" for each in ("Oil", "Pay", "Quay")), None),
        (f"# Hiring Policy\n\n{PROSE}" + "".join(f"\n\n## {each} Policy\n\n{PROSE}" for each in ("Oil", "Pay", "Quay")),
         "Hiring Policy"),
        (f"# وزارة الصحة\n\n# Lamps of the quay\n\n{PROSE}", "Lamps of the quay"),
        (f"# L a m p s of the quay\n\n{PROSE}", None),
        (f"# Lamps of the quay and the\n\n{PROSE}", None),
        (f"# lamps.pages\n\n{PROSE}", None),
    ],
)  # fmt: skip
def test_a_part_or_a_piece_names_no_document(text, name):
    assert named(text) == name


def test_who_issued_a_document_is_no_title():
    text = f"# Oxley Volunteer Fire Department\n\n2017 Annual Fire Report\n\n{PROSE}\n\n{PROSE}"
    assert title(paged(text, "Oxley Volunteer Fire Department")).text == "2017 Annual Fire Report"
    assert title(paged(f"# The Corporation of the Town of Oxley\n\n# Lamps\n\n{PROSE}\n\n{PROSE}", None)) is None
    assert named(f"# Oxley Rowing Club\n\n{PROSE}") == "Oxley Rowing Club"  # an article on it


def test_a_long_first_line_set_as_a_title_is_the_title():
    line = "Lamps and Their Keepers Revisited: Learnings from the Measurement of Oil in the Winter Months at the Quay"
    assert title(paged(f"{line}\n\n{PROSE}\n\n{PROSE}", None)).text == line
    assert title(paged(f"{line.lower().capitalize()}\n\n{PROSE}\n\n{PROSE}", None)) is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"# Care of lamps: an evidence-based guideline\n\n{PROSE}", "guideline"),
        (f"# spec.md: lamps\n\nThis report of the quay. Executive summary.\n\n{PROSE}", "specification"),
        (f"Tuesday, 1st August:\n\nMeeting started at 7pm.\n\n{PROSE}\n\nMeeting began at 8pm.\n\n{PROSE}", "minutes"),
        (f"Sprint 1:\n\nAgenda items:\n\n{PROSE}\n\nMinutes:\n\n{PROSE}", "minutes"),
        (f"# Learnings from lamps\n\n{PROSE}", "text"),
        (f"# Earnings of the quay\n\n{PROSE}", "press release"),
    ],
)
def test_what_a_document_is_called_tells_its_kind(text, kind):
    assert kind_of(read(text)) == kind


@pytest.mark.parametrize(
    ("heading", "time"),
    [
        ("Care of the Oxley disease 2019: a guideline", None),
        ("Oxley Annual Report 2019", "2019"),
        ("2026/27 Member Handbook", "2026/27"),
        ("Oxley budget 2023-2024", "2023-2024"),
        ("Meeting minutes: 2018-11-07", None),
        ("Report of 2018-11", None),
    ],
)
def test_a_year_of_a_title_is_a_period_where_it_is_reported_on_or_runs_into_the_next(heading, time):
    known = period(read(f"# {heading}\n\n{PROSE}"))
    assert (known.text if known else None) == time


def test_marks_above_the_line_are_no_part_of_a_name():
    assert (
        author(read(f"# The quay\n\nNora Keenan¹, Paul Ames², Ann Oxley²\n\n{PROSE}")).text
        == "Nora Keenan, Paul Ames, Ann Oxley"
    )


@pytest.mark.parametrize("piece", [
    "4.2.1 Life products may include term life, endowment and", "Background of", "It is worth it. [Cheers]", "Lamps,",
    "This lease shall be effective on the day of the last signature",
])  # fmt: skip
def test_a_piece_of_a_sentence_is_no_part(piece):
    text = f"# The quay\n\n{PROSE}\n\n## {piece}\n\n{PROSE}\n\n## What shall the tenants of a berth do when it rains?\n\n{PROSE}"
    assert [entry.title for entry in outline(read(text))] == [
        "The quay", "What shall the tenants of a berth do when it rains?"
    ]  # fmt: skip


def test_a_title_alone_is_no_outline_nor_are_the_headings_of_the_last_part():
    assert outline(read(f"# The quay\n\n{PROSE}")) == ()
    assert outline(read(f"{PROSE * 9}\n\n## Oil\n\n{PROSE}\n\n## Wicks\n\n{PROSE}")) == ()
    assert outline(read(f"{PROSE}\n\n## Oil\n\n{PROSE * 4}\n\n## Wicks\n\n{PROSE}")) != ()
