"""AT2 and AttnTrace against direct sums, and weights that are learned come back."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bench import benchdata
from citewell import cli, registry
from citewell.attributors.attention.at2 import AT2, features, uniform, weights_of
from citewell.attributors.attention.trace import AttnTrace, parts, strongest
from citewell.attributors.contexts import contexts
from citewell.attributors.places import join
from citewell.document import Document
from citewell.errors import BackendError, InputError, notes
from citewell.types import Draft, Span
from citewell_lab.train.at2 import Learned, correlation, fit, observed
from citewell_lab.train.cases import AnswerCase

REPORT = Document.from_text("Blood flows through the aorta 😀 in Zürich.\n\nRevenue rose to 41 million.\n\nCosts fell.")
TEXT = "Revenue rose. Costs fell."
DRAFT = Draft(TEXT, "What rose?", (Span(0, 13), Span(14, 25)))


def eager(loaded, ids):
    import torch

    loaded.model.set_attn_implementation("eager")
    with torch.no_grad():
        output = loaded.model(input_ids=torch.tensor([ids]), output_attentions=True, use_cache=False)
    loaded.model.set_attn_implementation("sdpa")
    return np.stack([layer[0].numpy() for layer in output.attentions])


def context_of(method):
    (context,) = contexts(method.loaded(), DRAFT, [REPORT], join([REPORT], "paragraph"), None)
    return context


def scores_of(method):
    return method.place_scores(DRAFT, [REPORT], join([REPORT], "paragraph"), DRAFT.statements)


@pytest.mark.parametrize("model", ["llama", "gpt2"])
def test_a_score_is_the_weighted_attention_of_predicting_rows_to_a_source(zoo, model, tmp_path):
    path = tmp_path / "at2.json"
    heads = np.random.default_rng(0).normal(size=(2, 4))
    path.write_text(json.dumps({"format": "citewell-at2-1", "weights": heads.tolist()}), encoding="utf-8")
    method = AT2(model=getattr(zoo, model), weights=str(path), device="cpu")
    context = context_of(method)
    prompt = context.prompt()
    weights = eager(method.loaded(), prompt.ids)
    for row, target in zip(scores_of(method), DRAFT.statements, strict=True):
        rows = prompt.answer_at[context.of(target)] - 1
        mean = weights[:, :, rows].mean(axis=2)
        for source, score in enumerate(row):
            wanted = (heads * mean[:, :, prompt.owners == source].sum(axis=-1)).sum()
            assert score == pytest.approx(wanted, abs=1e-4)


def test_without_learned_weights_it_is_the_mean_attention_in_one_pass(zoo):
    method = AT2(model=zoo.llama, device="cpu")
    context = context_of(method)
    with notes.collect() as noted:
        scores = scores_of(method)
    assert noted.counts["forward passes"] == 1
    every = features(method.loaded(), context, [context.of(target) for target in DRAFT.statements])
    np.testing.assert_allclose(scores, every.mean(axis=(0, 1)), atol=1e-6)
    assert np.abs(uniform(method.loaded())).sum() == pytest.approx(1)


@pytest.mark.rare
def test_weights_that_made_the_outcomes_are_learned_back():
    rng = np.random.default_rng(1)
    true = np.array([0.5, -0.3, 0.0, 0.0, 0.8, 0.1], dtype=np.float32)
    rows = []
    for _ in range(60):
        attention = rng.normal(size=(32, 6)).astype(np.float32)
        rows.append(Learned(attention, 3 * attention @ true + 7))
    fitted = fit(rows, steps=400, batch=64, rate=0.02)
    assert np.abs(fitted).sum() == pytest.approx(1, abs=1e-5)
    assert fitted @ true / (np.linalg.norm(fitted) * np.linalg.norm(true)) > 0.99
    assert correlation(rows, fitted) > 0.99
    assert correlation(rows, np.full(6, 1 / 6, dtype=np.float32)) < correlation(rows, fitted)


def test_what_an_answer_teaches_is_attention_to_what_is_kept_less_what_is_not(zoo):
    method = AT2(model=zoo.llama, device="cpu")
    rows = observed(method, AnswerCase("1", DRAFT, (REPORT,)), "paragraph")
    assert len(rows) == 2
    from citewell.attributors.ablation.contextcite import draws

    context = context_of(method)
    every = features(method.loaded(), context, [context.of(target) for target in DRAFT.statements])
    kept = draws(32, 3, 0.5, 0)
    for number, row in enumerate(rows):
        wanted = [sum((1 if flag else -1) * every[:, :, number, source] for source, flag in enumerate(flags))
                  for flags in kept]  # fmt: skip
        np.testing.assert_allclose(row.features.reshape(32, 2, 4), wanted, atol=1e-5)
        assert np.isfinite(row.outcomes).all()
        assert row.outcomes.std() > 0


def test_the_command_learns_weights_and_prints_the_spec_that_uses_them(zoo, tmp_path, capsys):
    benchdata.quotesum(tmp_path)
    out = tmp_path / "at2.json"
    arguments = ["--task", "quotesum", "--data", str(tmp_path), "--split", "dev", "--steps", "5", "--out", str(out)]
    assert cli.main(["train", "at2", f"at2(model={zoo.llama})", *arguments, "--quiet"]) == 0
    spec = capsys.readouterr().out.strip().splitlines()[-1]
    built = registry.build("attributor", spec)
    weights = weights_of(built.weights, (2, 4))
    assert np.abs(weights).sum() == pytest.approx(1, abs=1e-5)
    with pytest.raises(BackendError, match="but the model has"):
        weights_of(str(out), (3, 4))
    for text in ("{}", "[" * 100_000):
        out.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match="no file of weights"):
            weights_of(str(out), (2, 4))
    assert cli.main(["train", "at2", "lexical", *arguments]) == 2
    assert "not of 'lexical'" in capsys.readouterr().err


def test_a_trace_is_the_mean_of_the_strongest_tokens_over_the_draws_that_show_a_source(zoo):
    method = AttnTrace(model=zoo.llama, draws=4, share=0.5, top=3, seed=5, device="cpu")
    context = context_of(method)
    totals, result = np.zeros((2, 3)), np.zeros(3)
    for kept in parts(3, 4, 0.5, 5):
        assert kept.sum() == 2
        prompt = context.prompt(kept)
        mean = eager(method.loaded(), prompt.ids).mean(axis=(0, 1))
        for row, target in enumerate(DRAFT.statements):
            tokens = mean[prompt.answer_at[context.of(target)] - 1].mean(axis=0)
            for source in np.flatnonzero(kept):
                totals[row, source] += np.sort(tokens[prompt.owners == source])[-3:].mean()
        result += kept
    np.testing.assert_allclose(scores_of(method), totals / result, atol=1e-6)


def test_the_strongest_tokens_are_all_where_there_are_few():
    assert strongest(np.array([[3.0, 1.0, 2.0], [0.0, 0.0, 6.0]]), 2).tolist() == [2.5, 3.0]
    assert strongest(np.array([[3.0, 1.0]]), 5).tolist() == [2.0]


def test_without_draws_one_prompt_shows_all_sources(zoo):
    with notes.collect() as noted:
        scores_of(AttnTrace(model=zoo.llama, draws=0, device="cpu"))
    assert noted.counts["forward passes"] == 1
    for wrong in ({"draws": -1}, {"share": 0.0}, {"top": 0}):
        with pytest.raises(ValueError):
            AttnTrace(model=zoo.llama, **wrong)
