"""In-context reranking against a direct transcription of its definition."""

from __future__ import annotations

import numpy as np
import pytest

from citewell.attributors.attention.icr import ICR, token_scores, total
from citewell.attributors.attention.paragraphs import NOTHING, Paragraphs
from citewell.document import Document
from citewell.errors import BackendError, notes
from citewell.types import Draft, Span

TEXTS = ["Blood flows through the aorta 😀 in Zürich.", "Revenue rose to 41 million in 2022.", "Costs fell."]
QUERY = "How far did revenue rise?"


def eager(loaded, ids):
    import torch

    loaded.model.set_attn_implementation("eager")
    with torch.no_grad():
        output = loaded.model(input_ids=torch.tensor([ids]), output_attentions=True, use_cache=False)
    loaded.model.set_attn_implementation("sdpa")
    return np.stack([layer[0].numpy() for layer in output.attentions])


def transcribed(loaded, paragraphs, outliers=2.0, calibrate=True):
    """The published sums, from whole matrices of attention."""
    (window,) = paragraphs.windows(QUERY)
    sums = []
    for query in (QUERY, NOTHING):
        layout = paragraphs.layout(window, query)
        weights = eager(loaded, layout.ids)
        sums.append(weights[:, :, layout.query].mean(axis=2).sum(axis=(0, 1)))
    result = []
    for at in layout.pieces:
        scores = sums[0][at] - sums[1][at] if calibrate else sums[0][at]
        if outliers is not None and calibrate:
            scores = scores[scores > scores.mean() - outliers * scores.std(ddof=1)]
        result.append(scores.sum())
    return result


@pytest.mark.parametrize("model", ["llama", "gpt2"])
@pytest.mark.parametrize("more", [{}, {"outliers": 0.5}, {"outliers": None}, {"calibrate": False}])
def test_scores_are_those_of_the_definition(zoo, model, more):
    method = ICR(model=getattr(zoo, model), device="cpu", **more)
    paragraphs = Paragraphs(method.load("encoder"), TEXTS, "find", None)
    wanted = transcribed(method.load("encoder"), paragraphs, **more)
    np.testing.assert_allclose(method.scored([QUERY], TEXTS)[0], wanted, atol=1e-4)


def test_a_query_that_asks_for_nothing_scores_nothing_exactly(zoo):
    scores = ICR(model=zoo.llama, device="cpu").scored([NOTHING, QUERY], TEXTS)
    assert scores[0].tolist() == [0, 0, 0]
    assert np.abs(scores[1]).max() > 0


def test_without_calibration_all_tokens_together_get_one_from_each_head(zoo):
    method = ICR(model=zoo.llama, device="cpu")
    loaded = method.load("encoder")
    paragraphs = Paragraphs(loaded, TEXTS, "find", None)
    layout = paragraphs.layout(paragraphs.windows(QUERY)[0], QUERY)
    whole = layout._replace(query=np.arange(len(layout.ids) - 1, len(layout.ids)))
    (scores,) = token_scores(loaded, [whole], whole, method.weights(loaded), calibrate=False)
    weights = eager(loaded, layout.ids)
    assert scores.sum() + weights[:, :, -1, -1].sum() == pytest.approx(2 * 4, abs=1e-4)  # layers times heads


def test_a_token_far_below_the_others_is_left_out_of_its_paragraph():
    values = np.array([1.0] * 20 + [-50.0], dtype=np.float32)
    assert total(values, 2.0) == 20
    assert total(values, None) == -30
    assert total(values[-1:], 2.0) == -50  # one token alone has no deviation, and is no NaN


def test_pieces_are_the_tokens_of_their_texts_with_their_numbers(zoo):
    loaded = ICR(model=zoo.gpt2, device="cpu").load("encoder")
    paragraphs = Paragraphs(loaded, TEXTS, "answer", None)
    layout = paragraphs.layout(paragraphs.windows(QUERY)[0], QUERY)
    for number, (text, at) in enumerate(zip(TEXTS, layout.pieces, strict=True), start=1):
        assert loaded.tokenizer.decode([layout.ids[i] for i in at]).strip() == f"[{number}] {text}"
    late = loaded.tokenizer.decode([layout.ids[i] for i in layout.query]).strip()
    assert late.startswith("Please answer the following question")
    assert late.endswith(f"Query: {QUERY}")


def test_the_question_alone_gives_all_targets_the_same_segments_and_statements_their_own(zoo):
    text = "Revenue rose. Costs fell."
    draft = Draft(text, "What rose?", (Span(0, 13), Span(14, 25)))
    document = Document.from_text("\n\n".join(TEXTS))
    by_question = ICR(model=zoo.llama, query="asked", device="cpu").attribute(draft, [document], "paragraph", 3)
    first, second = (
        [(citation.start, citation.score) for citation in by_question if citation.answer_start == at] for at in (0, 14)
    )
    assert first == second
    by_statement = ICR(model=zoo.llama, device="cpu").attribute(draft, [document], "paragraph", 3)
    first, second = ([citation.score for citation in by_statement if citation.answer_start == at] for at in (0, 14))
    assert first != second


def test_the_paragraphs_are_read_once_for_all_queries(zoo):
    method = ICR(model=zoo.llama, device="cpu")
    with notes.collect() as noted:
        method.scored([QUERY, "Costs?"], TEXTS)
    assert noted.counts["forward passes"] == 4  # what all begin with, two queries, and none
    with notes.collect() as alone:
        method.scored([QUERY], TEXTS)
    assert noted.counts["tokens"] < 2 * alone.counts["tokens"]


def test_paragraphs_beyond_the_context_are_shown_in_several_prompts_and_that_is_said(zoo):
    lines = [f"In {1800 + number} the firm sold {number} boats." for number in range(30)]
    lines.append("word " * 300)
    with notes.collect() as noted:
        scores = ICR(model=zoo.llama, limit=200, device="cpu").scored([QUERY], lines)
    assert np.isfinite(scores).all()
    assert (scores != 0).all()
    assert any("were shown in" in warning for warning in noted.warnings)


def test_settings_that_make_no_sense_are_refused(zoo):
    for wrong in ({"query": "all"}, {"instruction": "sing"}, {"k": 0}, {"layers": "4-1"}, {"layers": "middle"}):
        with pytest.raises(ValueError):
            ICR(model=zoo.llama, **wrong)
    with pytest.raises(BackendError, match="the model has the layers 0 to 1"):
        ICR(model=zoo.llama, layers="7-9", device="cpu").scored([QUERY], TEXTS)
    with pytest.raises(BackendError, match="too small"):
        ICR(model=zoo.llama, limit=60, device="cpu").scored([QUERY], TEXTS)
    with pytest.raises(BackendError, match="causal language models"):
        ICR(model=zoo.encoder, device="cpu").scored([QUERY], TEXTS)


def test_one_layer_of_a_range_is_what_that_layer_gives(zoo):
    both, first, second = (
        ICR(model=zoo.llama, layers=layers, outliers=None, device="cpu").scored([QUERY], TEXTS)
        for layers in (None, "0", "1-1")
    )
    np.testing.assert_allclose(both, first + second, atol=1e-4)
