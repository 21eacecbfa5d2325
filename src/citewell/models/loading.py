"""Loads models on first use and keeps them for the process, by (kind, name, revision, placement).

Names are hub ids or local paths. With HF_HUB_OFFLINE=1 in the environment nothing is ever downloaded.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple

from citewell.errors import BackendError, UnknownModelError
from citewell.models import faults
from citewell.models.faults import imported

Kind = Literal["encoder", "classifier", "seq2seq", "causal", "reader"]


class Loaded(NamedTuple):
    """A model in evaluation mode with its tokenizer. `lock` is for what only one thread may do with them at a time."""

    model: Any
    tokenizer: Any
    device: str
    dtype: str
    lock: Any


class Placement(NamedTuple):
    """Where a model runs and how precisely."""

    device: str = "auto"  # `auto`, `cpu`, `cuda`, `cuda:1`, `mps`
    dtype: str = "auto"  # `auto`, `float32`, `float16`, `bfloat16`
    # How transformers spreads it over several devices (`auto`, `balanced`, `sequential`), or the device that all of
    # it goes to; None for `device`
    device_map: str | None = None
    quantize: str | None = None  # `8bit` or `4bit` weights, by bitsandbytes; None for weights as they are

    def known(self) -> Placement:
        """With the device and the number type that `auto` means here.

        Raises MissingExtraError: a package that this needs is not installed; BackendError: the device is not there, or
        a setting has no such value.
        """
        device = device_of(self.device)
        if self.device_map:
            imported("accelerate", "device_map", "local")
        if self.quantize not in (None, *_BITS):
            raise BackendError(f"quantize is {' or '.join(_BITS)}, not {self.quantize!r}")
        if self.quantize:
            imported("bitsandbytes", f"quantize={self.quantize}", "quantized")
        return self._replace(device=device, dtype=dtype_of(self.dtype, device))

    @property
    def spread(self) -> bool:
        """Whether transformers places the weights itself."""
        return bool(self.device_map or self.quantize)

    def options(self) -> dict[str, Any]:
        """What `from_pretrained` is told."""
        torch, transformers = import_torch(), import_transformers()
        dtype = getattr(torch, self.dtype)
        options: dict[str, Any] = {"dtype": dtype}
        if self.spread:
            options["device_map"] = self.device_map or {"": self.device}
        if self.quantize == "8bit":
            options["quantization_config"] = transformers.BitsAndBytesConfig(load_in_8bit=True)
        elif self.quantize == "4bit":
            options["quantization_config"] = transformers.BitsAndBytesConfig(
                load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=dtype
            )
        return options


AUTO = Placement()
_BITS = ("8bit", "4bit")
_CONFIGS = ("config.json", "modules.json", "adapter_config.json")  # one of them is in every folder of a model
_CACHE: dict[tuple[Any, ...], Any] = {}
_NAMED = dict[str, str]()
_LOCK = threading.RLock()


def device_of(device: str = "auto") -> str:
    """The device to work on: `auto` takes a GPU where there is one.

    Raises MissingExtraError: torch is not installed; BackendError: the device that was asked for is not there.
    """
    torch = import_torch()
    if device == "auto":
        if torch.cuda.is_available():
            return "cuda"
        return "mps" if torch.backends.mps.is_available() else "cpu"
    if device.startswith("cuda") and not torch.cuda.is_available():
        raise BackendError(f"the device {device!r} was requested, but torch sees no GPU; use device=auto or device=cpu")
    return device


def dtype_of(dtype: str, device: str) -> str:
    """The number type: `auto` is half precision on a GPU, where it is faster, and float32 elsewhere.

    Raises BackendError: no such type.
    """
    torch = import_torch()
    if dtype == "auto":
        if not device.startswith("cuda"):
            return "float32"
        return "bfloat16" if torch.cuda.is_bf16_supported() else "float16"
    if dtype not in ("float32", "float16", "bfloat16"):
        raise BackendError(f"dtype is auto, float32, float16 or bfloat16, not {dtype!r}")
    return dtype


def import_torch() -> Any:
    """The torch module. Raises MissingExtraError: it is not installed."""
    return imported("torch", "a local model", "local")


def import_transformers() -> Any:
    """The transformers module. Raises MissingExtraError: it is not installed."""
    return imported("transformers", "a local model", "local")


def load(kind: Kind, model: str, revision: str | None = None, placement: Placement = AUTO) -> Loaded:
    """A model and its tokenizer, loaded the first time.

    Args:
        kind: `encoder` any base model whose hidden states are wanted (causal ones too), `classifier` a sequence
            classifier, `seq2seq` an encoder-decoder with its language head, `causal` a decoder with its language head,
            `reader` one that marks where an answer starts and ends.
        model: a hub id or a local path.
        revision: a branch, tag or commit on the hub.
        placement: where it runs and how precisely.

    Raises:
        MissingExtraError: torch, transformers or what the placement needs is not installed.
        BackendError: the model is not found or cannot be loaded.
    """
    known = placement.known()
    loaded: Loaded = kept((kind, model, revision or "", known), lambda: _load(kind, model, revision, known))
    return loaded


def load_own(kind: Kind, model: str, revision: str | None = None, placement: Placement = AUTO) -> Loaded:
    """As `load`, but a model that nobody else gets: for what changes it, such as training.

    Raises MissingExtraError: torch or transformers is not installed; BackendError: the model is not found or cannot be
    loaded.
    """
    return _load(kind, model, revision, placement.known())


def load_adapted(
    kind: Kind, model: str, adapter: str, revision: str | None = None, placement: Placement = AUTO
) -> Loaded:
    """As `load`, with a LoRA adapter made for the model: a hub id or a local path.

    Raises MissingExtraError: torch, transformers or peft is not installed; BackendError: the model or the adapter is
    not found or cannot be loaded.
    """
    known = placement.known()

    def adapted() -> Loaded:
        peft = imported("peft", "an adapter", "local")
        bare = _load(kind, model, revision, known)
        with _explained(adapter, "adapter"), warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # between peft and transformers, not for our users
            return bare._replace(model=peft.PeftModel.from_pretrained(bare.model, adapter).eval())

    loaded: Loaded = kept((kind, model, revision or "", known, adapter), adapted)
    return loaded


def load_sentence_encoder(model: str, revision: str | None = None, placement: Placement = AUTO) -> Any:
    """A SentenceTransformer, loaded the first time. A plain encoder gets mean pooling.

    Raises MissingExtraError: sentence-transformers is not installed; BackendError: the model is not found or cannot be
    loaded.
    """
    if placement.spread:
        raise BackendError("a sentence encoder runs whole on one device: leave device_map and quantize away")
    known = placement.known()

    def encoder() -> Any:
        path = local_path(model)
        library = imported("sentence_transformers", "a sentence encoder", "dense")
        with _explained(model), quiet():
            return library.SentenceTransformer(
                path, revision=revision, device=known.device, model_kwargs={"dtype": known.dtype}
            ).eval()

    return kept(("sentence", model, revision or "", known), encoder)


def kept(key: tuple[Any, ...], load_now: Callable[[], Any]) -> Any:
    """What is loaded once a process, by a key that says all that it depends on."""
    with _LOCK:
        if key not in _CACHE:
            _CACHE[key] = load_now()
        return _CACHE[key]


def name_models(places: Mapping[str, str]) -> None:
    """Know models by names of this process's own: records say these, and not the folders that the models lie in."""
    _NAMED.update(places)


