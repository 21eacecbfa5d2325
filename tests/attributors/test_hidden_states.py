from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import citewell
from citewell import registry
from citewell.attributors.hidden_states import defaults
from citewell.attributors.hidden_states.attributor import HiddenStates
from citewell.attributors.hidden_states.match import best_windows, nearest_by_segment, nearest_tokens, window_norms
from citewell.attributors.prompts import frame, prompts
from citewell.document import Document
from citewell.errors import BackendError, SpecError, notes
from citewell.models.states import layer_number
from citewell.text.segments import statements
from citewell.types import Draft, Span


def cosine(left, right):
    return float(left @ right / max(np.linalg.norm(left) * np.linalg.norm(right), 1e-12))


def loop_windows(span, states, bounds, limit, anchors):
    """The published search, window by window."""
    tokens = sorted(range(len(states)), key=lambda i: -cosine(span, states[i]))[:anchors] if anchors else None
    result = []
    for first, last in itertools.pairwise(bounds):
        best = -np.inf
        for start in range(first, last):
            for end in range(start + 1, min(last, start + limit) + 1):
                if tokens is None or any(start <= token < end for token in tokens):
                    best = max(best, cosine(span, states[start:end].mean(axis=0)))
        result.append(best)
    return result


@st.composite
def cases(draw):
    sizes = draw(st.lists(st.integers(1, 6), min_size=1, max_size=5))
    seed, shift = draw(st.integers(0, 10**6)), draw(st.sampled_from([0.0, 5.0]))
    rng = np.random.default_rng(seed)
    states = (rng.normal(size=(sum(sizes), 4)) + shift).astype(np.float32)
    spans = rng.normal(size=(2, 4)).astype(np.float32) + shift
    return states, spans.astype(np.float32), np.cumsum([0, *sizes]), draw(st.integers(1, 7)), draw(st.integers(0, 3))


@given(cases())
def test_the_vectorised_search_finds_what_the_loop_over_windows_finds(case):
    states, spans, bounds, limit, anchors = case
    windows = best_windows(spans, states, bounds, limit, anchors=anchors)
    for row, span in enumerate(spans):
        np.testing.assert_allclose(windows.scores[row], loop_windows(span, states, bounds, limit, anchors), atol=1e-4)
        for column in np.flatnonzero(np.isfinite(windows.scores[row])):
            start, length = windows.starts[row, column], windows.lengths[row, column]
            assert bounds[column] <= start < start + length <= bounds[column + 1]
            similarity = cosine(span, states[start : start + length].mean(axis=0))
            assert similarity == pytest.approx(windows.scores[row, column], abs=1e-4)


@given(arrays.arrays(np.float32, st.tuples(st.integers(1, 30), st.just(3)), elements=st.floats(-5, 5, width=32)),
       st.integers(1, 9))  # fmt: skip
def test_window_norms_are_the_lengths_of_the_sums(states, limit):
    norms = window_norms(states, limit)
    for length in range(limit):
        for start in range(len(states)):
            wanted = (
                np.linalg.norm(states[start : start + length + 1].sum(axis=0)) if start + length < len(states) else 0
            )
            assert norms[length, start] == pytest.approx(wanted, abs=2e-3)


@given(cases(), st.integers(1, 7))
def test_nearest_tokens_do_not_depend_on_the_blocks(case, block):
    states, spans, bounds, _, _ = case
    best, where = nearest_tokens(spans, states, block)
    whole = np.array([[cosine(span, state) for state in states] for span in spans])
    np.testing.assert_allclose(best, whole.max(axis=1), atol=1e-5)
    np.testing.assert_allclose(whole[np.arange(len(spans)), where], whole.max(axis=1), atol=1e-5)
    by_segment = nearest_by_segment(spans, states, bounds, block)
    for column, (first, last) in enumerate(itertools.pairwise(bounds)):
        np.testing.assert_allclose(by_segment[:, column], whole[:, first:last].max(axis=1), atol=1e-5)


REPORT = Document.from_text(
    "The company was founded in 1990 by Ann Smith.\n\nBlood flows through the aorta 😀 in Zürich.\n\nRevenue rose to 41."
)


