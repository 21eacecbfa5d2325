"""The judge from a language model: its families, its rows in tokens, a training that goes on, its graph without torch."""

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from citewell.cli import main
from citewell.errors import InputError, UsageError
from citewell.types import Span
from citewell_lab.bench.flips import Pool
from citewell_lab.bench.metrics.labels import roc_auc
from citewell_lab.train.judge import changes, combine, encoding, measure, relations, rewrites, tables
from citewell_lab.train.judge.examples import CONTRADICTED, NEITHER, OPEN, SUPPORTED, Family, Judged

torch = pytest.importorskip("torch")
tokenizers = pytest.importorskip("tokenizers")
safetensors = pytest.importorskip("safetensors.torch")

from citewell.models import small_judge  # noqa: E402
from citewell_lab.train.judge import fit  # noqa: E402
from citewell_lab.train.judge.network import network  # noqa: E402

pytestmark = pytest.mark.rare

MILL = "The mill was built in 1870 by Ann Reed. It burned down in 1912."
FAMILIES = [
    Family("mill", "1", (
        Judged(MILL, "Ann Reed built the mill.", SUPPORTED, ()),
        Judged(MILL, "The mill was built in 1871.", CONTRADICTED, (Span(22, 26),)),
        Judged(MILL.replace("1870", "1871"), "The mill was built in 1871.", SUPPORTED, ()),
    )),
    Family("mill", "2", (
        Judged("Oslo beat Bergen.", "Bergen beat Oslo.", OPEN, (Span(0, 6), Span(12, 16))),
        Judged("Oslo beat Bergen.", "Oslo beat Bergen.", SUPPORTED, ()),
        Judged("Oslo beat Bergen.", "It rained.", NEITHER),
    )),
]  # fmt: skip
PACKAGE = Path(__file__).parents[3] / "packages" / "citewell-judge"
SIZES = {"hidden": 24, "inner": 40, "layers": 3, "heads": 3, "shared": 1}


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """A language model of three layers with random weights, and a tokenizer that knows some of the words."""
    folder = tmp_path_factory.mktemp("base")
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=320,
        special_tokens=[encoding.BEGIN, encoding.END],
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    texts = [MILL, *(text for family in FAMILIES for member in family.members for text in member[:2])]
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.save(str(folder / "tokenizer.json"))
    torch.manual_seed(0)
    hidden, inner, width = SIZES["hidden"], SIZES["inner"], SIZES["hidden"] // SIZES["heads"]
    shapes = {
        "self_attn.q_proj": (hidden, hidden), "self_attn.k_proj": (width, hidden), "self_attn.v_proj": (width, hidden),
        "self_attn.o_proj": (hidden, hidden), "mlp.gate_proj": (inner, hidden), "mlp.up_proj": (inner, hidden),
        "mlp.down_proj": (hidden, inner),
    }  # fmt: skip
    weights = {"model.embed_tokens.weight": torch.randn(400, hidden), "model.norm.weight": torch.ones(hidden)}
    for number in range(SIZES["layers"]):
        for name, shape in shapes.items():
            weights[f"model.layers.{number}.{name}.weight"] = torch.randn(shape) / shape[1] ** 0.5
        for name in ("input_layernorm", "post_attention_layernorm"):
            weights[f"model.layers.{number}.{name}.weight"] = torch.ones(hidden)
    safetensors.save_file(
        {name: weight.to(torch.bfloat16) for name, weight in weights.items()}, folder / "model.safetensors"
    )
    config = {
        "hidden_size": hidden, "intermediate_size": inner, "num_hidden_layers": SIZES["layers"],
        "num_attention_heads": SIZES["heads"], "num_key_value_heads": SIZES["shared"], "rms_norm_eps": 1e-5,
        "rope_parameters": {"rope_theta": 10000.0},
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def small(folder, **kwargs):
    """The network with few and low adapters."""
    torch.manual_seed(1)
    model = network(folder, rank=4, first=1, **kwargs)
    for layer in model.layers[1:]:
        for part in layer.children():
            torch.nn.init.normal_(part.up, std=0.1)
    return model


@pytest.fixture
def quick(monkeypatch):
    """Adapters of low rank from the second layer up, wherever the network is built."""
    from citewell_lab.train.judge import export

    for place in (fit, export, measure):
        monkeypatch.setattr(place, "build", lambda folder: network(folder, rank=4, first=1))


def test_claims_in_a_row_are_read_as_if_each_stood_alone(base):
    coder, model = encoding.Coder(base), small(base)
    together = coder.lines(FAMILIES[0])
    alone = [coder.lines(Family("", "", (member,)))[0] for member in FAMILIES[0].members]
    assert [len(line.claims) for line in together] == [2, 1]

    def logits(lines):
        inputs = encoding.tensors(lines, torch.bfloat16)
        with torch.inference_mode():
            return model(inputs.ids, inputs.positions, inputs.masks, inputs.ends)[0]

    apart = torch.cat([logits([line]) for line in alone])
    assert torch.allclose(logits(together), apart, atol=0.02)
    assert (apart[0] - apart[2]).abs().max() > 0.05


def test_marks_stand_on_the_tokens_of_the_changed_words_alone(base):
    coder = encoding.Coder(base)
    text, tokenizer = FAMILIES[0].members[1], tokenizers.Tokenizer.from_file(str(base / "tokenizer.json"))
    claim = coder.claim(text, 96)
    wrong = tokenizer.decode([token for token, mark in zip(claim.ids, claim.wrong, strict=True) if mark == 1])
    assert wrong.strip() == "1871"
    assert claim.wrong[-1] == encoding.IGNORED
    assert coder.claim(FAMILIES[1].members[2], 96).wrong == [encoding.IGNORED] * len(
        coder.claim(FAMILIES[1].members[2], 96).ids
    )


def test_a_batch_holds_whole_families_and_every_family_comes_once_a_round(base):
    coder = encoding.Coder(base)
    families = [family._replace(group=str(number)) for number in range(5) for family in FAMILIES]
    total = sum(line.length for family in families for line in coder.lines(family))
    coming = encoding.batches(families, coder, 150, "0")
    length, claims = 0, 0
    while length < total:
        batch = next(coming)
        length += sum(line.length for line in batch)
        claims += sum(len(line.claims) for line in batch)
    assert (length, claims) == (total, 30)


def test_the_loss_asks_of_an_open_claim_only_that_it_is_not_supported(base):
    coder, model = encoding.Coder(base), small(base)
    torch.nn.init.zeros_(model.claim.weight)
    batch = coder.lines(Family("", "", (Judged(MILL, "Ann left.", OPEN),)))
    with torch.no_grad():
        model.claim.bias.copy_(torch.tensor([-9.0, 5.0, 5.0]))
        assert fit.loss(model, batch)[1]["class"] == pytest.approx(0, abs=1e-4)
        model.claim.bias.copy_(torch.tensor([5.0, -9.0, -9.0]))
        assert fit.loss(model, batch)[1]["class"] > 9


def test_training_lowers_the_loss_and_goes_on_from_its_adapter(base, quick, tmp_path, monkeypatch):
    clock = iter(range(0, 10**6, 5))
    monkeypatch.setattr(fit, "monotonic", lambda: next(clock))  # every step takes five seconds
    rows = []
    fit.train(FAMILIES, base, tmp_path / "run", minutes=6, tell=rows.append)
    losses = [json.loads(line)["loss"]["class"] for line in (tmp_path / "run" / fit.LOSSES).read_text().splitlines()]
    assert losses[-1] < losses[0] - 0.3
    assert rows
    state = json.loads((tmp_path / "run" / fit.STATE).read_text())
    with pytest.raises(UsageError, match="holds a run: --resume goes on with it"):
        fit.train(FAMILIES, base, tmp_path / "run", minutes=1)
    (tmp_path / "run" / fit.OPTIMIZER).unlink()  # what a repository keeps is the adapter and the state
    fit.train(FAMILIES, base, tmp_path / "next", minutes=7, resume=tmp_path / "run")
    later = json.loads((tmp_path / "next" / fit.STATE).read_text())
    assert later["steps"] == state["steps"] + 12
    first = json.loads((tmp_path / "next" / fit.LOSSES).read_text().splitlines()[0])["loss"]["class"]
    assert first < losses[0]


def test_an_adapter_of_another_shape_is_refused(base, quick, tmp_path):
    model = network(base, rank=2, first=1)
    safetensors.save_file(model.state_dict(), tmp_path / "adapter.safetensors")
    (tmp_path / fit.STATE).write_text("{}")
    with pytest.raises(InputError, match="holds no adapter of this judge"):
        fit.load_adapter(fit.build(base), tmp_path)


@pytest.mark.parametrize(("bits", "tolerance"), [(32, 0.05), (8, 0.1)])
def test_the_graph_says_what_the_network_says(base, quick, tmp_path, bits, tolerance):
    pytest.importorskip("onnxscript")
    pytest.importorskip("onnxruntime")
    from citewell_lab.train.judge.export import export

    model = small(base)
    safetensors.save_file(model.state_dict(), tmp_path / "adapter.safetensors")
    state = {"seed": 0, "steps": 1, "elapsed": 1.0, "tokens": 1, "claims": 1}
    (tmp_path / fit.STATE).write_text(json.dumps(state))
    export(base, tmp_path, tmp_path / "judge", bits=bits)
    judge = small_judge.find(str(tmp_path / "judge"))
    claims = [member.claim for member in FAMILIES[0].members[:2]]
    coder = encoding.Coder(base)
    inputs = encoding.tensors(coder.lines(Family("", "", FAMILIES[0].members[:2])), torch.bfloat16)
    with torch.inference_mode():
        sure = torch.log_softmax(model(inputs.ids, inputs.positions, inputs.masks, inputs.ends)[0], dim=-1)
    wanted = (sure[:, 0] - torch.logsumexp(sure[:, 1:], dim=-1)).tolist()
    read = judge.read(MILL, claims)
    assert [reading.support for reading in read] == pytest.approx(wanted, abs=tolerance)
    assert [reading.support for reading in judge.read(MILL, claims[1:])] == pytest.approx([read[1].support], abs=1e-4)
    assert str(tmp_path).encode() not in (tmp_path / "judge" / small_judge.GRAPH).read_bytes()


def test_changed_words_are_marked_and_the_evidence_changed_alike_turns_the_labels():
    evidence = ("Ann Reed sold the mill to Tom Hall in 1905.", "The town of Oslo paid 40 million dollars.")
    pool = Pool.of(("The mill of Kari Berg stood near Paris.", *evidence))
    kinds = set()
    for claim in evidence:
        for seed in range(12):
            for variant in changes.changes(claim, evidence, pool, random.Random(seed)):
                kinds.add(variant.kind)
                assert variant.text != claim
                assert all(variant.text[span.start : span.end].strip() for span in variant.wrong)
                mirror = changes.mirrored(" ".join(evidence), variant)
                if mirror and variant.kind == "exchanged":
                    assert variant.text in mirror
                    assert claim not in mirror
    assert {"exchanged", "figure", "scaled", "denied"} <= kinds


def test_an_opening_moves_the_marks_with_the_words():
    for seed in range(20):
        text, (span,) = rewrites.framed("The mill burned in 1913.", (Span(19, 23),), random.Random(seed))
        assert text[span.start : span.end] == "1913"


def test_no_pair_of_words_is_a_measured_pair():
    from citewell_lab.bench.flips import words

    measured = {
        frozenset(pair) for name in ("opposite_words", "opposite_verbs", "one_way") for pair in words.table(name)
    }
    pairs = changes.read_json("citewell_lab.train.judge", "words.json")["opposed"]
    assert not measured & {frozenset(pair) for pair in pairs}


def test_invented_relations_differ_by_the_order_of_names_alone():
    pool = Pool.of(("The mill of Kari Berg stood near Paris.",))
    for family in relations.families([pool], 20, 0):
        by_evidence = {}
        for member in family.members:
            by_evidence.setdefault(member.evidence, []).append(member)
        assert len(by_evidence) == 2
        for members in by_evidence.values():
            assert {SUPPORTED, OPEN} <= {member.label for member in members}
        claims = [(member.claim, member.label == SUPPORTED) for member in family.members]
        assert len(set(claims)) > len(
            {claim for claim, _ in claims}
        )  # one claim holds over one text and not over the other


def test_claims_about_cells_follow_the_table():
    grid = tables.Grid(
        "t", "g", ("2019", "2018"), ("Sales", "Costs", "Profit"), (("50", "40"), ("30", "35"), ("20", "5"))
    )
    for family in tables.families([grid], 30, 0):
        for member in family.members:
            row = next(name for name in grid.rows if name in member.claim)
            values = dict(zip(grid.columns, grid.cells[grid.rows.index(row)], strict=True))
            if member.label == SUPPORTED and not any(word in member.claim for word in ("higher", "lower", "that of")):
                year = next(year for year in grid.columns if year in member.claim)
                assert values[year] in member.claim
            if member.label == NEITHER:
                assert row not in member.evidence


def test_the_mask_lets_a_claim_see_evidence_and_itself_alone(base):
    line = encoding.Coder(base).lines(FAMILIES[0])[0]
    mask = encoding.tensors([line], torch.float32).masks[0][0, 0].numpy()
    size, first = len(line.evidence), len(line.claims[0].ids)
    second = np.arange(size + first, line.length)
    assert (mask[second][:, size : size + first] < -1000).all()
    assert (mask[second][:, :size] == 0).all()
    assert (np.triu(np.ones_like(mask), 1) * (mask == 0) == 0).all()


def test_what_does_not_help_gets_no_weight_and_a_set_is_judged_by_the_others():
    chance = np.random.default_rng(0)
    supported = chance.random(400) < 0.5
    judge = np.where(supported, 1.0, -1.0) + chance.normal(0, 1, 400)
    words = chance.normal(0, 1, 400)
    sets = np.repeat(["one", "two"], 200)
    line = combine.fit(words, judge, supported, sets)
    assert line.model > 5 * line.words >= 0
    spoiled = supported.copy()
    spoiled[:200] = ~spoiled[:200]
    both = combine.crossed(words, judge, spoiled, sets)
    assert roc_auc(spoiled[:200], both[:200]) < 0.3  # what a set says of itself is not known where it is judged
    assert combine.settings(words, judge, supported, sets)["supported"] == 0.5


def test_figures_tell_sets_and_kinds_apart():
    rows = [
        ("a", "", True),
        ("a", "", False),
        ("changed", "", True),
        ("changed", "year", False),
        ("changed", "roles", False),
    ]
    listed = [measure.Item(name, kind, "Evidence.", "A claim.", holds) for name, kind, holds in rows]
    assert measure.figures(listed, [2.0, 1.0, 2.0, 1.0, 3.0]) == {
        "a": 100.0, "changed": 50.0, "mean": 100.0, "caught year": 100.0, "caught roles": 0.0, "caught": 50.0,
    }  # fmt: skip


@pytest.mark.slow
def test_trained_stopped_gone_on_measured_and_packaged_by_one_command_each(base, quick, tmp_path, monkeypatch, capsys):
    pytest.importorskip("onnxscript")
    pytest.importorskip("onnxruntime")
    pytest.importorskip("scipy")
    data, run = tmp_path / "data", tmp_path / "run"
    pairs(data / "conjnli", train=("mill", "school", "bridge", "church"), dev=("farm", "inn"))
    pairs(data / "fever_symmetric", generated=("tower", "harbour"), dev=("market", "canal"))
    clock = iter(range(0, 10**6, 10))
    monkeypatch.setattr(fit, "monotonic", lambda: next(clock))  # every step takes ten seconds
    command = ["train", "judge", "--data", str(data), "--base", str(base), "--out", str(run), "--minutes"]

    def stopped(text):
        if text.startswith("6.0 of"):
            raise KeyboardInterrupt

    whole = fit.train
    monkeypatch.setattr(fit, "train", lambda *args, tell, **kwargs: whole(*args, tell=stopped, **kwargs))
    assert main([*command, "10"]) != 0
    monkeypatch.setattr(fit, "train", whole)
    assert json.loads((run / fit.STATE).read_text())["elapsed"] == 300  # what was kept last, five minutes on
    assert main([*command, "10", "--resume", str(run), "--measure", "6"]) == 0
    assert json.loads((run / fit.STATE).read_text())["elapsed"] == 600
    figures = json.loads((run / "model" / "figures.json").read_text())
    assert set(figures) == {"words", "judge", "both"}
    assert "fever_symmetric" in figures["both"]

    target = tmp_path / "package"
    shutil.copytree(PACKAGE, target)
    build = [sys.executable, "setup.py", "-q", "build_py", "--build-lib", str(tmp_path / "site")]
    refused = subprocess.run(build, cwd=target, capture_output=True, text=True, check=False)
    assert refused.returncode != 0
    assert "citewell-judge has no weights here" in refused.stderr
    assert main(["train", "package", str(run / "model"), "--out", str(target)]) == 0
    assert "conjnli (MIT)" in (target / "README.md").read_text()
    subprocess.run(build, cwd=target, check=True, capture_output=True)
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.delitem(sys.modules, small_judge.PACKAGE, raising=False)
    report = tmp_path / "mill.txt"
    report.write_text(f"{MILL} Nobody built it again, and the land was sold to the town.")
    reply = tmp_path / "reply.txt"
    claim = "Ann Reed built the mill, and the town bought the land."
    reply.write_text(f"{claim} [1]")
    scores = {}
    for name in ("lexical", "judge-small"):
        chosen = () if name == "lexical" else ("--checker", name)  # an installed judge is asked for: it is no default
        (verdict,) = answered(capsys, "check", report, claim, *chosen)["verdicts"]
        assert verdict["method"] == name
        (statement,) = answered(capsys, "audit", reply, report, *chosen)["statements"]
        script = f'scripted(reply="{claim} [1]")'
        answer = answered(capsys, "ask", report, "Who built the mill?", "--llm", script, *chosen)
        assert answer["usage"]["pipeline"]["checker"] == name
        scores[name] = [verdict["score"], statement["score"], answer["statements"][0]["score"]]
    assert all(words != both for words, both in zip(*scores.values(), strict=True))


def answered(capsys, *args):
    """What a command prints as JSON."""
    capsys.readouterr()
    assert main([*map(str, args), "--json", "--quiet"]) == 0
    return json.loads(capsys.readouterr().out)


def pairs(folder, **files):
    """Pairs of a premise and three hypotheses in the published form of such sets."""
    folder.mkdir(parents=True)
    texts = (("{} was opened by Ada Berg in {}.", "entailment"), ("{} was closed by Ada Berg in {}.", "contradiction"),
             ("{} paid Tom Hall {} crowns.", "neutral"))  # fmt: skip
    for name, things in files.items():
        rows = [
            {"premise": f"The {thing} was opened by Ada Berg in {1870 + n}, and it was large.",
             "hypothesis": text.format(f"The {thing}", 1870 + n), "label": label}
            for n, thing in enumerate(things) for text, label in texts
        ]  # fmt: skip
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_what_measuring_needs_is_named_before_hours_of_training(base, monkeypatch, tmp_path, capsys):
    pytest.importorskip("onnxscript")
    monkeypatch.setattr("citewell_lab.cli.train_judge.find_spec", lambda _: None)
    command = ["train", "judge", "--data", str(tmp_path), "--base", str(base), "--out", str(tmp_path / "run")]
    assert main([*command, "--measure", "6"]) == 2
    assert "--measure needs the package 'scipy': pip install 'citewell-lab[bench]'" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
