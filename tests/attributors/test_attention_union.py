"""AttnUnionDep without its parse: unions of what answer tokens look at, against hand-made matrices."""

from __future__ import annotations

import numpy as np
import pytest

from citewell.attributors.attention.union import AttnUnion, Look, evidence, masses
from citewell.attributors.places import join
from citewell.attributors.prompts import prompts
from citewell.document import Document
from citewell.errors import BackendError
from citewell.types import Draft, Span

REPORT = Document.from_text("Blood flows through the aorta 😀 in Zürich.\n\nRevenue rose to 41 million. Costs fell.")
TEXT = "Revenue rose. Costs fell."
DRAFT = Draft(TEXT, "What rose?", (Span(0, 13), Span(14, 25)))


def look(weight, number):
    return Look(weight, number, Span(number * 4, number * 4 + 3))


def test_weights_of_one_token_add_up_and_tokens_that_stand_alone_are_left_out():
    looks = {
        Span(0, 3): [look(0.5, 10), look(0.25, 40)],
        Span(4, 7): [look(0.5, 10), look(0.125, 12)],
        Span(8, 9): [look(0.25, 15)],
    }
    assert {number: look.weight for number, look in evidence(looks, 2).items()} == {10: 1.0, 12: 0.125}
    assert sorted(evidence(looks, 3)) == [10, 12, 15]
    assert sorted(evidence(looks, 1)) == [10, 12, 15, 40]  # all stand alone, so all stay


def test_segments_get_the_weights_that_fall_into_them():
    document = Document.from_text("aaa bbb ccc.\n\nddd eee fff.\n\nggg hhh iii.")
    places = join([document], "paragraph")
    starts = {0: 0, 1: 4, 4: 18, 6: 28}
    looks = [Look(weight, number, Span(starts[number], starts[number] + 3))
            for weight, number in ((0.5, 4), (0.25, 0), (0.125, 1))]  # fmt: skip
    assert masses(looks, places).tolist() == [0.375, 0.5, -np.inf]


def eager(loaded, ids):
    import torch

    loaded.model.set_attn_implementation("eager")
    with torch.no_grad():
        output = loaded.model(input_ids=torch.tensor([ids]), output_attentions=True, use_cache=False)
    loaded.model.set_attn_implementation("sdpa")
    return np.stack([layer[0].numpy() for layer in output.attentions])


@pytest.mark.parametrize("model", ["llama", "gpt2"])
@pytest.mark.parametrize(("rows", "shift"), [("predicting", 1), ("own", 0)])
def test_each_token_names_the_strongest_tokens_of_the_mean_of_heads(zoo, model, rows, shift):
    method = AttnUnion(model=getattr(zoo, model), layer=1, strongest=3, rows=rows, device="cpu")
    loaded = method.load("encoder")
    (prompt,) = prompts(loaded, REPORT.text, TEXT, question=DRAFT.question, statements=DRAFT.statements, limit=None)
    weights = eager(loaded, prompt.ids)[1].mean(axis=0)
    looks = method.looks(DRAFT, [REPORT])
    assert list(looks) == [Span(*token) for token in prompt.answer.tolist()]
    for (token, token_looks), row in zip(looks.items(), prompt.answer_at - shift, strict=True):
        wanted = weights[row, prompt.document_at]
        order = np.argsort(-wanted, kind="stable")[:3]
        assert [look.at for look in token_looks] == [Span(*prompt.document[i].tolist()) for i in order], token
        np.testing.assert_allclose([look.weight for look in token_looks], wanted[order], atol=1e-5)


def test_the_last_token_of_an_answer_is_read_before_it_is_written(zoo):
    changed = Draft(TEXT[:-1] + "!", DRAFT.question, DRAFT.statements)
    predicting, from_own_row = (AttnUnion(model=zoo.llama, rows=rows, device="cpu") for rows in ("predicting", "own"))
    before, after = (
        [
            [(look.number, round(look.weight, 5)) for look in token_looks]
            for token_looks in predicting.looks(draft, [REPORT]).values()
        ]
        for draft in (DRAFT, changed)
    )
    assert before == after
    first, second = (list(from_own_row.looks(draft, [REPORT]).values()) for draft in (DRAFT, changed))
    assert [look.weight for look in first[-1]] != [look.weight for look in second[-1]]


def test_spans_are_runs_of_evidence_inside_one_segment(zoo):
    method = AttnUnion(model=zoo.llama, strongest=4, k=5, device="cpu")
    spans = method.attribute(DRAFT, [REPORT], "window")
    whole = {segment.id: segment for segment in REPORT.segments("sentence")}
    assert len(spans) > 2
    for cited in spans:
        assert REPORT.text[cited.start : cited.end] == cited.quote
        segment = whole[cited.segment_id]
        assert segment.start <= cited.start < cited.end <= segment.end
    tokens = method.attribute(DRAFT, [REPORT], "token")
    by_target = {cited.start for cited in tokens if cited.answer_start < 14}
    assert {cited.start for cited in spans if cited.answer_start < 14} <= by_target


def test_an_answer_is_attributed_over_several_prompts(zoo):
    lines = [f"In {1800 + number} the firm sold {number} boats." for number in range(40)]
    document = Document.from_text("\n\n".join(lines))
    looks = AttnUnion(model=zoo.llama, limit=200, device="cpu").looks(DRAFT, [document])
    assert all(len(token_looks) == 2 for token_looks in looks.values())
    assert all(document.text[slice(*look.at)].strip() for token_looks in looks.values() for look in token_looks)


def test_a_layer_that_is_not_there_is_told(zoo):
    with pytest.raises(BackendError, match="layer 2 is not there: the model has the layers 0 to 1"):
        AttnUnion(model=zoo.llama, layer=2, device="cpu").looks(DRAFT, [REPORT])