@pytest.mark.parametrize(
    ("model", "passages"),
    # Inside one prompt only rotary positions leave the embeddings as they are.
    [("encoder", True), ("docnli", True), ("gpt2", True), ("opt", True), ("llama", True), ("llama", False)],
)
def test_a_copied_sentence_is_found_at_the_embeddings(zoo, model, passages):
    method = HiddenStates(model=getattr(zoo, model), layer=0, passages=passages, match="windows", device="cpu")
    text = "Blood flows through the aorta 😀 in Zürich."
    citations = method.attribute(Draft(text, statements=(Span(0, len(text)),)), [REPORT], "paragraph", 1)
    assert [citation.quote for citation in citations] == [text]
    assert citations[0].score > 0.9


@pytest.mark.parametrize("model", ["encoder", "llama", "gpt2"])
def test_tokens_point_at_their_twins_and_the_threshold_only_leaves_out(zoo, model):
    text = "The aorta 😀 rose to 41."
    draft = Draft(text, statements=(Span(0, len(text)),))
    every = HiddenStates(model=getattr(zoo, model), layer=0, threshold=-1.0, passages=True, device="cpu")
    citations = every.attribute(draft, [REPORT], "token")
    assert [citation.score for citation in citations] == sorted(
        (citation.score for citation in citations), reverse=True
    )
    covered = {place for citation in citations for place in range(citation.answer_start, citation.answer_end)}
    assert {place for place, char in enumerate(text) if not char.isspace()} == covered
    for citation in citations:
        assert citation.granularity == "token"
        assert REPORT.text[citation.start : citation.end] == citation.quote
    some = HiddenStates(model=getattr(zoo, model), layer=0, threshold=0.9, passages=True, device="cpu")
    assert set(some.attribute(draft, [REPORT], "token")) == {citation for citation in citations if citation.score > 0.9}


def test_a_document_beyond_the_context_is_shown_in_windows_and_that_is_said(zoo):
    lines = [f"In {1800 + number} the firm sold {number} boats." for number in range(60)]
    document = Document.from_text("\n\n".join(lines))
    method = HiddenStates(model=zoo.llama, layer=0, limit=200, device="cpu")
    draft = Draft(lines[50], question="How many boats?", statements=(Span(0, len(lines[50])),))
    with notes.collect() as noted:
        citations = method.attribute(draft, [document], "paragraph", 1)
    assert [citation.quote for citation in citations] == [lines[50]]
    assert any("overlapping windows" in warning for warning in noted.warnings)
    assert noted.counts["forward passes"] > 5


def test_an_answer_beyond_the_context_is_shown_in_parts(zoo):
    lines = [f"In {1800 + number} the firm sold {number} boats." for number in range(30)]
    spans, position = [], 0
    for line in lines:
        spans.append(Span(position, position + len(line)))
        position += len(line) + 1
    document = Document.from_text("\n\n".join(lines))
    method = HiddenStates(model=zoo.llama, layer=0, limit=256, device="cpu")
    citations = method.attribute(Draft(" ".join(lines), statements=tuple(spans)), [document], "paragraph", 1)
    assert [citation.answer_start for citation in citations] == [span.start for span in spans]
    right = sum(citation.quote == line for citation, line in zip(citations, lines, strict=True))
    assert right >= 0.8 * len(lines)


def test_a_context_too_small_for_anything_is_refused(zoo):
    method = HiddenStates(model=zoo.gpt2, limit=40, device="cpu")
    with pytest.raises(BackendError, match="too small"):
        method.attribute(Draft("Revenue rose.", statements=(Span(0, 13),)), [REPORT])


def test_the_whole_statement_can_tell_equal_spans_apart(zoo):
    document = Document.from_text("Ann Smith met Bob.\n\nAnn Smith founded the company in 1990 by Bob.")
    text = "In 1990 the company of Ann Smith was founded."
    start = text.index("Ann Smith")
    draft = Draft(text, statements=(Span(0, len(text)),), targets=(Span(start, start + 9),))
    choices = [
        HiddenStates(model=zoo.llama, layer=0, context=context, passages=True, match="tokens", device="cpu")
        for context in (0.0, 0.9)
    ]
    quotes = [method.attribute(draft, [document], "paragraph", 1)[0].quote for method in choices]
    assert quotes == ["Ann Smith met Bob.", "Ann Smith founded the company in 1990 by Bob."]


@pytest.mark.models
@pytest.mark.parametrize("spec", ["match=both", "window=0", "context=2", "batch=0"])
def test_settings_that_make_no_sense_are_refused(spec):
    pytest.importorskip("torch")
    with pytest.raises(SpecError):
        registry.build("attributor", f"hidden-states({spec})")


