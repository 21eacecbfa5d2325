"""MIRAGE against its definition, written out with finite differences, and its thresholds on numbers done by hand."""

from __future__ import annotations

import numpy as np
import pytest

from citewell.attributors.contexts import contexts
from citewell.attributors.gradient.mirage import Mirage, changed, cues
from citewell.attributors.places import join
from citewell.attributors.sourced import sums
from citewell.document import Document
from citewell.errors import notes
from citewell.types import Draft, Span

REPORT = Document.from_text("Blood flows through the aorta 😀 in Zürich.\n\nRevenue rose to 41 million.\n\nCosts fell.")
TEXT = "Revenue rose. Costs fell."
DRAFT = Draft(TEXT, "What rose?", (Span(0, 13), Span(14, 25)))
PLACES = join([REPORT], "paragraph")


def context_of(method):
    (context,) = contexts(method.loaded(), DRAFT, [REPORT], PLACES, None)
    return context


def chances(loaded, prompt, inputs=None):
    import torch

    with torch.no_grad():
        model_inputs = {"input_ids": torch.tensor([prompt.ids])} if inputs is None else {"inputs_embeds": inputs}
        logits = loaded.model(**model_inputs).logits[0].double()
    return torch.log_softmax(logits, dim=-1).numpy()[prompt.answer_at - 1]


@pytest.mark.parametrize("model", ["llama", "gpt2"])
def test_the_divergence_is_of_what_could_stand_there_with_the_sources_from_what_could_without(zoo, model):
    method = Mirage(model=getattr(zoo, model), device="cpu")
    loaded, context = method.loaded(), context_of(method)
    divergence, likeliest = changed(loaded, context)
    full = chances(loaded, context.prompt())
    bare = chances(loaded, context.prompt(np.zeros(3, dtype=bool)))
    for token in range(len(context.ids)):
        wanted = sum(
            np.exp(full[token, other]) * (full[token, other] - bare[token, other]) for other in range(full.shape[1])
        )
        assert divergence[token] == pytest.approx(wanted, abs=1e-5)
        assert likeliest[token] == int(bare[token].argmax())


def test_values_within_the_top_of_the_range_are_kept_or_so_many_of_the_strongest():
    none = -np.inf
    values = np.array([[1.0, 2.0, none, 1.95, 0.0], [5.0, 5.0, none, 5.0, 5.0]])
    assert cues(values, 0.05, None).tolist() == [[0, 2.0, 0, 1.95, 0], [5, 5, 0, 5, 5]]
    assert cues(values, 0.02, None).tolist() == [[0, 2.0, 0, 0, 0], [5, 5, 0, 5, 5]]
    assert cues(values[:1], 0.05, 3).tolist() == [[1.0, 2.0, 0, 1.95, 0]]
    assert cues(values[:1], 0.05, 9).tolist() == [[1.0, 2.0, 0, 1.95, 0]]


@pytest.mark.parametrize("model", ["llama", "gpt2"])
@pytest.mark.parametrize(("deviations", "strongest"), [(-9.0, None), (0.0, None), (0.0, 2)])
def test_sources_have_the_gradients_of_the_difference_from_what_would_stand_there_without(
    zoo, model, deviations, strongest
):
    import torch

    method = Mirage(model=getattr(zoo, model), deviations=deviations, share=0.3, strongest=strongest, device="cpu")
    loaded, context = method.loaded(), context_of(method)
    prompt = context.prompt()
    divergence, likeliest = changed(loaded, context)
    mean = sum(divergence) / len(divergence)
    least = mean + deviations * (sum((value - mean) ** 2 for value in divergence) / len(divergence)) ** 0.5
    wanted = np.zeros((2, 3))
    inputs = loaded.model.get_input_embeddings()(torch.tensor([prompt.ids])).detach()
    for number, target in enumerate(DRAFT.statements):
        for token in context.of(target).tolist():
            if divergence[token] < least:
                continue
            leaf = inputs.clone().requires_grad_()
            logits = loaded.model(inputs_embeds=leaf).logits[0, prompt.answer_at[token] - 1]
            likely = torch.log_softmax(logits.float(), dim=-1)
            value = likely[context.ids[token]]
            if likeliest[token] != context.ids[token]:
                value = value - likely[int(likeliest[token])]
            value.backward()
            sizes = {
                at: sum(float(part) ** 2 for part in leaf.grad[0, at]) ** 0.5
                for at in range(len(prompt.ids))
                if prompt.owners[at] >= 0
            }
            top, low = max(sizes.values()), min(sizes.values())
            bound = top - 0.3 * (top - low) if strongest is None else sorted(sizes.values())[-strongest]
            for at, size in sizes.items():
                if size >= bound - 1e-9:
                    wanted[number, prompt.owners[at]] += size
    scores = method.place_scores(DRAFT, [REPORT], PLACES, DRAFT.statements)
    np.testing.assert_allclose(np.where(np.isfinite(scores), scores, 0), wanted, rtol=1e-3, atol=1e-6)
    assert (np.isfinite(scores) == (wanted > 0)).all()
    assert wanted.sum() > 0


def test_an_answer_that_the_sources_do_not_change_is_not_cited_and_costs_no_backward_pass(zoo):
    with notes.collect() as noted:
        assert Mirage(model=zoo.llama, deviations=99.0, device="cpu").attribute(DRAFT, [REPORT]) == ()
    assert "backward passes" not in noted.counts
    assert noted.counts["forward passes"] == 2


def test_values_are_added_up_by_source_and_nobodys_are_left_out():
    values = np.array([[1.0, 2.0, 4.0, 8.0], [1.0, 1.0, 1.0, 1.0]])
    assert sums(values, np.array([1, -1, 0, 1]), 3).tolist() == [[4.0, 9.0, 0.0], [1.0, 2.0, 0.0]]


def test_settings_that_make_no_sense_are_refused(zoo):
    for wrong in ({"share": 1.5}, {"share": -0.1}, {"strongest": 0}):
        with pytest.raises(ValueError, match="share lies between 0 and 1"):
            Mirage(model=zoo.llama, **wrong)
