from __future__ import annotations

import logging
import re
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell import cli, registry
from citewell.errors import AuthenticationError, BackendError, MissingExtraError, UnknownModelError, notes
from citewell.models import classify, faults, loading, seq2seq
from citewell.models.batches import batches
from citewell.models.offsets import encode, inside, trimmed
from citewell.models.states import kept_layers, layer_number, token_states
from citewell_lab.papers.hidden_states.grid import embeds_position

TEXTS = st.text(alphabet=st.sampled_from("abc XYZ .,é😀👩東京ﬁ①\n\t\u00a0ñ̃"), max_size=40)


@given(st.lists(st.integers(0, 500), max_size=60), st.integers(1, 8), st.integers(1, 900))
def test_batches_hold_every_item_once_longest_first_within_the_limits(lengths, size, tokens):
    groups = [group.tolist() for group in batches(lengths, size, tokens)]
    flat = [item for group in groups for item in group]
    assert sorted(flat) == list(range(len(lengths)))
    assert [lengths[item] for item in flat] == sorted(lengths, reverse=True)
    for group in groups:
        assert len(group) <= size
        assert len(group) == 1 or max(lengths[item] for item in group) * len(group) <= tokens


def test_white_space_is_no_part_of_a_token():
    assert trimmed("a  b", [(0, 1), (1, 4), (1, 2), (0, 0)]).tolist() == [[0, 1], [3, 4], [0, 0], [0, 0]]


@pytest.mark.parametrize("name", ["encoder", "docnli", "gpt2", "llama", "t5"])
def test_offsets_are_exact_for_every_kind_of_tokenizer(zoo, name):
    kind = {"docnli": "classifier", "t5": "seq2seq"}.get(name, "encoder")
    tokenizer = loading.load(kind, getattr(zoo, name), placement=loading.Placement("cpu")).tokenizer

    @given(text=TEXTS)
    def check(text):
        _, offsets = encode(tokenizer, text, special=True)
        covered = set()
        for start, end in offsets.tolist():
            assert 0 <= start <= end <= len(text)
            assert text[start:end] == text[start:end].strip()
            covered.update(range(start, end))
        assert offsets[:, 0].tolist() == sorted(offsets[:, 0].tolist()) or (offsets[:, 1] == 0).any()
        if name != "encoder":  # BERT's normalizer drops some marks; the others keep every character
            kept = {place for place, char in enumerate(text) if not char.isspace() and char != "\u0303"}
            assert kept <= covered

    check()


@pytest.mark.parametrize("name", ["gpt2", "llama"])
def test_a_character_of_several_bytes_is_never_cut(zoo, name):
    tokenizer = loading.load("encoder", getattr(zoo, name), placement=loading.Placement("cpu")).tokenizer
    text = "  ab 🦊é東 c"
    _, offsets = encode(tokenizer, text, special=True)
    at = inside(offsets, text.index("🦊"), text.index("🦊") + 1)
    assert len(at) > 1
    assert {text[start:end] for start, end in offsets[at].tolist()} <= {"🦊", "🦊é", "é"}
    assert len(inside(offsets, 0, 2)) == 0


@pytest.mark.parametrize("name", ["encoder", "docnli", "gpt2", "llama", "opt", "t5"])
def test_a_pass_that_stops_at_a_layer_sees_what_the_library_reports(zoo, name):
    torch = loading.import_torch()
    loaded = loading.load("encoder", getattr(zoo, name), placement=loading.Placement("cpu"))
    model = loaded.model.get_encoder() if loaded.model.config.is_encoder_decoder else loaded.model
    ids = [[3, 5, 7, 9, 11], [4, 6]]
    for layer in range(3):
        result = token_states(loaded, ids, layer)
        for identifier, states in zip(ids, result, strict=True):
            with torch.inference_mode():
                wanted = model(input_ids=torch.tensor([identifier]), output_hidden_states=True).hidden_states[layer][0]
            np.testing.assert_allclose(states, wanted.numpy(), rtol=1e-3, atol=1e-4)