def test_the_windows_and_passes_are_stated_in_the_answer(zoo):
    document = Document.from_text(
        "\n\n".join(f"In {1800 + number} the firm sold {number} boats." for number in range(60))
    )
    method = f"hidden-states(model={zoo.gpt2}, device=cpu)"
    answer = citewell.attribute(document, "In 1850 the firm sold 50 boats.", method=method)
    assert any("overlapping windows" in warning for warning in answer.warnings)
    assert answer.usage["forward passes"] > 1
    assert citewell.Answer.from_dict(answer.to_dict()).warnings == answer.warnings


SHORT = "The aorta 😀 rose to 41."


def quoted(citations, text):
    return [(text[citation.answer_start : citation.answer_end], citation.quote) for citation in citations]


@pytest.mark.parametrize("passages", [True, False])
def test_copied_tokens_become_spans_and_each_span_its_exact_window(zoo, passages):
    text = "Yet blood flows through the aorta 😀 and revenue rose to 41."
    method = HiddenStates(
        model=zoo.llama, layer=0, threshold=0.999, context=0.0, match="windows", passages=passages, device="cpu"
    )
    citations = method.attribute(Draft(text), [REPORT], "window")
    pairs = dict(quoted(citations, text))
    # The tiny tokenizer cuts "bl|od flows|thro|ugh the aor|ta" and "rev|en|ue rose".
    for copied in ("od flows through the aorta 😀", "ue rose to 41."):
        assert pairs[copied] == copied
    for citation in citations:
        assert (citation.granularity, citation.method) == ("window", "hidden-states(layer=0, token_layer=0)")
        assert REPORT.text[citation.start : citation.end] == citation.quote
    assert [citation.score for citation in citations] == sorted(
        (citation.score for citation in citations), reverse=True
    )


def test_a_span_that_is_named_is_cited_by_its_window_and_no_other_span_is(zoo):
    text = "Yet blood flows through the aorta 😀 and revenue rose to 41."
    start = text.index("rose")
    method = HiddenStates(model=zoo.llama, layer=0, context=0.0, match="windows", passages=True, device="cpu")
    draft = Draft(text, statements=(Span(0, len(text)),), targets=(Span(start, start + 10),))
    # The window has whole tokens: "ue rose" is one.
    assert quoted(method.attribute(draft, [REPORT], "window"), text) == [("rose to 41", "ue rose to 41")]


def test_no_token_above_the_threshold_is_no_span(zoo):
    method = HiddenStates(model=zoo.llama, layer=0, threshold=1.5, passages=True, device="cpu")
    assert method.attribute(Draft(SHORT), [REPORT], "window") == ()
    assert method.attribute(Draft(SHORT), [REPORT], "token") == ()


def test_two_layers_come_from_one_pass_and_each_does_its_own_part(zoo):
    with notes.collect() as noted:
        both = HiddenStates(model=zoo.llama, layer=2, token_layer=0, threshold=0.999, device="cpu")
        windows = both.attribute(Draft(SHORT), [REPORT], "window")
    assert noted.counts["forward passes"] == 1
    assert {citation.method for citation in windows} == {"hidden-states(layer=2, token_layer=0)"}
    bare = HiddenStates(model=zoo.llama, layer=0, threshold=0.999, device="cpu")
    spans = {(window.answer_start, window.answer_end) for window in windows}
    assert spans == {
        (window.answer_start, window.answer_end) for window in bare.attribute(Draft(SHORT), [REPORT], "window")
    }
    assert both.scored_tokens(Draft(SHORT), [REPORT]) == bare.scored_tokens(Draft(SHORT), [REPORT])


def test_encoders_read_whole_paragraphs_at_every_granularity(zoo):
    document = Document.from_text("Ann ran. Revenue rose to 41 million in 2022. Bo sat.\n\nCosts fell.")
    for granularity in ("sentence", "paragraph", "window", "token"):
        with notes.collect() as noted:
            method = HiddenStates(model=zoo.encoder, threshold=0.5, device="cpu")
            method.attribute(Draft("Ann ran."), [document], granularity)
        assert noted.counts["forward passes"] == 3, granularity  # the answer and two paragraphs


