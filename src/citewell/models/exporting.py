"""Exports torch models as graphs for onnxruntime, reads them back, and compares their scores with torch's."""

from __future__ import annotations

import importlib
import logging
import tempfile
import warnings
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from citewell.errors import BackendError, UsageError
from citewell.models import forward, loading, portable
from citewell.models.faults import imported
from citewell.models.loading import Loaded, Placement
from citewell.text import files

KINDS = ("sentence", "classifier", "seq2seq", "encoder", "reader")
TOLERANCE = 1e-4  # of a score, between torch and the exported graph in float32
_SAMPLES = (
    ("Revenue rose to 41 million in 2022.", "Revenue fell."),
    ("The company was founded in 1990 by Ann Smith, who led it for twenty years and then left.", "Who founded it?"),
    ("Costs.", "Costs fell by 2% because prices of oil, steel and paper fell as well, as did wages."),
)


class Export(NamedTuple):
    """What was exported."""

    folder: Path  # that holds the model now
    kind: str  # one of `KINDS`
    difference: float  # the greatest between a score of torch and of the graph, over a few texts
    small: float | None  # the same for the graph with weights of eight bits; None where none was asked for
    size: dict[str, int]  # bytes of all graphs, by name


class Graph(NamedTuple):
    """A part of a model that becomes a graph: inputs by name, in the order in which it takes them."""

    name: str
    part: Any
    inputs: dict[str, Any]
    outputs: tuple[str, ...]


def export(
    model: str, folder: str | Path, *, kind: str | None = None, revision: str | None = None, int8: bool = False
) -> Export:
    """Write a model as a folder that `runtime=onnx` reads; the folder appears whole or not at all.

    Args:
        model: a hub id or a local path.
        folder: where to; it must not exist, or be empty.
        kind: one of `KINDS`; None for what the model's files say.
        revision: a branch, tag or commit on the hub.
        int8: also write weights of eight bits, made without data.

    Raises:
        MissingExtraError: torch, onnx or what they need is not installed.
        UsageError: the folder is in use, or no such kind.
        BackendError: the model cannot be loaded or exported, or the graph gives other scores than torch.
    """
    target = Path(folder).expanduser()
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{str(target)!r} exists already: name a new folder")
    if kind not in (None, *KINDS):
        raise UsageError(f"the kind of a model is {', '.join(KINDS)}, not {kind!r}")
    needed()
    known = kind or _kind_of(model, revision)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}-") as scratch:
        work = Path(scratch) / "model"
        work.mkdir()
        difference = _written(model, known, revision, work)
        if difference > TOLERANCE:
            raise BackendError(
                f"the exported model {model!r} gives other scores than torch: they differ by {difference:.2g}"
            )
        small = _quantized(known, work) if int8 else None
        size = {path.name: path.stat().st_size for path in sorted(work.glob("*.onnx"))}
        if target.exists():
            target.rmdir()
        work.replace(target)
    return Export(target, known, difference, small, size)


def _kind_of(model: str, revision: str | None) -> str:
    path = Path(model).expanduser()
    if (path / "modules.json").is_file():
        return "sentence"
    config = loading.config_of(model, revision)
    if config.is_encoder_decoder:
        return "seq2seq"
    named = " ".join(config.architectures or ())
    kinds = {"SequenceClassification": "classifier", "QuestionAnswering": "reader"}
    return next((kind for sign, kind in kinds.items() if sign in named), "encoder")