def test_a_layer_that_is_not_there_is_refused(zoo):
    loaded = loading.load("encoder", zoo.encoder, placement=loading.Placement("cpu"))
    assert layer_number(loaded, -1) == 2
    assert layer_number(loaded, 0) == 0
    with pytest.raises(BackendError, match="layers 0 to 2"):
        layer_number(loaded, 3)
    with pytest.raises(BackendError, match="layers 0 to 2"):
        layer_number(loaded, -4)


def test_a_model_is_loaded_once(zoo):
    first = loading.load("encoder", zoo.encoder, placement=loading.Placement("cpu"))
    assert loading.load("encoder", zoo.encoder, placement=loading.Placement("cpu")).model is first.model
    assert loading.load("classifier", zoo.nli, placement=loading.Placement("cpu")).model is not first.model


@pytest.mark.models
@pytest.mark.parametrize("name", ["/no/such/model", "./missing", "", "nobody/has-this-model"])
def test_a_model_that_is_not_found_is_one_clear_line(name):
    pytest.importorskip("transformers")
    for kind in ("encoder", "classifier", "seq2seq"):
        with pytest.raises(BackendError) as caught:
            loading.load(kind, name, placement=loading.Placement("cpu"))
        assert "\n" not in str(caught.value)
        assert name in str(caught.value)


@pytest.mark.models
def test_a_hub_that_cannot_be_reached_is_one_sentence_of_bad_input(tmp_path, capsys):
    report = tmp_path / "report.txt"
    report.write_text("Costs fell.")
    for runtime in ("torch", "onnx"):
        spec = f"nli(model=nobody/has-this, runtime={runtime})"
        assert cli.main(["check", str(report), "Costs fell.", "--checker", spec]) == 2
        assert capsys.readouterr().err == (
            "citewell: the model 'nobody/has-this' is not on this machine, and the hub cannot be reached: "
            "name the folder of one\n"
        )


def hub_error(name, *bases):
    """An error of the hub's client, wrapped as transformers does."""
    wrapped = OSError("a page of advice\nand more")
    wrapped.__cause__ = type(name, bases or (OSError,), {})("whatever")
    return wrapped


@pytest.mark.parametrize(("error", "kind", "says"), [
    (hub_error("RepositoryNotFoundError"), UnknownModelError, "no model 'a/b': it is no folder here, and the hub has none of this name"),
    (hub_error("GatedRepoError", type("RepositoryNotFoundError", (OSError,), {})), AuthenticationError, "the hub provides the model 'a/b' only after a login: hf auth login"),
    (hub_error("RevisionNotFoundError"), UnknownModelError, "the hub has the model 'a/b', but not this revision"),
    (hub_error("HFValidationError"), UnknownModelError, "no model 'a/b': it is no folder here, and no name of the hub"),
    (OSError("out of memory\nat line 3"), BackendError, "the model 'a/b' could not be loaded: out of memory"),
])  # fmt: skip
def test_what_the_hub_says_is_told_in_one_sentence(error, kind, says):
    fault = faults.explain("a/b", error)
    assert (type(fault), str(fault)) == (kind, says)


@pytest.mark.models
def test_while_a_model_is_loaded_the_hub_says_nothing_of_its_retries():
    hub = logging.getLogger("huggingface_hub.utils._http")
    before = hub.isEnabledFor(logging.WARNING)
    with loading.quiet():
        assert not hub.isEnabledFor(logging.WARNING)
    assert hub.isEnabledFor(logging.WARNING) == before


def test_a_folder_without_a_model_is_one_clear_line(tmp_path):
    pytest.importorskip("sentence_transformers")
    for load in (loading.load_sentence_encoder, lambda path: loading.load("encoder", path)):
        with pytest.raises(UnknownModelError) as caught:
            load(str(tmp_path))
        assert str(caught.value) == f"no model at {str(tmp_path)!r}: there is no config.json"
    with pytest.raises(UnknownModelError, match="no model at"):
        loading.load_sentence_encoder(str(tmp_path / "no"), placement=loading.Placement("cpu"))


def test_a_device_or_number_type_that_is_not_there_is_refused(zoo):
    if not loading.import_torch().cuda.is_available():
        with pytest.raises(BackendError, match="no GPU"):
            loading.load("encoder", zoo.encoder, placement=loading.Placement("cuda"))
    with pytest.raises(BackendError, match="float32"):
        loading.load("encoder", zoo.encoder, placement=loading.Placement("cpu", "int8"))


