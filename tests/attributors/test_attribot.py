"""AttriBoT's shortcuts against leaving sources out one by one, written out in plain loops."""

from __future__ import annotations

import numpy as np
import pytest

from citewell.attributors.ablation.attribot import AttriBoT, highest, whole_of
from citewell.attributors.ablation.leave_one_out import LeaveOneOut
from citewell.attributors.ablation.likelihood import score
from citewell.attributors.contexts import contexts
from citewell.attributors.places import join
from citewell.document import Document
from citewell.errors import notes
from citewell.models import attention
from citewell.types import Draft, Span

REPORT = Document.from_text(
    "Blood flows through the aorta 😀. It leaves the heart.\n\nRevenue rose to 41 million. Costs fell to nine.\n\n"
    "The board met in Zürich. It was cold."
)
TEXT = "Revenue rose. Costs fell."
DRAFT = Draft(TEXT, "What rose?", (Span(0, 13), Span(14, 25)))
PLACES = join([REPORT], "sentence")
PARAGRAPHS = [[0, 1], [2, 3], [4, 5]]


def likelihood(method, kept, target):
    """The log probability of a target after a prompt that shows some sources, as the model alone says it."""
    import torch

    loaded = method.loaded()
    (context,) = contexts(loaded, DRAFT, [REPORT], PLACES, None)
    prompt = context.prompt(np.isin(np.arange(len(PLACES)), kept))
    with torch.no_grad():
        logits = loaded.model(input_ids=torch.tensor([prompt.ids])).logits[0].double()
    total = 0.0
    for token in context.of(target):
        at = int(prompt.answer_at[token])
        total += float(torch.log_softmax(logits[at - 1], dim=-1)[prompt.ids[at]])
    return total


@pytest.mark.parametrize("model", ["llama", "gpt2"])
def test_what_was_read_before_gives_the_same_numbers_from_fewer_tokens(zoo, model):
    method = LeaveOneOut(model=getattr(zoo, model), device="cpu")
    (context,) = contexts(method.loaded(), DRAFT, [REPORT], PLACES, None)
    count = len(PLACES)
    kept = [np.ones(count, dtype=bool), *~np.eye(count, dtype=bool), np.zeros(count, dtype=bool)]
    with notes.collect() as plainly:
        plain = score(method.loaded(), context, kept, divergence=True)
    with notes.collect() as again:
        reused = score(method.loaded(), context, kept, divergence=True, reuse=True)
    np.testing.assert_allclose(reused.log_probability, plain.log_probability, atol=1e-4)
    np.testing.assert_allclose(reused.divergence, plain.divergence, atol=1e-5)
    assert again.counts["tokens"] < 0.8 * plainly.counts["tokens"]


def test_a_model_that_forgets_keys_reads_each_prompt_anew(zoo, monkeypatch):
    monkeypatch.setattr(attention, "_slides", lambda _: True)
    method = LeaveOneOut(model=zoo.llama, device="cpu")
    (context,) = contexts(method.loaded(), DRAFT, [REPORT], PLACES, None)
    kept = [np.ones(6, dtype=bool), *~np.eye(6, dtype=bool)]
    plain = score(method.loaded(), context, kept)
    with notes.collect() as again:
        reused = score(method.loaded(), context, kept, reuse=True)
    np.testing.assert_allclose(reused.log_probability, plain.log_probability, atol=1e-4)
    assert again.counts["tokens"] == sum(len(context.prompt(flags).ids) for flags in kept)


def test_without_shortcuts_of_choice_it_is_leave_one_out(zoo):
    exact = LeaveOneOut(model=zoo.llama, device="cpu").place_scores(DRAFT, [REPORT], PLACES, DRAFT.statements)
    scores = AttriBoT(model=zoo.llama, paragraphs=None, device="cpu").place_scores(
        DRAFT, [REPORT], PLACES, DRAFT.statements
    )
    np.testing.assert_allclose(scores, exact, atol=1e-4)
    few = AttriBoT(model=zoo.llama, paragraphs=3, device="cpu").place_scores(DRAFT, [REPORT], PLACES, DRAFT.statements)
    np.testing.assert_allclose(few, exact, atol=1e-4)


@pytest.mark.parametrize("count", [1, 2])
def test_sentences_are_left_out_of_the_paragraphs_that_matter_most_to_each_target(zoo, count):
    method = AttriBoT(model=zoo.llama, paragraphs=count, device="cpu")
    scores = method.place_scores(DRAFT, [REPORT], PLACES, DRAFT.statements)
    for row, target in zip(scores, DRAFT.statements, strict=True):
        every = range(6)
        whole = likelihood(method, every, target)
        lost = [whole - likelihood(method, [i for i in every if i not in group], target) for group in PARAGRAPHS]
        best = sorted(range(3), key=lambda number: -lost[number])[:count]
        kept = sorted(i for number in best for i in PARAGRAPHS[number])
        pruned = likelihood(method, kept, target)
        wanted = [
            pruned - likelihood(method, [j for j in kept if j != i], target) if i in kept else -np.inf for i in every
        ]
        np.testing.assert_allclose(row, wanted, atol=1e-4)


def test_a_smaller_model_chooses_the_sources_and_the_model_itself_tells_among_them(zoo):
    method = AttriBoT(model=zoo.llama, proxy=zoo.gpt2, paragraphs=None, sources=2, device="cpu")
    scores = method.place_scores(DRAFT, [REPORT], PLACES, DRAFT.statements)
    chosen = LeaveOneOut(model=zoo.gpt2, device="cpu").place_scores(DRAFT, [REPORT], PLACES, DRAFT.statements)
    for row, theirs, target in zip(scores, chosen, DRAFT.statements, strict=True):
        kept = sorted(np.argsort(-theirs)[:2].tolist())
        assert np.flatnonzero(np.isfinite(row)).tolist() == kept
        pruned = likelihood(method, kept, target)
        wanted = [pruned - likelihood(method, [j for j in kept if j != i], target) for i in kept]
        np.testing.assert_allclose(row[kept], wanted, atol=1e-4)


def test_only_sources_that_were_told_apart_are_cited(zoo):
    method = AttriBoT(model=zoo.llama, paragraphs=1, device="cpu")
    cited = method.attribute(DRAFT, [REPORT], "sentence", 6)
    for target in DRAFT.statements:
        citations = [citation for citation in cited if citation.answer_start == target.start]
        assert len(citations) == 2
        assert len({citation.segment_id.split(".")[0] for citation in citations}) == 1


def test_the_highest_are_chosen_of_equals_the_first_and_none_without_a_score():
    scores = np.array([[1.0, 3.0, 3.0, 2.0], [-np.inf, -np.inf, 0.5, -np.inf]])
    assert highest(scores, 1).tolist() == [[False, True, False, False], [False, False, True, False]]
    assert highest(scores, 3).tolist() == [[False, True, True, True], [False, False, True, False]]


def test_sentences_belong_to_the_paragraph_they_begin_in_and_sections_to_nothing():
    assert whole_of([REPORT, REPORT], join([REPORT, REPORT], "sentence")).tolist() == [
        0,
        0,
        1,
        1,
        2,
        2,
        3,
        3,
        4,
        4,
        5,
        5,
    ]
    assert whole_of([REPORT], join([REPORT], "section")) is None


def test_settings_that_make_no_sense_are_refused(zoo):
    for wrong in ({"paragraphs": 0}, {"sources": 0}):
        with pytest.raises(ValueError, match="at least 1"):
            AttriBoT(model=zoo.llama, **wrong)