def _written(model: str, kind: str, revision: str | None, work: Path) -> float:
    """Write a model's graphs, tokenizer and settings; the greatest difference of their scores."""
    placement = Placement("cpu", "float32")
    if kind == "sentence":
        encoder = loading.load_sentence_encoder(model, revision, placement)
        tokenizer, config = encoder.tokenizer, encoder[0].auto_model.config
        loaded = Loaded(encoder, tokenizer, "cpu", "float32", None)
        longest = int(encoder.max_seq_length or 512)
        files.write(work / "sentence_bert_config.json", f'{{"max_seq_length": {longest}}}\n')
    else:
        loaded = loading.load_own("encoder" if kind == "encoder" else kind, model, revision, placement)  # type: ignore[arg-type]
        tokenizer, config = loaded.tokenizer, loaded.model.config
    bare = loaded.model[0].auto_model if kind == "sentence" else loaded.model
    with plain_attention(bare):
        for graph in _graphs(loaded, kind):
            write(graph, work / graph.name)
        wanted = _scores(loaded, kind)
    tokenizer.save_pretrained(work)
    config.save_pretrained(work)
    exported = portable.load(str(work), None, placement)
    return float(np.abs(wanted - _scores(exported, kind)).max())


def _quantized(kind: str, work: Path) -> float:
    for path in sorted(work.glob("*.onnx")):
        shrink(path, path.with_name(f"{path.stem}_int8.onnx"))
    exact = _scores(portable.load(str(work), None, Placement("cpu")), kind)
    rough = _scores(portable.load(str(work), None, Placement("cpu", quantize="8bit")), kind)
    return float(np.abs(exact - rough).max())


def shrink(path: Path, target: Path) -> None:
    """Write a graph with weights of eight bits."""
    quantization, onnx = importlib.import_module("onnxruntime.quantization"), importlib.import_module("onnx")
    graph = onnx.load(str(path))
    del graph.graph.value_info[:]  # of before the exporter's last changes: shapes that no longer hold are refused
    with silent():
        quantization.quantize_dynamic(
            graph,
            target,
            weight_type=quantization.QuantType.QInt8,
            per_channel=True,
            reduce_range=True,  # seven bits: without it, processors that lack VNNI overflow
        )
    onnx.save(clean(onnx.load(str(target))), str(target))


def clean(graph: Any) -> Any:
    """A graph without what its exporter noted of the machine and the code: notes of nodes, inputs, outputs and values.

    Names and weights stay, so that it gives the same outputs.
    """
    _clear_notes(graph)
    _clean(graph.graph)
    for function in graph.functions:
        _clear_notes(function, *function.node)
    return graph


def _clean(graph: Any) -> None:
    _clear_notes(graph, *graph.node, *graph.input, *graph.output, *graph.value_info, *graph.initializer)
    for node in graph.node:
        for attribute in node.attribute:
            attribute.doc_string = ""
            if attribute.HasField("g"):
                _clean(attribute.g)


def _clear_notes(*parts: Any) -> None:
    for part in parts:
        part.doc_string = ""
        del part.metadata_props[:]


def _scores(loaded: Loaded, kind: str) -> Any:
    """What a back end would make of the samples: probabilities, or vectors."""
    tokenizer = loaded.tokenizer
    pairs = [dict(tokenizer(*pair)) for pair in _SAMPLES]
    if kind == "classifier":
        values = np.exp(forward.logits(loaded, pairs))
        return values / values.sum(axis=1, keepdims=True) if values.shape[1] > 1 else values / (1 + values)
    if kind == "reader":
        return np.concatenate(
            [np.exp(part - part.max()) for pair in pairs for part in forward.spans(loaded, [pair])], axis=1
        )
    if kind == "seq2seq":
        start = loaded.model.config.decoder_start_token_id
        return np.exp(forward.decoded(loaded, forward.encoded(loaded, pairs), [start or 0, 1, 1]))
    singles = [dict(tokenizer(text)) for pair in _SAMPLES for text in pair]
    if kind == "sentence" and hasattr(loaded.model, "encode"):
        return loaded.model.encode([text for pair in _SAMPLES for text in pair], show_progress_bar=False)
    return forward.vectors(loaded, singles, "auto" if kind == "sentence" else "mean")


