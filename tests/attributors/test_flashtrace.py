"""FlashTrace against its definition, written out token by token and head by head."""

from __future__ import annotations

import numpy as np
import pytest

from citewell.attributors.attention.flow import FlashTrace
from citewell.attributors.contexts import contexts
from citewell.attributors.places import join
from citewell.document import Document
from citewell.errors import BackendError, notes
from citewell.models.flows import flows
from citewell.types import Draft, Span

REPORT = Document.from_text("Blood flows through the aorta 😀 in Zürich.\n\nRevenue rose to 41 million.\n\nCosts fell.")
TEXT = "Revenue rose. Costs fell."
DRAFT = Draft(TEXT, "What rose?", (Span(0, 13), Span(14, 25)))
PLACES = join([REPORT], "paragraph")


def context_of(method):
    (context,) = contexts(method.loaded(), DRAFT, [REPORT], PLACES, None)
    return context


def parts(loaded, ids):
    """Of each layer: eager attention, what each head passes on of each token, the states before and behind it."""
    import torch

    model, calls = loaded.model, []
    model.set_attn_implementation("eager")
    layers = model.layers if hasattr(model, "layers") else model.h
    hooks = []
    for layer in layers:
        norms = (layer.input_layernorm, layer.post_attention_layernorm) if hasattr(layer, "input_layernorm") else (
            layer.ln_1, layer.ln_2)  # fmt: skip
        hooks += [norm.register_forward_pre_hook(lambda _, args: calls.append(args[0][0].numpy())) for norm in norms]
    with torch.no_grad():
        output = model(input_ids=torch.tensor([ids]), output_attentions=True, use_cache=False)
        for hook in hooks:
            hook.remove()
        model.set_attn_implementation("sdpa")
        for number, layer in enumerate(layers):
            before, after = calls[2 * number], calls[2 * number + 1]
            weights = output.attentions[number][0].numpy()
            heads = len(weights)
            if hasattr(layer, "self_attn"):
                normed = layer.input_layernorm(torch.tensor(before))
                value = layer.self_attn.v_proj(normed).numpy()
                out = layer.self_attn.o_proj.weight.numpy()
            else:
                size = before.shape[1]
                value = layer.attn.c_attn(layer.ln_1(torch.tensor(before))[None])[0, :, 2 * size :].numpy()
                out = layer.attn.c_proj.weight.numpy().T
            size = out.shape[1] // heads
            groups = value.shape[1] // size
            passed = np.zeros((len(ids), heads, out.shape[0]))
            for token in range(len(ids)):
                for head in range(heads):
                    group = head // (heads // groups)
                    part = value[token, group * size : (group + 1) * size]
                    passed[token, head] = out[:, head * size : (head + 1) * size] @ part
            yield weights, passed, before, after


def traced(layers, weights, rows):
    """Shares of one target, as the paper and its code define them."""
    total = 0.0
    for attention, passed, before, after in layers:
        whole = sum(weight * after[row] for weight, row in zip(weights, rows, strict=True))
        stay = sum(weight * before[row] for weight, row in zip(weights, rows, strict=True))
        size = np.abs(whole).sum()
        near = np.zeros(len(passed))
        for token in range(len(passed)):
            for head in range(len(attention)):
                attended = sum(weight * attention[head, row, token] for weight, row in zip(weights, rows, strict=True))
                near[token] += max(0.0, size - np.abs(attended * passed[token, head] - whole).sum())
        stayed = max(0.0, size - np.abs(stay - whole).sum())
        total = total + near / (near.sum() + stayed)
    return total


