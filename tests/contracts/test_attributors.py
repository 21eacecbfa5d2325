"""What every attributor keeps to."""

from __future__ import annotations

import pytest

from citewell.document import Document
from citewell.protocols import Attributor
from citewell.text import segments
from citewell.types import Draft, Span
from contracts.specs import build, every

REPORT = Document.from_text(
    "The company was founded in 1990 by Ann Smith. It sells boats to Norway.\n\n"
    "Revenue rose to 41 million in 2022. Café owners in Zürich say 😀 costs fell.\n\n"
    "東京は日本の首都です。\n\nRevenue rose to 41 million in 2022."
)
NOTE = Document.from_text("Blood flows through the aorta, which is the largest artery.", title="Note")
ANSWER = "Revenue rose to 41 million. Café owners in Zürich 😀 say costs fell. 東京は日本の首都です。"


@pytest.fixture(params=every("attributor"))
def attributor(request):
    return build("attributor", request.param, request)


def draft(text=ANSWER, **more):
    return Draft(text, question="What happened?", statements=segments.statements(text), **more)


def holds(citations, documents, wanted):
    by_id = {document.id: document for document in documents}
    for citation in citations:
        document = by_id[citation.document_id]
        assert document.text[citation.start : citation.end] == citation.quote
        assert citation.quote.strip()
        assert any(target.start <= citation.answer_start < citation.answer_end <= target.end for target in wanted)
        sentences = {one.id: one for kind in ("sentence", "paragraph") for one in document.segments(kind)}
        own = sentences[citation.segment_id]
        assert own.start < citation.end
        assert citation.start < own.end


def test_it_is_an_attributor(attributor):
    assert isinstance(attributor, Attributor)
    assert attributor.name


@pytest.mark.parametrize("granularity", ["sentence", "paragraph", "token"])
def test_every_quote_is_the_text_at_its_offsets(attributor, granularity):
    found = attributor.attribute(draft(), [REPORT, NOTE], granularity)
    holds(found, [REPORT, NOTE], draft().statements)
    assert all(citation.granularity in (granularity, "sentence") for citation in found)


@pytest.mark.parametrize("granularity", ["sentence", "paragraph"])
def test_segments_are_cited_whole(attributor, granularity):
    whole = {(one.start, one.end) for one in REPORT.segments(granularity)}
    found = attributor.attribute(draft(), [REPORT], granularity)
    assert {(citation.start, citation.end) for citation in found} <= whole


def test_citations_are_grouped_by_target_best_first(attributor):
    found = attributor.attribute(draft(), [REPORT, NOTE], k=3)
    order = []
    for citation in found:
        target = next(n for n, span in enumerate(draft().statements) if span.start <= citation.answer_start < span.end)
        order.append((target, -citation.score))
    assert [target for target, _ in order] == sorted(target for target, _ in order)
    assert order == sorted(order)


@pytest.mark.parametrize("k", [1, 2])
def test_no_more_than_k_citations_a_target(attributor, k):
    found = attributor.attribute(draft(), [REPORT, NOTE], k=k)
    for span in draft().statements:
        assert sum(span.start <= citation.answer_start < span.end for citation in found) <= k


def test_an_empty_answer_has_no_evidence(attributor):
    assert attributor.attribute(Draft(""), [REPORT]) == ()
    assert attributor.attribute(Draft("   "), [REPORT]) == ()


def test_one_segment_is_all_that_can_be_cited(attributor):
    only = Document.from_text("Revenue rose to 41 million in 2022.")
    found = attributor.attribute(draft("Revenue rose to 41 million in 2022."), [only])
    assert {(citation.start, citation.end) for citation in found} <= {(0, len(only.text))}


def test_a_target_inside_a_statement_is_cited_for_itself(attributor):
    start = ANSWER.index("41 million")
    span = Span(start, start + len("41 million"))
    found = attributor.attribute(draft(targets=(span,)), [REPORT], "paragraph", 1)
    holds(found, [REPORT], [span])
    assert len(found) <= 1


def test_of_equal_segments_the_choice_is_stable(attributor):
    found = [attributor.attribute(draft("Revenue rose to 41 million in 2022."), [REPORT], "sentence", 1) for _ in "ab"]
    assert found[0] == found[1]


def test_several_documents_are_read_together(attributor):
    text = "Blood flows through the aorta, which is the largest artery."
    found = attributor.attribute(draft(text), [REPORT, NOTE], k=4)
    holds(found, [REPORT, NOTE], draft(text).statements)
    assert {citation.document_id for citation in found} <= {REPORT.id, NOTE.id}


def test_a_document_far_beyond_a_small_context_is_covered(attributor):
    lines = [f"In {1800 + year} the firm number {year} sold {year + 3} boats to Norway." for year in range(80)]
    document = Document.from_text("\n\n".join(lines))
    found = attributor.attribute(draft("In 1877 the firm number 77 sold 80 boats to Norway."), [document], k=2)
    holds(found, [document], [Span(0, 51)])
    if attributor.name != "entailment":  # a random checker may find nothing
        assert found
