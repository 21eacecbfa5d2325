"""The contract of attributors: exact quotes, whole segments, stable order, the same result for the same statement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from citewell import Document
from citewell.protocols import Attributor
from citewell.testing.contracts.scenarios import MARKS, NOTE, REPORT, expect, expect_quotes
from citewell.text import segments
from citewell.types import Citation, Draft, Granularity, Span

ANSWER = "Revenue rose to 41 million. Café owners in Zürich 😀 say costs fell. 東京は日本の首都です。"
PATCHED = "Norway buys boats: revenue rose to 41 million in 2022, says Ann Smith."  # copied in several runs
GRANULARITIES: tuple[Granularity, ...] = ("sentence", "paragraph", "window", "token")


def _draft(text: str = ANSWER, targets: tuple[Span, ...] = ()) -> Draft:
    return Draft(text, question="What happened?", statements=segments.statements(text), targets=targets)


def _of(citations: Sequence[Citation], target: Span) -> list[Citation]:
    return [cited for cited in citations if target.start <= cited.answer_start < target.end]


def _places(citations: Sequence[Citation]) -> list[tuple[str, int, int, int, int]]:
    return [(cited.document_id, cited.start, cited.end, cited.answer_start, cited.answer_end) for cited in citations]


def it_has_the_verb_and_a_name(attributor: Attributor) -> None:
    """It has `attribute` and a name."""
    expect(isinstance(attributor, Attributor), "an attributor has `attribute`")
    expect(getattr(attributor, "name", ""), "an attributor has a name")


def every_quote_is_the_text_at_its_offsets(attributor: Attributor) -> None:
    """Offsets are code points of the document, at every granularity; ranges in the answer stay in their target."""
    for granularity in GRANULARITIES:
        draft = _draft()
        citations = attributor.attribute(draft, [REPORT, NOTE], granularity)
        expect_quotes(citations, [REPORT, NOTE])
        for cited in citations:
            inside = any(span.start <= cited.answer_start < cited.answer_end <= span.end for span in draft.statements)
            expect(inside, f"the range {cited.answer_start}:{cited.answer_end} of the answer lies in a target")
            expect(
                cited.granularity in (granularity, "sentence"),
                f"the granularity is {granularity}, not {cited.granularity}",
            )


def a_citation_names_the_segment_it_stands_in(attributor: Attributor) -> None:
    """`segment_id` is that of a segment of the document, and the citation touches it."""
    documents = {document.id: document for document in (REPORT, NOTE)}
    for granularity in GRANULARITIES:
        for cited in attributor.attribute(_draft(), [REPORT, NOTE], granularity):
            segments = {
                segment.id: segment
                for kind in ("sentence", "paragraph")
                for segment in documents[cited.document_id].segments(kind)
            }
            expect(cited.segment_id in segments, f"{cited.segment_id!r} is the id of a segment")
            segment = segments[cited.segment_id]
            expect(segment.start < cited.end and cited.start < segment.end, "a citation touches its segment")


def segments_are_cited_whole(attributor: Attributor) -> None:
    """A citation of a sentence or paragraph has its bounds."""
    for granularity in GRANULARITIES[:2]:
        whole = {(segment.start, segment.end) for segment in REPORT.segments(granularity)}
        for cited in attributor.attribute(_draft(), [REPORT], granularity):
            expect((cited.start, cited.end) in whole, f"{cited.quote!r} is a whole {granularity}")


def citations_are_grouped_by_target_best_first(attributor: Attributor) -> None:
    """Targets in their order, and within each no score rises, at every granularity."""
    for granularity, text in product(GRANULARITIES, (ANSWER, PATCHED)):
        draft = _draft(text)
        citations = attributor.attribute(draft, [REPORT, NOTE], granularity, 3)
        grouped = [cited for target in draft.statements for cited in _of(citations, target)]
        expect(list(citations) == grouped, f"citations of one target stand together ({granularity})")
        for target in draft.statements:
            scores = [cited.score for cited in _of(citations, target)]
            expect(scores == sorted(scores, reverse=True), f"the best comes first ({granularity}), not {scores}")


def no_more_than_k_citations_a_target(attributor: Attributor) -> None:
    """`k` bounds each target."""
    for granularity, text, k in product(GRANULARITIES, (ANSWER, PATCHED), (1, 2)):
        draft = _draft(text)
        citations = attributor.attribute(draft, [REPORT, NOTE], granularity, k)
        for target in draft.statements:
            count = len(_of(citations, target))
            expect(count <= k, f"at most {k} citations a target ({granularity}), not {count}")


def an_answer_without_words_has_no_evidence(attributor: Attributor) -> None:
    """Nothing said, nothing cited."""
    for text in ("", "   ", "…"):
        expect(attributor.attribute(Draft(text), [REPORT]) == (), f"{text!r} has no citations")


def without_documents_there_is_no_evidence(attributor: Attributor) -> None:
    """No documents give no citations and no error."""
    for granularity in GRANULARITIES:
        expect(attributor.attribute(_draft(), [], granularity) == (), "no document, no citation")


def a_document_without_words_does_not_fail(attributor: Attributor) -> None:
    """Marks alone are a document too, alone and beside others."""
    for granularity in GRANULARITIES:
        for documents in ([MARKS], [MARKS, REPORT]):
            expect_quotes(attributor.attribute(_draft(), documents, granularity), documents)


def statements_are_found_where_a_draft_brings_none(attributor: Attributor) -> None:
    """A bare text is attributed as the same text with its statements."""
    for granularity in GRANULARITIES:
        bare = attributor.attribute(replace(_draft(), statements=()), [REPORT], granularity)
        whole = attributor.attribute(_draft(), [REPORT], granularity)
        expect(_places(bare) == _places(whole), f"a draft without statements is attributed alike ({granularity})")


def statements_named_as_targets_are_attributed_alike(attributor: Attributor) -> None:
    """Targets that are the statements mean what no targets mean."""
    draft = _draft()
    named = attributor.attribute(replace(draft, targets=draft.statements), [REPORT])
    expect(_places(named) == _places(attributor.attribute(draft, [REPORT])), "statements are the targets by default")


def a_target_inside_a_statement_is_cited_for_itself(attributor: Attributor) -> None:
    """A target's citations point at the target, not at its statement."""
    start = ANSWER.index("41 million")
    target = Span(start, start + len("41 million"))
    citations = attributor.attribute(_draft(targets=(target,)), [REPORT], "paragraph", 1)
    expect_quotes(citations, [REPORT])
    expect(len(citations) <= 1, "at most k citations a target")
    for cited in citations:
        inside = target.start <= cited.answer_start < cited.answer_end <= target.end
        expect(inside, "a citation's range in the answer lies in its target")


