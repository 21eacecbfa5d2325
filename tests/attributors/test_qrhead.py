"""Retrieval heads: the heads that look at gold paragraphs are ranked first, and a file of heads is what it says."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bench import benchdata
from citewell import cli, registry
from citewell.attributors.attention.icr import ICR
from citewell.attributors.attention.paragraphs import NOTHING, wording
from citewell.attributors.attention.qrhead import Head, QRHead, heads_of, ranked, record
from citewell.errors import BackendError, InputError, SpecError, notes
from citewell_lab.train.heads import on_gold

TEXTS = ["Blood flows through the aorta.", "Revenue rose to 41 million in 2022.", "Costs fell."]
QUERY = "How far did revenue rise?"


def eager(loaded, ids):
    import torch

    loaded.model.set_attn_implementation("eager")
    with torch.no_grad():
        output = loaded.model(input_ids=torch.tensor([ids]), output_attentions=True, use_cache=False)
    loaded.model.set_attn_implementation("sdpa")
    return np.stack([layer[0].numpy() for layer in output.attentions])


def transcribed(method):
    """(layers, heads, paragraphs) sums of a head's attention to each paragraph, less those of no query."""
    loaded = method.load("encoder")
    paragraphs = method.paragraphs(loaded, TEXTS)
    (window,) = paragraphs.windows(QUERY)
    scores = []
    for query in (QUERY, NOTHING):
        layout = paragraphs.layout(window, query)
        rows = eager(loaded, layout.ids)[:, :, layout.query].mean(axis=2)
        scores.append(np.stack([rows[:, :, at].sum(axis=-1) for at in layout.pieces], axis=-1))
    return scores[0] - scores[1]


def test_the_scores_are_means_over_the_chosen_heads(zoo):
    method = QRHead(model=zoo.llama, heads="0-1, 1-3", device="cpu")
    wanted = transcribed(method)
    np.testing.assert_allclose(method.scored([QUERY], TEXTS)[0], (wanted[0, 1] + wanted[1, 3]) / 2, atol=1e-5)


def test_all_heads_without_the_mask_are_in_context_reranking_divided_by_their_number(zoo):
    every = ", ".join(f"{layer}-{head}" for layer in range(2) for head in range(4))
    scores = QRHead(model=zoo.llama, heads=every, device="cpu").scored([QUERY], TEXTS)
    icr = ICR(model=zoo.llama, outliers=None, device="cpu").scored([QUERY], TEXTS)
    np.testing.assert_allclose(scores, icr / 8, atol=1e-5)


def test_a_head_is_scored_by_what_it_gives_to_gold_paragraphs(zoo):
    method = QRHead(model=zoo.llama, heads="0-0", device="cpu")
    wanted = transcribed(method)[:, :, [0, 2]].sum(axis=-1)
    np.testing.assert_allclose(on_gold(method, QUERY, TEXTS, frozenset({0, 2})), wanted, atol=1e-5)


def test_the_head_that_favours_gold_is_ranked_first_and_equals_keep_their_order():
    means = np.array([[0.1, 0.3], [0.1, 0.2]], dtype=np.float32)
    assert [head for head, _ in ranked(means)] == [Head(0, 1), Head(1, 1), Head(0, 0), Head(1, 0)]


def test_a_file_of_heads_is_read_back_and_other_words_of_the_prompt_are_told(tmp_path):
    path = tmp_path / "heads.json"
    chosen = record([(Head(3, 1), 0.5), (Head(0, 2), 0.25), (Head(1, 1), 0.1)], 2, model="m")
    path.write_text(json.dumps(chosen), encoding="utf-8")
    with notes.collect() as noted:
        assert heads_of(str(path)) == (Head(3, 1), Head(0, 2))
    assert noted.warnings == []
    assert chosen["wording"] == wording()
    path.write_text(json.dumps({**chosen, "wording": "other"}), encoding="utf-8")
    with notes.collect() as noted:
        heads_of(str(path))
    assert "chosen with a prompt of other words" in noted.warnings[0]


@pytest.mark.parametrize("text", ["{}", "[1]", "no json", "[" * 100_000, '{"format": "x", "heads": [[0, 0]]}',
                                  '{"format": "citewell-heads-1", "heads": [], "wording": ""}',
                                  '{"format": "citewell-heads-1", "heads": [["a", 1]], "wording": ""}'])  # fmt: skip
def test_a_file_that_is_none_is_refused(tmp_path, text):
    path = tmp_path / "heads.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError):
        heads_of(str(path))


def test_a_superscript_is_no_number_of_a_head():
    with pytest.raises(InputError, match="cannot be read"):
        heads_of("1-\u00b2")


def test_heads_that_are_missing_or_not_there_are_told(zoo):
    with pytest.raises(SpecError, match="name the heads"):
        registry.build("attributor", f"qrhead(model={zoo.llama})")
    with pytest.raises(BackendError, match="head 7-0 is not there: the model has 2 layers of 4 heads"):
        QRHead(model=zoo.llama, heads="7-0", device="cpu").scored([QUERY], TEXTS)
    with pytest.raises(InputError, match="cannot be read"):
        QRHead(model=zoo.llama, heads="none.json", device="cpu").scored([QUERY], TEXTS)


def test_the_command_chooses_heads_and_prints_the_spec_that_uses_them(zoo, tmp_path, capsys):
    benchdata.quotesum(tmp_path)
    out = tmp_path / "heads.json"
    arguments = ["--task", "quotesum", "--data", str(tmp_path), "--split", "dev", "--heads", "3", "--out", str(out)]
    assert cli.main(["train", "select-heads", f"qrhead(model={zoo.llama})", *arguments, "--quiet"]) == 0
    spec = capsys.readouterr().out.strip().splitlines()[-1]
    chosen = json.loads(out.read_text(encoding="utf-8"))
    assert len(chosen["heads"]) == 3
    assert len(chosen["scores"]) == 8
    assert chosen["model"] == zoo.llama
    assert {"checksums", "versions", "wording", "split"} <= set(chosen)
    built = registry.build("attributor", spec)
    assert heads_of(built.heads) == tuple(Head(*head) for head in chosen["heads"])
    assert cli.main(["train", "select-heads", "lexical", *arguments]) == 2
    assert "not of 'lexical'" in capsys.readouterr().err