def test_the_context_is_what_model_and_user_allow(zoo):
    assert loading.context_length(loading.load("encoder", zoo.encoder, placement=loading.Placement("cpu"))) == 128
    assert loading.context_length(loading.load("encoder", zoo.encoder, placement=loading.Placement("cpu")), 64) == 64
    assert (
        loading.context_length(loading.load("classifier", zoo.docnli, placement=loading.Placement("cpu"))) == 128
    )  # 130 less 2
    assert loading.context_length(loading.load("seq2seq", zoo.t5, placement=loading.Placement("cpu"))) == 2048
    assert loading.context_length(loading.load("encoder", zoo.gpt2, placement=loading.Placement("cpu"))) == 192


def test_encoders_are_told_from_causal_models(zoo):
    observed = {name: loading.bidirectional(loading.load("encoder", getattr(zoo, name), placement=loading.Placement("cpu"))) for name in
            ("encoder", "docnli", "t5", "gpt2", "opt", "llama")}  # fmt: skip
    assert observed == {"encoder": True, "docnli": True, "t5": True, "gpt2": False, "opt": False, "llama": False}


def test_a_repeated_pair_is_judged_once_and_padding_changes_nothing(zoo):
    loaded = loading.load("classifier", zoo.nli, placement=loading.Placement("cpu"))
    pairs = [
        ("Revenue rose.", "Costs fell."),
        ("A much longer text " * 6, "Costs fell."),
        ("Revenue rose.", "Costs fell."),
    ]
    with notes.collect() as noted:
        logits = classify.logits(loaded, pairs, size=2)
    assert noted.counts["model pairs"] == 2
    np.testing.assert_array_equal(logits[0], logits[2])
    for pair, row in zip(pairs, logits, strict=True):
        np.testing.assert_allclose(classify.logits(loaded, [pair])[0], row, rtol=1e-3, atol=1e-4)


def test_what_is_too_long_is_cut_from_the_premise_and_not_from_the_claim(zoo):
    loaded = loading.load("classifier", zoo.nli, placement=loading.Placement("cpu"))
    premise = "one two three " * 200
    ends = [classify.logits(loaded, [(premise + tail, "claim")])[0] for tail in ("x", "y y y")]
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-5)
    claims = [classify.logits(loaded, [(premise, claim)])[0] for claim in ("costs", "aorta")]
    assert np.abs(claims[0] - claims[1]).max() > 1e-3


def test_probabilities_of_whole_replies_are_those_of_their_tokens_in_turn(zoo):
    torch = loading.import_torch()
    loaded = loading.load("seq2seq", zoo.t5, placement=loading.Placement("cpu"))
    prompts = ["Claim: a Reference: b", "Claim: something much longer than that"]
    scores = seq2seq.reply_scores(loaded, prompts, ("true", "0"))
    for prompt, row in zip(prompts, scores, strict=True):
        inputs = loaded.tokenizer(prompt, return_tensors="pt")
        for reply, value in zip(("true", "0"), row, strict=True):
            labels = loaded.tokenizer(reply, return_tensors="pt")["input_ids"]
            with torch.inference_mode():
                loss = loaded.model(**inputs, labels=labels).loss
            assert value == pytest.approx(-float(loss) * labels.shape[1], rel=1e-3)
    first = seq2seq.first_token(loaded, prompts)
    np.testing.assert_allclose(np.exp(first).sum(axis=1), 1, rtol=1e-4)


def test_a_text_is_cut_between_characters(zoo):
    loaded = loading.load("seq2seq", zoo.t5, placement=loading.Placement("cpu"))
    text = "Revenue rose 😀 to 41 million in 東京."
    for room in range(1, 12):
        assert text.startswith(seq2seq.cut(loaded, text, room))
    assert seq2seq.cut(loaded, text, 500) == text