def targets_are_attributed_as_alone(attributor: Attributor) -> None:
    """What is asked for beside a target does not change its evidence."""
    draft = _draft()
    together = attributor.attribute(draft, [REPORT, NOTE], "sentence", 1)
    for target in draft.statements:
        alone = attributor.attribute(replace(draft, targets=(target,)), [REPORT, NOTE], "sentence", 1)
        expect(_places(alone) == _places(_of(together, target)), f"{draft.text[slice(*target)]!r} has the same alone")


def the_same_draft_gets_the_same_citations(attributor: Attributor) -> None:
    """Nothing is drawn by chance."""
    for granularity in GRANULARITIES:
        first, second = (attributor.attribute(_draft(), [REPORT, NOTE], granularity) for _ in range(2))
        expect(first == second, f"two calls agree ({granularity})")


def of_equal_segments_the_earlier_comes_first(attributor: Attributor) -> None:
    """Ties go to what comes first. A model that sees positions may score equal segments differently."""
    text = "Revenue rose to 41 million in 2022."
    citations = attributor.attribute(_draft(text), [Document.from_passages([text] * 3)], "sentence", 3)
    order = [(-cited.score, cited.start) for cited in citations]
    expect(order == sorted(order), f"the earlier of equals comes first, not {[cited.start for cited in citations]}")


def one_segment_is_all_that_can_be_cited(attributor: Attributor) -> None:
    """A document of one sentence."""
    only = Document.from_text("Revenue rose to 41 million in 2022.")
    for cited in attributor.attribute(_draft(only.text), [only]):
        expect((cited.start, cited.end) == (0, len(only.text)), "the only sentence is cited")


def several_documents_are_read_together(attributor: Attributor) -> None:
    """Evidence may stand in any of them."""
    citations = attributor.attribute(_draft(NOTE.text), [REPORT, NOTE], k=4)
    expect_quotes(citations, [REPORT, NOTE])


def a_document_far_beyond_a_small_context_is_covered(attributor: Attributor) -> None:
    """The end of a long document is read as its beginning is."""
    lines = [f"In {1800 + year} the firm number {year} sold {year + 3} boats to Norway." for year in range(80)]
    document = Document.from_text("\n\n".join(lines))
    expect_quotes(attributor.attribute(_draft(lines[77]), [document], k=2), [document])


SCENARIOS = (
    it_has_the_verb_and_a_name,
    every_quote_is_the_text_at_its_offsets,
    a_citation_names_the_segment_it_stands_in,
    segments_are_cited_whole,
    citations_are_grouped_by_target_best_first,
    no_more_than_k_citations_a_target,
    an_answer_without_words_has_no_evidence,
    without_documents_there_is_no_evidence,
    a_document_without_words_does_not_fail,
    statements_are_found_where_a_draft_brings_none,
    statements_named_as_targets_are_attributed_alike,
    a_target_inside_a_statement_is_cited_for_itself,
    targets_are_attributed_as_alone,
    the_same_draft_gets_the_same_citations,
    of_equal_segments_the_earlier_comes_first,
    one_segment_is_all_that_can_be_cited,
    several_documents_are_read_together,
    a_document_far_beyond_a_small_context_is_covered,
)