def local_path(model: str) -> str:
    """A model's name as libraries take it; a path that is not there would pass for the name of a download.

    Raises UnknownModelError: it looks like a path and does not exist, or is empty, or no model lies there.
    """
    if not model:
        raise UnknownModelError("no model is named: give model=PATH or model=HUB/ID")
    model = _NAMED.get(model, model)
    path = Path(model).expanduser()
    if path.suffix == ".onnx" and path.is_file():
        return str(path)
    if path.exists():
        if not any((path / config).is_file() for config in _CONFIGS):
            raise UnknownModelError(f"no model at {model!r}: there is no {_CONFIGS[0]}")
        return str(path)
    if model.startswith((".", "/", "~", "\\")) or model[1:2] == ":" or model.count("/") > 1:
        raise UnknownModelError(f"no model at {model!r}: the folder does not exist")
    return model


def _load(kind: Kind, model: str, revision: str | None, placement: Placement) -> Loaded:
    path = local_path(model)
    transformers = import_transformers()
    classes = {
        "encoder": transformers.AutoModel,
        "classifier": transformers.AutoModelForSequenceClassification,
        "seq2seq": transformers.AutoModelForSeq2SeqLM,
        "causal": transformers.AutoModelForCausalLM,
        "reader": transformers.AutoModelForQuestionAnswering,
    }
    with _explained(model), quiet():
        tokenizer = transformers.AutoTokenizer.from_pretrained(path, revision=revision or "main")
        weights = classes[kind].from_pretrained(path, revision=revision or "main", **placement.options())
    if tokenizer.pad_token is None and tokenizer.eos_token is not None:
        tokenizer.pad_token = tokenizer.eos_token  # only masked positions hold it
    device = placement.device
    if placement.spread:  # inputs go where the first weights are; those that are offloaded have no device of their own
        first = str(weights.get_input_embeddings().weight.device)
        device = device if first == "meta" else first
    else:
        weights = weights.to(device)
    return Loaded(weights.eval(), tokenizer, device, placement.dtype, threading.RLock())


