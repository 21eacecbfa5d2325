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
    return loaded, context, context.shown()


@pytest.mark.parametrize("model", ["llama", "gpt2"])
def test_the_rollout_is_the_product_of_half_attention_weighted_by_what_heads_pass_on(zoo, model):
    import torch

    loaded, _, shown = read(HETA(model=getattr(zoo, model), device="cpu"))
    rows = [len(shown.ids) - 4, len(shown.ids) - 2]
    found = rollouts(loaded, shown.ids, rows)
    tiny = rollouts(loaded, shown.ids, rows, block=1)
    seen = {}
    base = loaded.model.base_model
    layers = base.layers if model == "llama" else base.h
    hooks = [layer.register_forward_pre_hook(lambda module, args, kwargs: seen.update(
        {module: args[0] if args else kwargs["hidden_states"]}), with_kwargs=True) for layer in layers]  # fmt: skip
    loaded.model.set_attn_implementation("eager")
    with torch.no_grad():
        output = loaded.model(input_ids=torch.tensor([shown.ids]), output_attentions=True)
        for hook in hooks:
            hook.remove()
        loaded.model.set_attn_implementation("sdpa")
        heads = output.attentions[0].shape[1]
        products = [np.eye(len(shown.ids)) for _ in range(heads)]
        wanted = np.zeros((2, len(shown.ids)))
        for layer, attention in zip(layers, output.attentions, strict=True):
            if model == "llama":
                value = layer.self_attn.v_proj(layer.input_layernorm(seen[layer]))[0].numpy()
                out = layer.self_attn.o_proj.weight.numpy()
            else:
                size = seen[layer].shape[-1]
                value = layer.attn.c_attn(layer.ln_1(seen[layer]))[0, :, 2 * size :].numpy()
                out = layer.attn.c_proj.weight.numpy().T
            size = out.shape[1] // heads
            for head in range(heads):
                group = head // (heads // (value.shape[1] // size))
                half = 0.5 * attention[0, head].numpy() + 0.5 * np.eye(len(shown.ids))
                products[head] = half @ products[head]
                passed = value[:, group * size : (group + 1) * size] @ out[:, head * size : (head + 1) * size].T
                for number, row in enumerate(rows):
                    wanted[number] += products[head][row] * np.abs(passed).sum(axis=1)
    wanted /= wanted.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(found, wanted, atol=1e-5)
    np.testing.assert_allclose(tiny, wanted, atol=1e-5)
    assert found[0, rows[0] + 1 :].max() == 0


def test_information_is_what_is_lost_when_one_embedding_is_nothing(zoo):
    import torch

    loaded, context, shown = read(HETA(model=zoo.llama, device="cpu"))
    asked, held = np.arange(2), np.flatnonzero(shown.owners >= 0)
    found = information(loaded, shown, asked, held, 3)
    inputs = loaded.model.get_input_embeddings()(torch.tensor([shown.ids])).detach()

    def chances(given):
        with torch.no_grad():
            logits = loaded.model(inputs_embeds=given).logits[0].double()
        return torch.log_softmax(logits, dim=-1).numpy()[shown.answer_at[asked] - 1]

    whole = chances(inputs)
    for column, at in enumerate(held):
        changed = inputs.clone()
        changed[0, at] = 0
        other = chances(changed)
        for row in range(2):
            wanted = sum(np.exp(p) * (p - q) for p, q in zip(whole[row], other[row], strict=True))
            assert found[row, column] == pytest.approx(wanted, abs=1e-5)
    assert context.ids[0] == shown.ids[shown.answer_at[0]]


def test_curvature_is_the_tokens_own_block_of_the_hessian_times_signs(zoo):
    import torch

    loaded, _, shown = read(HETA(model=zoo.llama, device="cpu"))
    held = np.flatnonzero(shown.owners >= 0)[[0, -1]]
    width = loaded.model.get_input_embeddings().weight.shape[1]
    signs = np.random.default_rng(0).choice([-1.0, 1.0], (3, width))
    found = curvature(loaded, shown, np.array([1]), held, signs)
    inputs = loaded.model.get_input_embeddings()(torch.tensor([shown.ids])).detach()
    row = int(shown.answer_at[1])
    loaded.model.set_attn_implementation("eager")
    for column, at in enumerate(held):

        def likelihood(own, at=at):
            changed = torch.cat([inputs[:, :at], own[None, None], inputs[:, at + 1 :]], dim=1)
            logits = loaded.model(inputs_embeds=changed).logits[0, row - 1]
            return torch.log_softmax(logits.float(), dim=-1)[shown.ids[row]]

        hessian = torch.autograd.functional.hessian(likelihood, inputs[0, at]).double().numpy()
        wanted = np.mean([np.abs(hessian @ one).sum() for one in signs])
        assert found[0, column] == pytest.approx(wanted, rel=1e-3)
    loaded.model.set_attn_implementation("sdpa")


def test_a_score_is_the_gate_times_the_weighted_sum_added_up_over_both_sides(zoo):
    method = HETA(model=zoo.llama, curvature=0.25, information=0.75, probes=1, device="cpu")
    loaded, context, shown = read(method)
    own = context.of(DRAFT.targets[0])
    held = np.flatnonzero(shown.owners >= 0)
    signs = np.random.default_rng(0).choice([-1.0, 1.0], (1, loaded.model.get_input_embeddings().weight.shape[1]))
    parts = [curvature(loaded, shown, own, held, signs), information(loaded, shown, own, held, 8)]
    gate = rollouts(loaded, shown.ids, (shown.answer_at[own] - 1).tolist())
    wanted = np.zeros(2)
    for row in range(len(own)):
        for column, at in enumerate(held):
            wanted[shown.owners[at]] += gate[row, at] * (0.25 * parts[0][row, column] + 0.75 * parts[1][row, column])
    (found,) = method.scored(DRAFT, [REPORT], PLACES, DRAFT.targets)
    np.testing.assert_allclose(found, wanted, rtol=1e-3)
    assert (found > 0).all()


def test_settings_that_make_no_sense_are_refused(zoo):
    for wrong in ({"probes": 0}, {"curvature": -1.0}, {"curvature": 0.0, "information": 0.0}):
        with pytest.raises(ValueError, match="at least"):
            HETA(model=zoo.llama, **wrong)