def _graphs(loaded: Loaded, kind: str) -> list[Graph]:
    items = [dict(loaded.tokenizer(*pair)) for pair in _SAMPLES[:2]]
    inputs = dict(loaded.tokenizer.pad(items, return_tensors="pt"))
    if kind == "seq2seq":
        return _two_graphs(loaded.model, inputs["input_ids"], inputs["attention_mask"])
    # As a plain encoder a model is not told which of two texts a token belongs to: back ends embed one at a time.
    known = ("input_ids", "attention_mask", *(() if kind == "encoder" else ("token_type_ids",)))
    model_inputs = {name: inputs[name] for name in known if name in inputs}
    by_kind = {"classifier": ("logits",), "sentence": ("sentence_embedding",), "reader": ("start_logits", "end_logits")}
    outputs = by_kind.get(kind, ("last_hidden_state",))

    def call(*values: Any) -> Any:
        named = dict(zip(model_inputs, values, strict=True))
        result = loaded.model(named) if kind == "sentence" else loaded.model(**named)
        return tuple(result[output] for output in outputs)

    return [Graph("model.onnx", module(call, loaded.model), model_inputs, outputs)]


def _two_graphs(model: Any, ids: Any, mask: Any) -> list[Graph]:
    torch, encoder = loading.import_torch(), model.get_encoder()

    def read(ids: Any, mask: Any) -> Any:
        return encoder(input_ids=ids, attention_mask=mask).last_hidden_state

    def say(mask: Any, ids: Any, states: Any) -> Any:
        return model(encoder_outputs=(states,), attention_mask=mask, decoder_input_ids=ids, use_cache=False).logits

    with torch.inference_mode():
        states = read(ids, mask)
    begun = torch.zeros((len(ids), 3), dtype=torch.long)
    decoder_inputs = {"encoder_attention_mask": mask, "input_ids": begun, "encoder_hidden_states": states}
    return [
        Graph(
            "encoder_model.onnx",
            module(read, encoder),
            {"input_ids": ids, "attention_mask": mask},
            ("last_hidden_state",),
        ),
        Graph("decoder_model.onnx", module(say, model), decoder_inputs, ("logits",)),
    ]


def module(call: Callable[..., Any], model: Any) -> Any:
    """A module of torch that takes its inputs by place, as the exporter wants it."""
    torch = loading.import_torch()

    class Part(torch.nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.inner = model

        def forward(self, *inputs: Any) -> Any:
            return call(*inputs)

    return Part().eval()


def write(graph: Graph, path: Path) -> None:
    """Write a graph whose texts and tokens may be as many as one likes. Raises BackendError: the exporter cannot."""
    torch = loading.import_torch()
    free = torch.export.Dim.DYNAMIC
    shapes: Sequence[Any] = [{0: free, 1: free} for _ in graph.inputs]
    try:
        with silent(), torch.inference_mode():
            torch.onnx.export(
                graph.part,
                tuple(graph.inputs.values()),
                str(path),
                input_names=list(graph.inputs),
                output_names=list(graph.outputs),
                dynamic_shapes=(tuple(shapes),),
                dynamo=True,
                external_data=False,
                verbose=False,
            )
    except Exception as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise BackendError(f"the model cannot be exported: {reason[:300]}") from error


@contextmanager
def plain_attention(model: Any) -> Any:
    """Attention in plain steps: the exporter does not know all views of the fused ones."""
    before = getattr(model.config, "_attn_implementation", None)
    if hasattr(model, "set_attn_implementation"):
        model.set_attn_implementation("eager")
    try:
        yield
    finally:
        if before and hasattr(model, "set_attn_implementation"):
            model.set_attn_implementation(before)


@contextmanager
def silent() -> Any:
    """The exporters' remarks about themselves."""
    loggers = [logging.getLogger(name) for name in ("torch.onnx", "onnxscript", "onnx_ir", "root", "")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def needed() -> None:
    """Whether what exporting takes is there. Raises MissingExtraError: it is not installed."""
    for library in ("onnx", "onnxscript"):
        imported(library, "exporting a model", "export")
