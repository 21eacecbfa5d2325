"""Attribution by leaving sources out, against sums that are done by hand and a direct reading of the model."""

from __future__ import annotations

import numpy as np
import pytest

from citewell.attributors.ablation.contextcite import ContextCite, draws, fitted, lasso
from citewell.attributors.ablation.leave_one_out import ArcJSD, LeaveOneOut, losses
from citewell.attributors.ablation.likelihood import jensen_shannon, logit, score
from citewell.attributors.contexts import contexts
from citewell.attributors.places import join
from citewell.document import Document
from citewell.errors import BackendError
from citewell.models.offsets import encode
from citewell.types import Draft, Span

REPORT = Document.from_text("Blood flows through the aorta 😀 in Zürich.\n\nRevenue rose to 41 million.\n\nCosts fell.")
TEXT = "Revenue rose. Costs fell."
DRAFT = Draft(TEXT, "What rose?", (Span(0, 13), Span(14, 25)))


def context_of(method, documents=(REPORT,), draft=DRAFT):
    (context,) = contexts(method.loaded(), draft, documents, join(documents, "paragraph"), method.limit)
    return context


@pytest.mark.parametrize("model", ["llama", "gpt2"])
def test_the_tokens_of_a_prompt_are_those_of_its_sources_and_its_answer(zoo, model):
    method = LeaveOneOut(model=getattr(zoo, model), device="cpu")
    context = context_of(method)
    loaded = method.loaded()
    whole = context.prompt()
    for number, span in enumerate(context.spans):
        positions = np.flatnonzero(whole.owners == number)
        expected = encode(loaded.tokenizer, REPORT.text[span.start : span.end], special=False)[0]
        read, wanted = (loaded.tokenizer.decode(ids).strip() for ids in ([whole.ids[i] for i in positions], expected))
        assert read.replace(" ", "").lstrip("▁") == wanted.replace(" ", "").lstrip("▁")
    without = context.prompt(np.array([True, False, True]))
    assert set(without.owners.tolist()) == {-1, 0, 2}
    assert [without.ids[i] for i in without.answer_at] == [whole.ids[i] for i in whole.answer_at] == list(context.ids)
    assert "41 million" not in loaded.tokenizer.decode(without.ids)
    for target in DRAFT.statements:
        at = context.offsets[context.of(target)]
        assert (at[0, 0], at[-1, 1]) == target


@pytest.mark.parametrize("model", ["llama", "gpt2"])
def test_the_likelihood_of_an_answer_is_what_the_model_says_prompt_by_prompt(zoo, model):
    import torch

    method = LeaveOneOut(model=getattr(zoo, model), device="cpu")
    context, loaded = context_of(method), method.loaded()
    kept = [np.ones(3, dtype=bool), np.array([False, True, True]), np.array([False, False, True])]
    scores = score(loaded, context, kept, batch=3, divergence=True)
    first = None
    for row, flags in enumerate(kept):
        prompt = context.prompt(flags)
        with torch.no_grad():
            logits = loaded.model(input_ids=torch.tensor([prompt.ids])).logits[0, prompt.answer_at - 1].double()
        chances = torch.softmax(logits, dim=-1).numpy()
        wanted = np.log(chances[np.arange(len(context.ids)), list(context.ids)])
        np.testing.assert_allclose(scores.log_probability[row], wanted, atol=1e-4)
        first = chances if first is None else first
        middle = (chances + first) / 2
        apart = (
            sum((distribution * np.log(distribution / middle)).sum(axis=-1) for distribution in (chances, first)) / 2
        )
        np.testing.assert_allclose(scores.divergence[row], apart, atol=1e-5)
    assert scores.divergence[0].max() == 0
    assert (scores.divergence <= np.log(2)).all()


def test_masked_sources_keep_their_places_and_say_nothing(zoo):
    method = LeaveOneOut(model=zoo.llama, device="cpu")
    context, loaded = context_of(method), method.loaded()
    other = Document.from_text(REPORT.text.replace("million.", "million!"))
    changed = context_of(method, (other,))
    flags = [np.array([True, False, True])]
    masked = score(loaded, context, flags, how="mask").log_probability
    assert len(context.prompt().ids) == len(changed.prompt().ids)
    np.testing.assert_allclose(masked, score(loaded, changed, flags, how="mask").log_probability, atol=1e-6)
    assert np.abs(masked - score(loaded, context, flags).log_probability).max() > 1e-6  # others stand elsewhere then


def test_the_divergence_of_what_excludes_each_other_is_the_logarithm_of_two():
    import torch

    first, second = torch.tensor([[1.0, 0.0], [0.5, 0.5]]).log(), torch.tensor([[0.0, 1.0], [0.5, 0.5]]).log()
    np.testing.assert_allclose(jensen_shannon(first, second).numpy(), [np.log(2), 0], atol=1e-6)


def test_a_certain_answer_has_a_logit_that_is_a_number():
    logits = logit(np.array([0.0, np.log(0.5), np.log(0.9), -1000.0]))
    assert np.isfinite(logits).all()
    np.testing.assert_allclose(logits[1:], [0, np.log(9), -1000], atol=1e-9)
    assert logits[0] > 15


def test_losses_are_exact_where_sources_add_up_and_nothing_where_one_stands_twice():
    tokens = [np.array([0]), np.array([1])]
    adding = np.array([[-1.0, -2.0], [-1.5, -2.0], [-1.0, -5.0]])
    assert losses(adding, tokens).tolist() == [[0.5, 0.0], [0.0, 3.0]]
    twice = np.array([[-1.0, -2.0], [-1.0, -2.0], [-1.0, -2.0]])
    assert losses(twice, tokens).tolist() == [[0, 0], [0, 0]]


