"""Questions over two companies of a library, and answers that name the document that the library chose."""

import pytest

from citewell.cli import main
from citewell.library.library import Library


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fleet")
    reports = {
        "Alder Lines": ("61.3 million euros in 2019 and 58.4 million euros in 2018", "810"),
        "Birch Freight": ("72.8 million euros in 2019 and 75.1 million euros in 2018", "940"),
    }
    for name, (revenue, people) in reports.items():
        text = f"# {name} annual report 2019\n\nRevenue of {name} was {revenue}. {name} employed {people} people at the end of 2019.\n"
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    for number in range(8):
        text = f"# Museum note {number}\n\nMuseum {number} opened in {1900 + number} and keeps {100 + number} charts.\n"
        (folder / f"{number}.md").write_text(text, encoding="utf-8")
    with Library(folder / "fleet.lib", create=True) as library:
        library.add([folder])
    return folder / "fleet.lib"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which had the higher revenue in 2019, Alder Lines or Birch Freight?",
         "Birch Freight: 72.8 million euros in 2019, more than Alder Lines with 61.3 million euros."),
        ("Was the revenue of Alder Lines higher than that of Birch Freight in 2019?",
         "No. Birch Freight: 72.8 million euros in 2019, more than Alder Lines with 61.3 million euros."),
        ("What was the total revenue of Alder Lines and Birch Freight in 2019?",
         "134.1 million euros together: 61.3 million euros (Alder Lines) and 72.8 million euros (Birch Freight)."),
        ("How much more revenue did Birch Freight have than Alder Lines in 2019?",
         "11.5 million euros: 72.8 million euros (Birch Freight) against 61.3 million euros (Alder Lines)."),
    ],
)  # fmt: skip
def test_two_companies_are_compared_and_added_each_from_its_own_document(place, question, text):
    with Library(place) as library:
        answer = library.ask(question)
    assert answer.statements[0].text == text
    assert answer.statements[0].label == "supported"
    assert len({citation.document_id for citation in answer.citations}) == 2


def test_two_years_of_one_company_are_two_figures(place):
    with Library(place) as library:
        answer = library.ask("What was the revenue of Birch Freight in 2018 and in 2019?")
    assert answer.value.text == "2018: 75.1 million euros; 2019: 72.8 million euros"


def test_each_of_two_companies_answers_for_itself(place):
    with Library(place) as library:
        answer = library.ask("How many people do Alder Lines and Birch Freight employ?")
    assert answer.value.text == "Alder Lines: 810; Birch Freight: 940"


@pytest.mark.parametrize("form", [[], ["--markdown"]])
def test_an_answer_names_the_one_document_that_the_library_chose(place, capsys, form):
    assert main(["ask", "--library", str(place), "How many people did Alder Lines employ?", *form]) == 0
    assert "Alder Lines annual report 2019" in capsys.readouterr().out.replace("\n", " ")


def test_one_document_that_the_user_named_is_not_named_again(place, capsys):
    assert main(["ask", str(place.parent / "Alder Lines.md"), "How many people did Alder Lines employ?"]) == 0
    assert "annual report 2019" not in capsys.readouterr().out