@contextmanager
def quiet() -> Iterator[None]:
    """No bar for reading weights from the disk into memory; downloads show theirs, and fail in one line of ours."""
    from huggingface_hub.utils import logging as hub
    from transformers.utils import logging

    had_bar, level, hub_level = logging.is_progress_bar_enabled(), logging.get_verbosity(), hub.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    hub.set_verbosity_error()
    try:
        yield
    finally:
        hub.set_verbosity(hub_level)
        logging.set_verbosity(level)
        if had_bar:
            logging.enable_progress_bar()


@contextmanager
def _explained(name: str, what: str = "model") -> Iterator[None]:
    """Whatever fails inside is told in one line that names the model."""
    try:
        yield
    except Exception as error:
        raise faults.explain(name, error, what) from error


def kind_of(model: str, revision: str | None = None) -> Kind:
    """Whether a model is an encoder-decoder or a classifier, from its config alone.

    Raises MissingExtraError: transformers is not installed; BackendError: the model is not found.
    """
    return "seq2seq" if config_of(model, revision).is_encoder_decoder else "classifier"


def load_tokenizer(model: str, revision: str | None = None) -> tuple[Any, Any]:
    """A model's tokenizer and config, without its weights.

    Raises MissingExtraError: transformers is not installed; BackendError: the model is not found.
    """
    config = config_of(model, revision)
    with _explained(model):
        return import_transformers().AutoTokenizer.from_pretrained(
            local_path(model), revision=revision or "main"
        ), config


def config_of(model: str, revision: str | None) -> Any:
    """A model's config, without its weights."""
    path = local_path(model)
    transformers = import_transformers()
    with _explained(model):
        return transformers.AutoConfig.from_pretrained(path, revision=revision or "main")


def bidirectional(loaded: Loaded) -> bool:
    """Whether tokens see what follows them: masked language models and the encoders of encoder-decoders."""
    from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES

    config = loaded.model.config
    masked = config.model_type in MODEL_FOR_MASKED_LM_MAPPING_NAMES
    return bool(config.is_encoder_decoder or (masked and not getattr(config, "is_decoder", False)))


def context_length(loaded: Loaded, limit: int | None = None) -> int:
    """How many tokens the model takes at once: the least of what its config, its tokenizer and the user say."""
    return length_of(loaded.model.config, loaded.tokenizer, limit)


def length_of(config: Any, tokenizer: Any, limit: int | None = None) -> int:
    """`context_length` of a model whose weights are not loaded."""
    known = [limit] if limit else []
    positions = getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", None)
    if positions and getattr(config, "model_type", "") not in ("t5", "mt5", "umt5"):  # T5's positions are relative
        # RoBERTa and its kin count positions from the padding index on.
        offset = 2 if getattr(config, "model_type", "") in ("roberta", "camembert", "xlm-roberta", "longformer") else 0
        known.append(int(positions) - offset)
    if 0 < tokenizer.model_max_length < 10**9:
        known.append(int(tokenizer.model_max_length))
    return min(known) if known else 2048  # relative positions without a stated limit: what such models are used with
