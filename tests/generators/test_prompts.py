"""Prompts and their worked examples: complete, in order, cited rightly."""

import re

import pytest

from citewell.document import Document
from citewell.generators.prompted import templates
from citewell.generators.prompted.generator import Prompted
from citewell.protocols import Completion
from citewell.text.replies.parsing import parse
from citewell.types import Passage

REPORT = Document.from_text(
    "# Fleet\n\nThe ferry Aurora was built in Turku.\n\n# Fares\n\nFares rose by 3 percent.", title="Report"
)


class Mute:
    def complete(self, request, on_text=None):
        return Completion("The ferry Aurora was built in Turku. [1]")


def passages(unit="paragraph"):
    return [Passage(0, segment) for segment in REPORT.segments(unit)]


@pytest.mark.parametrize("name", templates.NAMES)
def test_a_prompt_has_three_examples_whose_replies_cite_what_is_there(name):
    prompt = templates.load(name)
    assert len(prompt.examples) == 3
    for example in prompt.examples:
        _, result = templates.example_input(example)
        known = len(templates.numbered(result))
        reply = templates.example_reply(example, cite=True)
        parsed = parse(reply, known, single=prompt.single)
        assert parsed.warnings == ()
        assert parsed.text == templates.example_reply(example, cite=False)
        cited = {number for cite in parsed.cites for number in cite.numbers}
        assert cited == {number for _, numbers in example.answer for number in numbers}
        if not cited:
            assert known == (5 if name == "wice" else 2)
        elif name != "question":  # there a passage that does not matter stands beside the evidence
            assert cited == set(range(1, known + 1)), "a document is cut to its title, headings and evidence"


@pytest.mark.parametrize("name", templates.NAMES)
@pytest.mark.parametrize("cite", ["marks", "none"])
def test_the_instruction_stands_first_and_the_question_last(name, cite):
    asker = Prompted(llm=Mute(), prompt=name, cite=cite)
    request, kept, figures = asker.request("What rose?", [REPORT], passages(asker.unit))
    roles = [message.role for message in request.messages]
    assert roles == ["user", "assistant"] * 3 + ["user"]
    assert request.messages[0].content.startswith(asker.template.instruction)
    assert request.messages[-1].content.rstrip().endswith("What rose?")
    assert bool(re.search(r"\[\d\]", "".join(message.content for message in request.messages))) == (cite == "marks")
    assert len(kept) == figures["passages"] == 4
    assert request.temperature == 0.0
    assert request.max_tokens == asker.template.max_tokens


def test_headings_are_shown_but_not_numbered():
    document, result = templates.example_input(templates.load("qasper").examples[0])
    outcome = templates.rendered([document], result, cite=True)
    assert outcome.splitlines()[:4] == [document.title, "# Abstract", "# Introduction", "# Data"]
    assert re.findall(r"^\[(\d)\]", outcome, re.MULTILINE) == ["1"]


def test_prompts_have_hashes_of_their_own():
    assert len({templates.load(name).sha256 for name in templates.NAMES}) == len(templates.NAMES)


def test_several_documents_are_told_apart():
    other = Document.from_text("The tram is yellow.", title="Tram")
    both = [*passages(), *(Passage(1, segment) for segment in other.segments("paragraph"))]
    rendered = templates.rendered([REPORT, other], both, cite=True)
    assert "Document 1: Report" in rendered
    assert "Document 2: Tram" in rendered
    assert rendered.rstrip().endswith("The tram is yellow.")


def test_no_examples_are_shown_where_none_are_wanted():
    request, _, _ = Prompted(llm=Mute(), examples=0).request("What?", [REPORT], passages())
    assert len(request.messages) == 1