def test_remarks_reach_every_collector_and_nobody_else():
    notes.warn("unheard")
    with notes.collect() as outer:
        notes.count("calls", 2)
        with notes.collect() as inner:
            notes.warn("heard")
            notes.warn("heard")
            notes.count("calls")
    assert outer.warnings == inner.warnings == ["heard"]
    assert (outer.counts["calls"], inner.counts["calls"]) == (3, 1)


@pytest.mark.parametrize("name", ["encoder", "gpt2", "opt", "llama", "t5"])
def test_one_pass_gives_all_layers_as_separate_passes_do(zoo, name):
    loaded = loading.load("encoder", getattr(zoo, name), placement=loading.Placement("cpu"))
    sequences = [[5, 6, 7, 8], [9, 10], [5, 6, 7, 8]]
    layers = range(layer_number(loaded, -1) + 1)
    apart = [token_states(loaded, sequences, layer) for layer in layers]
    with notes.collect() as noted, kept_layers():
        together = [token_states(loaded, sequences, layer) for layer in layers]
    for wanted, result in zip(apart, together, strict=True):
        for left, right in zip(wanted, result, strict=True):
            np.testing.assert_allclose(left, right, atol=1e-5)
    assert noted.counts["forward passes"] == 2  # equal sequences and further layers cost none
    assert len(token_states(loaded, sequences, 1)) == 3  # outside nothing is kept


@pytest.mark.parametrize(
    ("name", "known"), [("encoder", True), ("gpt2", True), ("opt", True), ("llama", False), ("t5", False)]
)
def test_whether_layer_0_knows_the_position_is_seen_from_the_model(zoo, name, known):
    assert embeds_position(loading.load("encoder", getattr(zoo, name), placement=loading.Placement("cpu"))) is known


@pytest.mark.parametrize("device_map", ["cpu", "auto"])
def test_a_model_that_transformers_places_has_the_states_of_one_that_we_place(zoo, device_map):
    if loading.import_torch().cuda.is_available():
        pytest.skip("compares numbers of one device")
    plain, placed = (
        loading.load("encoder", zoo.llama, placement=loading.Placement("cpu", "float32", chosen))
        for chosen in (None, device_map)
    )
    assert placed.model is not plain.model
    assert placed.device == "cpu"
    for layer in (0, 1, -1):
        ours, theirs = (token_states(loaded, [[5, 6, 7]], layer)[0] for loaded in (plain, placed))
        np.testing.assert_allclose(theirs, ours, atol=1e-6)


def test_quantised_weights_without_their_package_are_told_in_one_sentence(zoo, monkeypatch):
    monkeypatch.setitem(sys.modules, "bitsandbytes", None)
    spec = registry.build("attributor", f"hidden-states(model={zoo.llama}, quantize=4bit, device=cpu)")
    text = "quantize=4bit needs the package 'bitsandbytes': pip install 'citewell[quantized]'"
    with pytest.raises(MissingExtraError, match=f"^{re.escape(text)}$"):
        spec.load("encoder")


def test_placements_that_make_no_sense_are_refused(zoo):
    with pytest.raises(BackendError, match="quantize is 8bit or 4bit, not '3bit'"):
        loading.load("encoder", zoo.llama, placement=loading.Placement(quantize="3bit"))
    with pytest.raises(BackendError, match="runs whole on one device"):
        loading.load_sentence_encoder(zoo.sentence_encoder, placement=loading.Placement(device_map="auto"))


@pytest.mark.slow
@pytest.mark.parametrize("quantize", ["8bit", "4bit"])
def test_quantised_weights_are_near_the_whole_ones(zoo, quantize):
    pytest.importorskip("bitsandbytes")
    plain, small = (
        loading.load("encoder", zoo.wide_llama, placement=loading.Placement("cpu", "float32", None, chosen))
        for chosen in (None, quantize)
    )
    linear = small.model.layers[0].mlp.up_proj
    assert type(linear).__module__.startswith("bitsandbytes")
    ours, theirs = (token_states(loaded, [[5, 6, 7]], 1)[0] for loaded in (plain, small))
    cosines = (ours * theirs).sum(axis=1) / np.linalg.norm(ours, axis=1) / np.linalg.norm(theirs, axis=1)
    assert cosines.min() > 0.9
    assert not np.array_equal(ours, theirs)
