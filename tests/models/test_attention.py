"""Rows of attention that were read by blocks are those of eager attention, for every kind of attention."""

from __future__ import annotations

import threading

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="model back ends need torch: pip install 'citewell[local]'")
transformers = pytest.importorskip("transformers", reason="model back ends need transformers")

from citewell.attributors.attention.masses import by_head, summed  # noqa: E402
from citewell.errors import BackendError, notes  # noqa: E402
from citewell.models.attention import Prefix, read_rows  # noqa: E402
from citewell.models.loading import Loaded  # noqa: E402

pytestmark = pytest.mark.models

SMALL = {"hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 48,
         "vocab_size": 300, "max_position_embeddings": 128, "pad_token_id": 0, "bos_token_id": 1,
         "eos_token_id": 2}  # fmt: skip
IDS = np.random.default_rng(0).integers(5, 290, 40).tolist()
ROWS = [17, 20, 39]
KINDS = {
    "each head its keys": ("Llama", {"num_key_value_heads": 4}),
    "two heads a key": ("Llama", {"num_key_value_heads": 2}),
    "all heads one key": ("Llama", {"num_key_value_heads": 1}),
    "a window": ("Mistral", {"num_key_value_heads": 2, "sliding_window": 5}),
    "norms of queries and keys": ("Qwen3", {"num_key_value_heads": 2, "head_dim": 8}),
    "a soft cap and windows": ("Gemma2", {"num_key_value_heads": 2, "head_dim": 8, "sliding_window": 6,
                                          "attn_logit_softcapping": 2.0}),
    "learned positions": ("GPT2", {"n_embd": 32, "n_layer": 3, "n_head": 4}),
}  # fmt: skip


def loaded(kind, **more):
    name, special = KINDS.get(kind, (kind, {}))
    torch.manual_seed(0)
    config = getattr(transformers, f"{name}Config")(**{**SMALL, "initializer_range": 0.3, **special, **more})
    return Loaded(transformers.AutoModel.from_config(config).eval(), None, "cpu", "float32", threading.RLock())


def eager(first, ids=IDS):
    """(layers, heads, rows, keys) weights as the model's own eager code gives them."""
    attn_implementation = first.model.config._attn_implementation
    first.model.set_attn_implementation("eager")
    with torch.no_grad():
        output = first.model(input_ids=torch.tensor([ids]), output_attentions=True, use_cache=False)
    first.model.set_attn_implementation(attn_implementation)
    return np.stack([layer[0].numpy() for layer in output.attentions])


def read(first, rows=ROWS, **more):
    mapping = {}
    read_rows(
        first, IDS, rows, lambda layer, first, weights: mapping.setdefault(layer, []).append((first, weights)), **more
    )
    return {layer: torch.cat([weights for _, weights in parts], dim=1).numpy() for layer, parts in mapping.items()}


def test_no_more_rows_are_held_at_once_than_a_block_has_room_for():
    items, sizes = loaded("two heads a key"), []
    row = 4 * 4 * len(IDS)  # bytes of four heads
    rows = list(range(10, 17))
    read_rows(
        items, IDS, rows, lambda layer, first, weights: sizes.append((layer, first, weights.shape[1])), block=3 * row
    )
    assert sizes == [(layer, first, size) for layer in range(3) for first, size in ((0, 3), (3, 3), (6, 1))]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("block", [1, 1 << 26])
def test_rows_are_those_of_eager_attention_whatever_the_block(kind, block):
    items = loaded(kind)
    attn_implementation = items.model.config._attn_implementation
    document = read(items, block=block)
    assert items.model.config._attn_implementation == attn_implementation
    assert sorted(document) == [0, 1, 2]
    np.testing.assert_allclose(np.stack([document[layer] for layer in range(3)]), eager(items)[:, :, ROWS], atol=1e-5)
    np.testing.assert_allclose(document[2].sum(axis=-1), 1, atol=1e-5)


def test_sinks_take_their_share_of_a_row():
    items = loaded("GptOss", num_key_value_heads=2, head_dim=8, num_local_experts=2, num_experts_per_tok=1,
                 sliding_window=6)  # fmt: skip
    for name, weights in items.model.named_parameters():
        if "experts" in name or "sinks" in name:
            torch.nn.init.normal_(weights, std=0.3)
    document = read(items)
    np.testing.assert_allclose(np.stack([document[layer] for layer in range(3)]), eager(items)[:, :, ROWS], atol=1e-5)
    assert document[0].sum(axis=-1).max() < 1


@pytest.mark.parametrize(("kind", "kept"), [("two heads a key", 15), ("learned positions", 15), ("a window", 0)])
def test_a_prefix_is_read_once_and_the_rows_stay_the_same(kind, kept):
    items = loaded(kind)
    prefix = Prefix(items, IDS[:15])
    assert prefix.size == kept  # a window forgets keys, so its prefix is read again
    wanted = eager(items)[:, :, ROWS]
    for _ in range(2):
        with notes.collect() as noted:
            document = read(items, prefix=prefix)
        np.testing.assert_allclose(np.stack([document[layer] for layer in range(3)]), wanted, atol=1e-5)
        assert noted.counts["tokens"] == len(IDS) - kept


def test_a_pass_for_one_layer_stops_there():
    items = loaded("two heads a key")
    ran = []
    for number, layer in enumerate(items.model.layers):
        layer.register_forward_hook(lambda *_, number=number: ran.append(number))
    document = read(items, layers=frozenset({1}))
    assert list(document) == [1]
    assert ran == [0]  # the second layer was left in its attention
    np.testing.assert_allclose(document[1], eager(items)[1][:, ROWS], atol=1e-5)


def test_masses_are_means_over_rows_and_sums_over_heads_and_owners():
    items = loaded("two heads a key")
    weights = eager(items)
    groups = [np.array([17, 20]), np.array([20, 39])]
    heads = np.array([[1, 0, 0, 2], [0, 0, 0, 0], [0.5, 0, 0, 0]], dtype=np.float32)
    sums = summed(items, IDS, groups, heads)
    for row, group in zip(sums, groups, strict=True):
        wanted = sum(heads[i, h] * weights[i, h, group].mean(axis=0) for i in range(3) for h in range(4))
        np.testing.assert_allclose(row, wanted, atol=1e-5)
    owners = np.repeat([0, -1, 1], [10, 5, 25])
    shares = by_head(items, IDS, groups, owners, 2)
    for number, group in enumerate(groups):
        for owner in (0, 1):
            wanted = weights[:, :, group][..., owners == owner].sum(axis=-1).mean(axis=-1)
            np.testing.assert_allclose(shares[:, :, number, owner], wanted, atol=1e-5)


@pytest.mark.parametrize(
    ("kind", "more", "message"),
    [
        ("Bert", {}, "read from causal language models"),
        ("Bloom", {"n_layer": 2, "n_head": 4}, "BloomModel does not compute its attention through"),
    ],
)
def test_a_model_whose_attention_cannot_be_read_is_refused_in_a_sentence(kind, more, message):
    with pytest.raises(BackendError, match=message):
        read(loaded(kind, **more))