@pytest.mark.parametrize("model", ["llama", "gpt2"])
@pytest.mark.parametrize("hops", [0, 1, 2])
def test_sources_have_the_shares_that_flow_into_a_target_and_through_the_answer_before_it(zoo, model, hops):
    method = FlashTrace(model=getattr(zoo, model), hops=hops, device="cpu")
    loaded, context = method.loaded(), context_of(method)
    prompt = context.prompt()
    layers = list(parts(loaded, prompt.ids))
    scores = method.place_scores(DRAFT, [REPORT], PLACES, DRAFT.statements)
    for row, target in zip(scores, DRAFT.statements, strict=True):
        answer_at = prompt.answer_at[context.of(target)]
        earlier = prompt.answer_at[prompt.answer_at < answer_at[0]]
        flowed = traced(layers, [1.0] * len(answer_at), answer_at)
        wanted = np.array([flowed[prompt.owners == source].sum() for source in range(3)])
        ratio = 1.0
        for _ in range(hops if len(earlier) else 0):
            ratio *= flowed[earlier].sum() / flowed.sum()
            flowed = traced(layers, flowed[earlier].tolist(), earlier)
            wanted += ratio * np.array([flowed[prompt.owners == source].sum() for source in range(3)])
        np.testing.assert_allclose(row, wanted, rtol=1e-3, atol=1e-5)
        assert wanted.max() > 0


def test_small_blocks_and_larger_weights_give_the_same_shares(zoo):
    method = FlashTrace(model=zoo.llama, device="cpu")
    loaded, context = method.loaded(), context_of(method)
    prompt = context.prompt()
    weights = np.array([[1.0, 0.5] + [0.0] * (len(prompt.answer_at) - 2)])
    rows = prompt.answer_at.tolist()
    whole, other, tiny = (
        flows(loaded, prompt.ids, rows, factor * weights, block=block)
        for factor, block in ((1, 1 << 20), (7, 1 << 20), (1, 1))
    )
    np.testing.assert_allclose(other, whole, atol=1e-5)
    np.testing.assert_allclose(tiny, whole, atol=1e-5)
    assert (whole[:, prompt.answer_at[2] :] == 0).all()  # nothing flows back
    assert 0 < whole.sum() <= 2.0  # of two layers


def test_a_pass_a_hop_is_enough_for_all_targets_and_none_where_nothing_stands_before(zoo):
    with notes.collect() as noted:
        FlashTrace(model=zoo.llama, hops=2, device="cpu").attribute(DRAFT, [REPORT], "paragraph")
    assert noted.counts["forward passes"] == 3
    first = Draft(TEXT, None, DRAFT.statements, targets=DRAFT.statements[:1])
    with notes.collect() as noted:
        FlashTrace(model=zoo.llama, hops=2, device="cpu").attribute(first, [REPORT], "paragraph")
    assert noted.counts["forward passes"] == 1


def test_rounding_in_half_precision_is_not_taken_for_another_kind_of_model(zoo):
    context = context_of(FlashTrace(model=zoo.llama, device="cpu"))
    prompt = context.prompt()
    weights = np.ones((1, len(prompt.answer_at)))
    whole, half = (
        flows(
            FlashTrace(model=zoo.llama, device="cpu", dtype=dtype).loaded(),
            prompt.ids,
            prompt.answer_at.tolist(),
            weights,
        )
        for dtype in ("float32", "bfloat16")
    )
    np.testing.assert_allclose(half, whole, atol=0.01)


def test_models_whose_states_are_made_otherwise_are_refused(zoo):
    method = FlashTrace(model=zoo.opt, device="cpu")
    with pytest.raises(BackendError, match="does not add the attention's output to its states as it is"):
        method.attribute(DRAFT, [REPORT])
    loaded = FlashTrace(model=zoo.llama, device="cpu").loaded()
    norm = loaded.model.layers[0].post_attention_layernorm
    hook = norm.register_forward_pre_hook(lambda _, args: (2 * args[0],), prepend=True)
    try:
        with pytest.raises(BackendError, match="what flows cannot be told"):
            flows(loaded, [5, 6, 7, 8], [2, 3], np.ones((1, 2)))
    finally:
        hook.remove()
    with pytest.raises(ValueError, match="hops is at least 0"):
        FlashTrace(model=zoo.llama, hops=-1)
