"""First questions on the command line: the overview, threads, and one question over two files, in every form of output."""

import json
import os
import subprocess
import sys

import pytest

import citewell
from citewell.pipeline.conversation import threads

LEASE = """# {name} lease

The tenant may end the lease with {days} days of notice. The lease is governed by the laws of {land}.

The rent is {rent} euros a month.
"""
NAMED = "Oriel lease: The tenant may end the lease with 30 days of notice."
OTHER = "Tarrow lease: The tenant may end the lease with 60 days of notice."
QUESTION = "What is the notice period?"


@pytest.fixture
def leases(tmp_path):
    for name, days, land, rent in (("Oriel", 30, "Norway", "1,200"), ("Tarrow", 60, "Portugal", "900")):
        (tmp_path / f"{name.lower()}.md").write_text(LEASE.format(name=name, days=days, land=land, rent=rent))
    return tmp_path


def run(folder, *arguments):
    environment = {**os.environ, threads.FOLDER: str(folder / "threads")}
    places = [str(folder / each) if each.endswith((".md", ".html")) else each for each in arguments]
    command = [sys.executable, "-m", "citewell", *places]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_two_files_are_asked_at_once_and_each_part_names_its_own(leases):
    both = ("oriel.md", QUESTION, "--also", "tarrow.md")
    output = run(leases, "ask", *both)
    assert f"{NAMED} [1]\n{OTHER} [3]\n" in output
    assert "[1] Oriel lease · score" in output
    assert "[3] Tarrow lease · score" in output
    assert f"{NAMED}[^1]\\\n{OTHER}[^3]" in run(leases, "ask", *both, "--markdown")
    answer = json.loads(run(leases, "ask", *both, "--json", "--html", "both.html"))
    assert answer["text"] == f"{NAMED}\n{OTHER}"
    assert answer["value"]["text"] == "Oriel lease: 30 days; Tarrow lease: 60 days"
    page = (leases / "both.html").read_text(encoding="utf-8")
    assert "Oriel lease: <span" in page
    assert "Tarrow lease: <span" in page
    assert page.count('<span class="place">Oriel lease</span>') == 1


def test_two_files_without_also_are_refused_with_the_way_that_works(leases):
    command = [sys.executable, "-m", "citewell", "ask", str(leases / "oriel.md"), str(leases / "tarrow.md"), QUESTION]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "citewell ask A --also B" in done.stderr


def test_two_files_are_compared(leases):
    answer = json.loads(
        run(leases, "ask", "oriel.md", "Which lease has the higher rent?", "--also", "tarrow.md", "--json")
    )
    assert answer["text"].startswith("Oriel lease: 1,200 euros a month, more than Tarrow lease with 900 euros a month.")
    titles = {each["id"]: each["title"] for each in answer["documents"]}
    places = [answer["citations"][number] for number in answer["statements"][0]["citations"]]
    assert [titles[each["document_id"]] for each in places] == ["Oriel lease", "Tarrow lease"]


def test_a_thread_turns_from_one_file_to_the_other_and_another_thread_does_not(leases):
    first = ("oriel.md", "What is the rent in the Oriel lease?", "--also", "tarrow.md")
    follow = ("oriel.md", "And in the Tarrow lease?", "--also", "tarrow.md")
    assert "understood as" not in run(leases, "ask", *first, "--thread", "rents")
    assert "understood as" not in run(leases, "ask", *follow, "--thread", "others")
    output = run(leases, "ask", *follow, "--thread", "rents")
    assert "understood as: What is the rent in the Tarrow lease?" in output
    assert "Tarrow lease: The rent is 900 euros a month. [1]" in output


def test_an_overview_has_the_same_content_in_each_form(leases):
    described = citewell.overview(citewell.read(leases / "oriel.md"))
    plain, marked = run(leases, "overview", "oriel.md"), run(leases, "overview", "oriel.md", "--markdown")
    data = json.loads(run(leases, "overview", "oriel.md", "--json"))
    assert (data["kind"], data["document"]["title"]) == (described.kind, "Oriel lease")
    assert described.statements
    for each in described.statements:
        assert each.quote in " ".join(plain.split())
        assert each.quote in marked
    assert [each["quote"] for each in data["statements"]] == [each.quote for each in described.statements]