@pytest.mark.parametrize("measure", [LeaveOneOut, ArcJSD])
def test_a_source_is_scored_by_what_is_lost_without_it(zoo, measure):
    method = measure(model=zoo.llama, device="cpu", batch=2)
    context, loaded = context_of(method), method.loaded()
    kept = [np.ones(3, dtype=bool), *~np.eye(3, dtype=bool)]
    result = score(loaded, context, kept, divergence=True)
    scores = method.place_scores(DRAFT, [REPORT], join([REPORT], "paragraph"), DRAFT.statements)
    for row, target in zip(scores, DRAFT.statements, strict=True):
        at = context.of(target)
        if measure is ArcJSD:
            wanted = result.divergence[1:, at].sum(axis=1)
        else:
            wanted = (result.log_probability[0, at] - result.log_probability[1:, at]).sum(axis=1)
        np.testing.assert_allclose(row, wanted, atol=1e-5)


def test_the_lasso_is_that_of_scikit_learn():
    linear = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(3)
    features = rng.normal(size=(40, 6))
    features -= features.mean(axis=0)
    wanted = features @ np.array([1.0, 0, -0.5, 0, 0.02, 0]) + rng.normal(size=40) * 0.1
    for penalty in (0.01, 0.1):
        theirs = linear.Lasso(alpha=penalty, tol=1e-10).fit(features, wanted).coef_
        np.testing.assert_allclose(lasso(features, wanted - wanted.mean(), penalty), theirs, atol=1e-5)


def test_weights_of_a_linear_answer_come_back_shrunk_in_sign_and_order():
    kept = np.array(draws(64, 4, 0.5, 0))
    true = np.array([2.0, -1.0, 0.0, 4.0])
    odds = kept @ true - 1
    log_probability = (-np.log1p(np.exp(-odds)))[:, None]
    weights = fitted(kept, log_probability, 0.01)
    assert np.sign(weights).tolist() == [1, -1, 0, 1]
    assert np.argsort(weights).tolist() == np.argsort(true).tolist()
    assert (np.abs(weights) <= np.abs(true) + 1e-9).all()
    np.testing.assert_allclose(weights, true, atol=0.1)
    np.testing.assert_allclose(fitted(kept, log_probability, 0.0), true, atol=1e-6)


def test_masks_are_those_of_the_seed():
    assert np.array_equal(draws(5, 7, 0.5, 0)[1:], draws(4, 7, 0.5, 1))
    assert not np.array_equal(draws(5, 7, 0.5, 0), draws(5, 7, 0.5, 9))
    assert draws(1, 10, 0.5, 0)[0].tolist() == [True, True, True, True, False, True, False, True, True, False]


def test_contextcite_fits_what_the_model_says_and_gives_the_same_again(zoo):
    method = ContextCite(model=zoo.llama, masks=8, penalty=0.0001, device="cpu")
    context = context_of(method)
    kept = draws(8, 3, 0.5, 0)
    log_probability = score(method.loaded(), context, kept).log_probability
    places = join([REPORT], "paragraph")
    scores = method.place_scores(DRAFT, [REPORT], places, DRAFT.statements)
    wanted = [fitted(np.array(kept), log_probability[:, context.of(target)], 0.0001) for target in DRAFT.statements]
    np.testing.assert_allclose(scores, wanted, atol=1e-4)
    assert np.array_equal(scores, method.place_scores(DRAFT, [REPORT], places, DRAFT.statements))


def test_more_sources_than_fit_are_read_in_several_prompts_and_that_is_said(zoo):
    from citewell.errors import notes

    lines = [f"In {1800 + number} the firm sold {number} boats." for number in range(25)]
    document = Document.from_text("\n\n".join([*lines, "word " * 250]))
    method = LeaveOneOut(model=zoo.llama, limit=220, device="cpu")
    places = join([document], "paragraph")
    with notes.collect() as noted:
        prompts = contexts(method.loaded(), DRAFT, [document], places, 220)
        scores = method.place_scores(DRAFT, [document], places, DRAFT.statements)
    assert [prompt.first for prompt in prompts] == np.cumsum([0, *(len(prompt.spans) for prompt in prompts)])[
        :-1
    ].tolist()
    assert all(len(prompt.prompt().ids) <= 220 for prompt in prompts)
    assert np.isfinite(scores).all()
    assert any("were shown in" in warning for warning in noted.warnings)
    assert any("its end was left out" in warning for warning in noted.warnings)


def test_no_prompt_is_longer_than_it_may_be_however_small_that_is(zoo):
    document = Document.from_text("\n\n".join(["word " * 250, "Costs fell."]))
    loaded, places = LeaveOneOut(model=zoo.llama, device="cpu").loaded(), join([document], "paragraph")
    read = 0
    for limit in range(100, 130):
        try:
            prompts = contexts(loaded, Draft("boat " * 30, "What rose?"), [document], places, limit)
        except BackendError:
            continue
        read += 1
        assert max(len(prompt.prompt().ids) for prompt in prompts) <= limit
    assert 0 < read < 30  # so that the smallest context that is read is among them


def test_settings_that_make_no_sense_are_refused(zoo):
    for wrong in ({"masks": 1}, {"keep": 1.0}, {"penalty": -1.0}, {"k": 0}, {"batch": 0}):
        with pytest.raises(ValueError):
            ContextCite(model=zoo.llama, **wrong)
    with pytest.raises(ValueError):
        LeaveOneOut(model=zoo.llama, measure="both")
