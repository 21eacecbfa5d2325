"""Models without torch: the same tokens, the same scores, and one sentence where something is missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citewell import Document, registry
from citewell.errors import BackendError, MissingExtraError, SpecError, UsageError
from citewell.models import exporting, forward, loading, portable
from citewell.models.loading import Placement
from citewell.models.onnx import folder
from citewell.models.onnx.session import load
from citewell.models.onnx.tokenizer import Tokenizer, cut
from citewell.protocols import Pair

pytest.importorskip("onnxruntime", reason="needs pip install 'citewell[onnx]'")
TEXTS = ["Revenue rose to 41 million in 2022.", "Costs fell.", "naïve café 東京 😀 " * 9, "a"]
DOCUMENT = Document.from_text("The company was founded in 1990. Revenue rose to 41 million. Costs fell by 2%.")


def fast(path):
    transformers = pytest.importorskip("transformers")
    return transformers.AutoTokenizer.from_pretrained(path)


def ours(path):
    import tokenizers

    return Tokenizer(tokenizers, Path(path), None)


@pytest.mark.parametrize("name", ["encoder", "docnli", "t5"])
def test_tokens_are_those_of_transformers_whatever_is_cut(zoo, name):
    path = getattr(zoo, name)
    theirs, mine = fast(path), ours(path)

    @settings(deadline=None, max_examples=60)
    @given(
        st.sampled_from([text for text in TEXTS if text.strip()]),
        st.sampled_from([None, *TEXTS]),
        st.integers(8, 60),
        st.sampled_from([False, True, "only_first", "only_second", "longest_first"]),
    )
    def check(first, second, most, strategy):
        if strategy == "only_second" and second is None:
            return
        # What transformers refuses (nothing would be left of the text that is cut) is nothing to compare.
        alone = [len(theirs(text, add_special_tokens=False)["input_ids"]) for text in (first, second) if text]
        if strategy in ("only_first", "only_second") and second and max(alone) + 4 > most:
            return
        texts = (first,) if second is None else (first, second)
        wanted = theirs(*texts, truncation=strategy, max_length=most if strategy else None, verbose=False)
        result = mine(*texts, truncation=strategy, max_length=most if strategy else None)
        assert result["input_ids"] == wanted["input_ids"]
        assert result["attention_mask"] == wanted["attention_mask"]
        if "token_type_ids" in wanted:
            assert result["token_type_ids"] == wanted["token_type_ids"]

    check()


def test_of_two_texts_the_longer_is_cut_until_both_are_as_long():
    assert cut([3, 4], 10, "True") == [3, 4]
    assert cut([9], 4, "True") == [4]
    assert cut([8, 3], 7, "longest_first") == [4, 3]
    assert cut([3, 8], 7, "longest_first") == [3, 4]
    assert cut([8, 8], 7, "longest_first") == [3, 4]
    assert cut([8, 3], 7, "only_first") == [4, 3]
    assert cut([8, 3], 9, "only_second") == [8, 1]
    assert cut([8, 3], 2, "only_first") == [0, 3]


def test_short_texts_are_filled_up_on_the_side_that_the_model_says(zoo, tmp_path):
    for side, row in (("right", [1, 1, 0]), ("left", [0, 1, 1])):
        place = tmp_path / side
        place.mkdir()
        (place / "tokenizer.json").write_bytes((Path(zoo.encoder) / "tokenizer.json").read_bytes())
        payload = json.loads((Path(zoo.encoder) / "tokenizer_config.json").read_text())
        (place / "tokenizer_config.json").write_text(json.dumps(payload | {"padding_side": side}))
        items = [{"input_ids": [2, 9, 3], "token_type_ids": [0, 0, 0], "attention_mask": [1, 1, 1]},
                 {"input_ids": [2, 3], "token_type_ids": [0, 0], "attention_mask": [1, 1]}]  # fmt: skip
        assert ours(place).padded(items)["attention_mask"].tolist() == [[1, 1, 1], row]


@pytest.fixture(scope="session")
def exported(zoo, tmp_path_factory):
    pytest.importorskip("onnxscript")
    mapping = {}

    def of(name):
        if name not in mapping:
            mapping[name] = exporting.export(
                getattr(zoo, name), tmp_path_factory.mktemp("onnx") / name, int8=name == "nli"
            )
        return str(mapping[name].folder)

    of.made = mapping
    return of


def verdicts(spec):
    pairs = [Pair(claim, (DOCUMENT,)) for claim in ("Revenue rose.", "Costs rose by 2%.", "It was founded in 1990.")]
    return [(verdict.label, verdict.score) for verdict in registry.build("checker", spec).check(pairs)]


def same(torch, onnx):
    assert [label for label, _ in torch] == [label for label, _ in onnx]
    np.testing.assert_allclose([score for _, score in onnx], [score for _, score in torch], atol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "name"),
    [("nli", "nli"), ("docnli(premise=windows, entailment=2)", "nli"), ("minicheck", "plain_t5"), ("true", "plain_t5"), ("attrscore", "plain_t5")],
)  # fmt: skip
def test_checkers_give_the_scores_of_torch(zoo, exported, spec, name):
    with_model = f"{spec[:-1]}, model=" if spec.endswith(")") else f"{spec}(model="
    same(verdicts(f"{with_model}{getattr(zoo, name)}, device=cpu)"), verdicts(f"{with_model}{exported(name)})"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "name"),
    [("dense", "sentence_encoder"), ("cross-encoder", "cross_encoder"), ("monot5", "plain_t5")],
)  # fmt: skip
def test_retrievers_rank_as_on_torch(zoo, exported, spec, name):
    with_model = f"{spec[:-1]}, model=" if spec.endswith(")") else f"{spec}(model="
    segments = DOCUMENT.segments("sentence")
    torch, onnx = (
        registry.build("retriever", f"{with_model}{path})").rank("How far did costs fall?", segments)
        for path in (getattr(zoo, name), exported(name))
    )
    assert [hit.position for hit in torch] == [hit.position for hit in onnx]
    np.testing.assert_allclose([hit.score for hit in onnx], [hit.score for hit in torch], atol=1e-4)


def test_states_are_pooled_over_what_is_text():
    states = np.array([[[1.0, 8.0], [3.0, 2.0], [9.0, 9.0]], [[5.0, 1.0], [7.0, 3.0], [0.0, 5.0]]], dtype=np.float32)
    right, left = np.array([[1, 1, 0], [1, 1, 1]]), np.array([[0, 1, 1], [1, 1, 1]])

    def vectors(pooling, mask):
        return forward.pooled(states, mask, pooling).tolist()

    assert vectors("mean", right) == [[2, 5], [4, 3]]
    assert vectors("mean", left) == [[6, 5.5], [4, 3]]
    assert vectors("max", right) == [[3, 8], [7, 5]]
    assert vectors("cls", right) == [[1, 8], [5, 1]]
    assert vectors("last", right) == [[3, 2], [0, 5]]
    assert vectors("last", left) == [[9, 9], [0, 5]]


@pytest.mark.slow
def test_an_export_tells_its_difference_and_eight_bits_are_taken_when_asked(exported):
    place = exported("nli")
    nli = exported.made["nli"]
    assert nli.kind == "classifier"
    assert 0 <= nli.difference <= exporting.TOLERANCE < nli.small
    assert nli.size["model_int8.onnx"] < nli.size["model.onnx"]
    exact, rough = (verdicts(f"nli(model={place}{more})") for more in ("", ", quantize=8bit"))
    assert [score for _, score in exact] != [score for _, score in rough]
    with pytest.raises(UsageError, match="exists already"):
        exporting.export(place, place)


@pytest.mark.slow
def test_a_model_is_used_where_neither_torch_nor_transformers_can_be_imported(exported, tmp_path):
    (tmp_path / "report.txt").write_text("Revenue rose to 41 million. Costs fell by 2%.")
    code = (
        "import sys\n"
        "for name in ('torch', 'transformers', 'sentence_transformers'): sys.modules[name] = None\n"
        "from citewell.cli import main\n"
        f"sys.exit(main(['check', 'report.txt', 'Costs fell.', '--checker', 'nli(model={exported('nli')})', '--json']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False, env=os.environ
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["verdicts"][0]["method"].startswith("nli")


def test_auto_takes_the_graph_only_where_torch_has_no_weights(zoo, tmp_path):
    assert portable.runtime(zoo.nli, "auto") == "torch"
    (tmp_path / "model.onnx").write_bytes(b"")
    assert portable.runtime(str(tmp_path), "auto") == "onnx"
    assert portable.runtime(str(tmp_path / "model.onnx"), "auto") == "onnx"
    (tmp_path / "model.safetensors").write_bytes(b"")
    assert portable.runtime(str(tmp_path), "auto") == "torch"
    assert portable.runtime(str(tmp_path), "onnx") == "onnx"


def test_what_is_missing_or_damaged_is_one_sentence(zoo, tmp_path, monkeypatch):
    with pytest.raises(BackendError, match=r"has no graph \(model.onnx, onnx/model.onnx\): citewell export-onnx"):
        registry.build("checker", f"nli(model={zoo.nli}, runtime=onnx)").check([Pair("A.", (DOCUMENT,))])
    with pytest.raises(BackendError, match="the file does not exist"):
        load(str(tmp_path / "no.onnx"))
    (tmp_path / "model.onnx").write_bytes(b"no graph")
    with pytest.raises(BackendError, match=r"has no config\.json"):
        load(str(tmp_path))
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(BackendError, match="cannot be read"):
        load(str(tmp_path))
    (tmp_path / "config.json").write_text('{"num_labels": 3}')
    assert folder.settings(tmp_path).id2label == {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}
    with pytest.raises(BackendError, match="could not be loaded"):
        load(str(tmp_path))
    for setting in (Placement(device_map="auto"), Placement(quantize="4bit"), Placement(dtype="float16")):
        with pytest.raises(BackendError, match="whole on one device"):
            portable.load(str(tmp_path), None, setting)
    with pytest.raises(BackendError, match="not 'mps'"):
        load(str(tmp_path), device="mps")
    with pytest.raises(SpecError, match="runtime is auto, torch, onnx, not 'jax'"):
        registry.build("checker", "nli(runtime=jax)")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(
        MissingExtraError,
        match=r"^a model without torch needs the package 'onnxruntime': pip install 'citewell\[onnx\]'$",
    ):
        load(str(tmp_path))


@pytest.mark.parametrize(
    ("modules", "pooling", "expected"),
    [
        (None, None, ("mean", False)),
        (["Transformer", "Pooling", "Normalize"], {"pooling_mode_mean_tokens": True}, ("mean", True)),
        (
            ["Transformer", "Pooling"],
            {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False},
            ("cls", False),
        ),
        (["Transformer", "Pooling"], {"pooling_mode": "lasttoken"}, ("last", False)),
        (["Transformer", "Pooling", "Dense"], {"pooling_mode": "mean"}, None),
    ],
)
def test_how_a_sentence_encoder_pools_is_read_from_its_files(tmp_path, modules, pooling, expected):
    from citewell.models.onnx.session import _pooling

    if modules:
        (tmp_path / "modules.json").write_text(
            json.dumps([{"type": f"sentence_transformers.models.{m}"} for m in modules])
        )
        (tmp_path / "1_Pooling").mkdir()
        (tmp_path / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    if expected:
        assert _pooling(tmp_path) == expected
    else:
        with pytest.raises(BackendError, match="a part that is not known here: Dense"):
            _pooling(tmp_path)


def test_an_exporters_package_that_lacks_is_named(zoo, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxscript", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'citewell\[export\]'$"):
        exporting.export(zoo.nli, tmp_path / "new")
    with pytest.raises(UsageError, match="the kind of a model is"):
        exporting.export(zoo.nli, tmp_path / "new", kind="causal")
    assert not (tmp_path / "new").exists()


def test_torch_stays_the_default_of_a_model_with_weights(zoo):
    loaded = registry.build("checker", f"nli(model={zoo.nli}, device=cpu)").load("classifier")
    assert isinstance(loaded.model, loading.import_torch().nn.Module)
