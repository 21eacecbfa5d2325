"""HETA's three parts against their definitions: rollout, curvature and information, written out."""

from __future__ import annotations

import numpy as np
import pytest

from citewell.attributors.contexts import contexts
from citewell.attributors.gradient.heta import HETA, curvature, information
from citewell.attributors.places import join
from citewell.document import Document
from citewell.models.flows import rollouts
from citewell.types import Draft, Span

REPORT = Document.from_text("Costs fell 😀.\n\nBlood flows.")
DRAFT = Draft("Costs fell.", None, (Span(0, 11),), targets=(Span(0, 5),))
PLACES = join([REPORT], "paragraph")


def read(method):
    loaded = method.loaded()
    (context,) = contexts(loaded, DRAFT, [REPORT], PLACES, None)
    return loaded, context, context.prompt()


@pytest.mark.parametrize("model", ["llama", "gpt2"])
def test_the_rollout_is_the_product_of_half_attention_weighted_by_what_heads_pass_on(zoo, model):
    import torch

    loaded, _, prompt = read(HETA(model=getattr(zoo, model), device="cpu"))
    rows = [len(prompt.ids) - 4, len(prompt.ids) - 2]
    result = rollouts(loaded, prompt.ids, rows)
    tiny = rollouts(loaded, prompt.ids, rows, block=1)
    captured = {}
    base = loaded.model.base_model
    layers = base.layers if model == "llama" else base.h
    hooks = [layer.register_forward_pre_hook(lambda module, args, kwargs: captured.update(
        {module: args[0] if args else kwargs["hidden_states"]}), with_kwargs=True) for layer in layers]  # fmt: skip
    loaded.model.set_attn_implementation("eager")
    with torch.no_grad():
        output = loaded.model(input_ids=torch.tensor([prompt.ids]), output_attentions=True)
        for hook in hooks:
            hook.remove()
        loaded.model.set_attn_implementation("sdpa")
        heads = output.attentions[0].shape[1]
        products = [np.eye(len(prompt.ids)) for _ in range(heads)]
        wanted = np.zeros((2, len(prompt.ids)))
        for layer, attention in zip(layers, output.attentions, strict=True):
            if model == "llama":
                value = layer.self_attn.v_proj(layer.input_layernorm(captured[layer]))[0].numpy()
                out = layer.self_attn.o_proj.weight.numpy()
            else:
                size = captured[layer].shape[-1]
                value = layer.attn.c_attn(layer.ln_1(captured[layer]))[0, :, 2 * size :].numpy()
                out = layer.attn.c_proj.weight.numpy().T
            size = out.shape[1] // heads
            for head in range(heads):
                group = head // (heads // (value.shape[1] // size))
                half = 0.5 * attention[0, head].numpy() + 0.5 * np.eye(len(prompt.ids))
                products[head] = half @ products[head]
                passed = value[:, group * size : (group + 1) * size] @ out[:, head * size : (head + 1) * size].T
                for number, row in enumerate(rows):
                    wanted[number] += products[head][row] * np.abs(passed).sum(axis=1)
    wanted /= wanted.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(result, wanted, atol=1e-5)
    np.testing.assert_allclose(tiny, wanted, atol=1e-5)
    assert result[0, rows[0] + 1 :].max() == 0


def test_information_is_what_is_lost_when_one_embedding_is_nothing(zoo):
    import torch

    loaded, context, prompt = read(HETA(model=zoo.llama, device="cpu"))
    answer_tokens, source_tokens = np.arange(2), np.flatnonzero(prompt.owners >= 0)
    divergences = information(loaded, prompt, answer_tokens, source_tokens, 3)
    inputs = loaded.model.get_input_embeddings()(torch.tensor([prompt.ids])).detach()

    def chances(embeddings):
        with torch.no_grad():
            logits = loaded.model(inputs_embeds=embeddings).logits[0].double()
        return torch.log_softmax(logits, dim=-1).numpy()[prompt.answer_at[answer_tokens] - 1]

    whole = chances(inputs)
    for column, at in enumerate(source_tokens):
        changed = inputs.clone()
        changed[0, at] = 0
        other = chances(changed)
        for row in range(2):
            wanted = sum(np.exp(p) * (p - q) for p, q in zip(whole[row], other[row], strict=True))
            assert divergences[row, column] == pytest.approx(wanted, abs=1e-5)
    assert context.ids[0] == prompt.ids[prompt.answer_at[0]]


def test_curvature_is_the_tokens_own_block_of_the_hessian_times_signs(zoo):
    import torch

    loaded, _, prompt = read(HETA(model=zoo.llama, device="cpu"))
    source_tokens = np.flatnonzero(prompt.owners >= 0)[[0, -1]]
    width = loaded.model.get_input_embeddings().weight.shape[1]
    signs = np.random.default_rng(0).choice([-1.0, 1.0], (3, width))
    curvatures = curvature(loaded, prompt, np.array([1]), source_tokens, signs)
    inputs = loaded.model.get_input_embeddings()(torch.tensor([prompt.ids])).detach()
    row = int(prompt.answer_at[1])
    loaded.model.set_attn_implementation("eager")
    for column, at in enumerate(source_tokens):

        def likelihood(embedding, at=at):
            changed = torch.cat([inputs[:, :at], embedding[None, None], inputs[:, at + 1 :]], dim=1)
            logits = loaded.model(inputs_embeds=changed).logits[0, row - 1]
            return torch.log_softmax(logits.float(), dim=-1)[prompt.ids[row]]

        hessian = torch.autograd.functional.hessian(likelihood, inputs[0, at]).double().numpy()
        wanted = np.mean([np.abs(hessian @ sign_vector).sum() for sign_vector in signs])
        assert curvatures[0, column] == pytest.approx(wanted, rel=1e-3)
    loaded.model.set_attn_implementation("sdpa")


def test_a_score_is_the_gate_times_the_weighted_sum_added_up_over_both_sides(zoo):
    method = HETA(model=zoo.llama, curvature=0.25, information=0.75, probes=1, device="cpu")
    loaded, context, prompt = read(method)
    tokens = context.of(DRAFT.targets[0])
    source_tokens = np.flatnonzero(prompt.owners >= 0)
    signs = np.random.default_rng(0).choice([-1.0, 1.0], (1, loaded.model.get_input_embeddings().weight.shape[1]))
    parts = [
        curvature(loaded, prompt, tokens, source_tokens, signs),
        information(loaded, prompt, tokens, source_tokens, 8),
    ]
    gate = rollouts(loaded, prompt.ids, (prompt.answer_at[tokens] - 1).tolist())
    wanted = np.zeros(2)
    for row in range(len(tokens)):
        for column, at in enumerate(source_tokens):
            wanted[prompt.owners[at]] += gate[row, at] * (0.25 * parts[0][row, column] + 0.75 * parts[1][row, column])
    (scores,) = method.place_scores(DRAFT, [REPORT], PLACES, DRAFT.targets)
    np.testing.assert_allclose(scores, wanted, rtol=1e-3)
    assert (scores > 0).all()


def test_settings_that_make_no_sense_are_refused(zoo):
    for wrong in ({"probes": 0}, {"curvature": -1.0}, {"curvature": 0.0, "information": 0.0}):
        with pytest.raises(ValueError, match="at least"):
            HETA(model=zoo.llama, **wrong)