def test_a_window_of_a_whole_text_says_where_its_words_stand(zoo):
    answer = citewell.attribute(
        REPORT, SHORT, method=f"hidden-states(model={zoo.llama}, layer=0, passages=true, device=cpu)",
        granularity="window", spans=[(17, 23)],
    )  # fmt: skip
    assert [citation.quote for citation in answer.citations] == ["to 41."]
    assert citewell.Answer.from_dict(answer.to_dict()).citations == answer.citations


def test_the_bundled_answers_copy_what_their_documents_say_and_also_say_other_things():
    for example in defaults.examples():
        text = example.draft.text
        assert len(example.copied) == 2
        for start, end in example.copied:
            assert text[start:end].lower() in example.document.lower()
        copied = sum(end - start for start, end in example.copied)
        assert 0.3 < copied / len(text) < 0.7
        assert "«" not in text


def test_without_settings_layer_and_threshold_follow_the_model_and_the_answer_says_so(zoo):
    method = HiddenStates(model=zoo.llama, device="cpu")
    layers = layer_number(method.load("encoder"), -1)
    assert method.source_layer == max(1, round(layers / 6))
    with notes.collect() as noted:
        first = method.least_copied()
        method.attribute(Draft("Ann ran.", None, statements("Ann ran.")), [Document.from_text("Ann ran home.")])
    assert any("not calibrated" in line and f"of {layers} is read" in line for line in noted.warnings)
    assert any(f"tokens above {first} count as copied, by 12 answers" in line for line in noted.warnings)
    assert 0 < first < 1
    with notes.collect() as noted:
        chosen = HiddenStates(model=zoo.llama, layer=1, threshold=0.7, device="cpu")
        assert chosen.least_copied() == 0.7
        chosen.attribute(
            Draft("Ann ran.", None, statements("Ann ran.")), [Document.from_text("Ann ran home.")], "token"
        )
    assert not noted.warnings


def test_the_threshold_is_found_once_a_model_layer_and_prompt(zoo, monkeypatch):
    method = HiddenStates(model=zoo.gpt2, layer=1, device="cpu")
    first = method.least_copied()
    monkeypatch.setattr(defaults, "examples", lambda: pytest.fail("asked again"))
    with pytest.raises(pytest.fail.Exception):
        HiddenStates(model=zoo.gpt2, layer=1, prompt="Read {document}", device="cpu").least_copied()
    monkeypatch.undo()
    assert method.least_copied() == first


@pytest.mark.parametrize(
    ("tokens", "threshold"),
    [
        ([(0.9, True), (0.8, True), (0.2, False)], 0.5),
        ([(0.9, True), (0.7, False), (0.6, True), (0.1, False)], 0.35),
        ([(0.9, True), (0.8, True)], 0.795),
    ],
)
def test_the_threshold_of_the_best_f1_lies_half_way_to_the_next_score(tokens, threshold):
    assert defaults.best(tokens) == pytest.approx(threshold)


def test_a_model_that_was_calibrated_keeps_its_settings(monkeypatch, zoo):
    method = HiddenStates(model=zoo.encoder, device="cpu")
    config = method.load("encoder").model.config
    monkeypatch.setitem(defaults.CALIBRATED, (config.model_type, config.num_hidden_layers, config.hidden_size), 0.6)
    with notes.collect() as noted:
        assert method.least_copied() == 0.6
    assert not noted.warnings


def test_the_prompt_can_be_worded_and_document_and_answer_keep_their_offsets(zoo):
    loaded = HiddenStates(model=zoo.llama, device="cpu").load("encoder")
    text, answer, question = "Ann keeps bees.", "Bees, says Ann.", "Who keeps {document}?"
    wording = "TEXT\n{document}\nASK {question}\nSAY"
    (prompt,) = prompts(loaded, text, answer, question=question, statements=(), limit=None, wording=wording)
    words = loaded.tokenizer.decode(prompt.ids)
    assert "Answer in detail" not in words
    assert "".join(text[start:end] for start, end in prompt.document).replace(" ", "") == text.replace(" ", "")
    assert "".join(answer[start:end] for start, end in prompt.answer).replace(" ", "") == answer.replace(" ", "")
    assert frame(loaded, None, wording).between.count("ASK") == 0
    assert question in frame(loaded, question, wording).between
    with pytest.raises(SpecError, match="gap {document} once"):
        registry.build("attributor", "hidden-states(prompt=hello)")
