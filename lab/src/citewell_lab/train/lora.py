"""LoRA fine-tuning of encoder-decoder and causal models by PEFT and transformers' Trainer.

Source of the recipe: LAB, section E.2 (Hu et al. 2022; AdamW of Loshchilov and Hutter 2019). The loss is on the reply
alone. What LAB does not state is the Trainer's default: a learning rate that falls to 0 in a straight line, gradients
clipped at norm 1, no weight decay.
"""

from __future__ import annotations

import importlib
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from citewell.errors import InputError, MissingExtraError, UsageError
from citewell.models.loading import (
    Kind,
    Loaded,
    Placement,
    device_of,
    import_torch,
    kind_of,
    length_of,
    load_own,
    load_tokenizer,
    quiet,
)
from citewell.text import files
from citewell_lab.bench.spec import revision, versions
from citewell_lab.report import plots
from citewell_lab.report.plots import Panel, Series
from citewell_lab.train import data
from citewell_lab.train.data import Example
from citewell_lab.train.folder import Folder
from citewell_lab.train.settings import Settings
from citewell_lab.train.trainer import run, trainer


@dataclass(frozen=True, slots=True)
class Report:
    """What came out. `dev` has the development scores before the first step and after the last, None without examples.

    `steps` are all steps of the run, `resumed` the step from which this call went on (0: from the start).
    """

    adapter: Path
    steps: int
    resumed: int
    train: int
    dev_size: int
    left_out: int
    loss: tuple[float, float]
    dev: tuple[Mapping[str, float], Mapping[str, float]] | None
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        first, last = self.loss
        return {
            "adapter": str(self.adapter),
            "steps": self.steps,
            "resumed": self.resumed,
            "n": {"train": self.train, "dev": self.dev_size, "left_out": self.left_out},
            "loss": {"first": first, "last": last},
            "dev": None if self.dev is None else {"before": dict(self.dev[0]), "after": dict(self.dev[1])},
            "seconds": round(self.seconds, 3),
        }


def train(
    examples: Sequence[Example],
    dev: Sequence[Example],
    settings: Settings,
    out: str | Path,
    *,
    arguments: Mapping[str, Any] | None = None,
    progress: bool = False,
) -> Report:
    """Fine-tune a model, or go on with a run that stopped; the adapter lies in `out/adapter` afterwards.

    A run that was killed goes on from its latest checkpoint, with the same order of examples and the same dropout, so
    that it ends with the same weights as an undisturbed one on the same machine.

    Args:
        examples: what to train on.
        dev: what the development score is taken on, never trained on; may be empty.
        settings: the recipe.
        out: the run's folder.
        arguments: arguments of the caller, for the record.
        progress: show a bar on stderr.

    Raises:
        MissingExtraError: torch, transformers, peft or accelerate is not installed.
        BackendError: the model cannot be loaded, or the loss is no number any more.
        InputError: no example fits the limits.
        UsageError: `out` holds another run.
        InUseError: another process trains in `out`.
    """
    _check_installed()
    folder = Folder(out)
    with folder.alone():
        return _trained(examples, dev, settings, folder, arguments or {}, progress=progress)


def _trained(
    examples: Sequence[Example],
    dev: Sequence[Example],
    settings: Settings,
    folder: Folder,
    fields: Mapping[str, Any],
    *,
    progress: bool,
) -> Report:
    began = time.perf_counter()
    kind: Kind = "seq2seq" if kind_of(settings.model, settings.revision) == "seq2seq" else "causal"
    device = device_of(settings.device)
    folder.begin(_record(examples, dev, settings, kind, device, fields))
    old = folder.finished()
    if old is not None:
        return _report(folder, old, resumed=settings.steps)
    latest = folder.checkpoint()
    step = latest[0] if latest else 0
    folder.rewind(step)

    _seed(settings.seed)
    loaded = load_own(kind, settings.model, settings.revision, Placement(device, _dtype(settings.dtype, device)))
    most = _most(loaded.model.config, loaded.tokenizer, settings)
    coded = data.encode(examples, loaded.tokenizer, kind, most_input=most, most_target=settings.max_target)
    coded_dev = data.encode(
        dev[: settings.dev_most], loaded.tokenizer, kind, most_input=most, most_target=settings.max_target
    )
    if not coded.rows:
        raise InputError(
            f"none of the {len(examples)} examples fits {most} tokens (replies {settings.max_target}): "
            "raise --max-input or --max-target"
        )
    if settings.keep == "best" and not coded_dev.rows:
        raise UsageError("keep=best needs development examples that fit the limits")
    with quiet(), warnings.catch_warnings():
        # What the libraries tell each other about names that will change is nothing a user can act on.
        warnings.simplefilter("ignore", FutureWarning)
        adapted = _adapted(loaded, settings)
        if step < settings.steps:
            built = trainer(adapted, loaded, coded, coded_dev, settings, folder, kind, fresh=not step, bar=progress)
            run(built, latest[1] if latest else None)
    folder.publish(best=settings.keep == "best")
    _draw(folder)
    summary = {
        "train": len(coded.rows),
        "dev_size": len(coded_dev.rows),
        "left_out": coded.too_long + coded_dev.too_long,
        "seconds": time.perf_counter() - began,
    }
    folder.finish(summary)
    return _report(folder, summary, resumed=step)


def measure(settings: Settings) -> tuple[Callable[[str], int], int]:
    """How many tokens a text has for the model, and how many a prompt may have.

    Raises:
        MissingExtraError: torch, transformers, peft or accelerate is not installed.
        BackendError: the model is not found.
    """
    _check_installed()
    tokenizer, config = load_tokenizer(settings.model, settings.revision)

    def count(text: str) -> int:
        return len(tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])

    most = _most(config, tokenizer, settings)
    # A causal model's reply has its place after the prompt.
    return count, most if config.is_encoder_decoder else most - min(settings.max_target, most // 4)


def _most(config: Any, tokenizer: Any, settings: Settings) -> int:
    """Most tokens of an input. T5's kind has relative positions: their tokenizers' 512 is no limit (LAB used 16K)."""
    relative = config.model_type in ("t5", "mt5", "umt5", "longt5")
    return settings.max_input if relative else length_of(config, tokenizer, settings.max_input)


def _check_installed() -> None:
    for package in ("torch", "transformers", "peft", "accelerate"):
        try:
            importlib.import_module(package)
        except ModuleNotFoundError as error:
            raise MissingExtraError("fine-tuning", package, "local") from error


def _record(
    examples: Sequence[Example],
    dev: Sequence[Example],
    settings: Settings,
    kind: Kind,
    device: str,
    fields: Mapping[str, Any],
) -> dict[str, Any]:
    return {
        "given": dict(fields),
        "settings": asdict(settings),
        "resolved": {"kind": kind, "device": device, "dtype": _dtype(settings.dtype, device)},
        "examples": {"train": len(examples), "dev": len(dev)},
        "checksums": {"train": data.checksum(examples), "dev": data.checksum(dev)},
        "versions": versions(),
        "git": revision(),
    }


def _dtype(dtype: str, device: str) -> str:
    if dtype != "auto":
        return dtype
    return "bfloat16" if device == "cuda" and import_torch().cuda.is_bf16_supported() else "float32"


def _seed(seed: int) -> None:
    from transformers import set_seed

    set_seed(seed)  # before the matrices get their first values


def _adapted(loaded: Loaded, settings: Settings) -> Any:
    """The model with its LoRA matrices, everything else frozen."""
    from peft import LoraConfig, TaskType, get_peft_model

    targets: Any = {"default": None, "all-linear": "all-linear"}.get(settings.targets, settings.targets.split(","))
    task = TaskType.SEQ_2_SEQ_LM if loaded.model.config.is_encoder_decoder else TaskType.CAUSAL_LM

    # GPT-2 and its kin keep their weights the other way round.
    transposed = any(type(module).__name__ == "Conv1D" for module in loaded.model.modules())

    def with_targets(wanted: Any) -> Any:
        config = LoraConfig(
            task_type=task,
            r=settings.rank,
            lora_alpha=settings.alpha,
            lora_dropout=settings.dropout,
            target_modules=wanted,
            revision=settings.revision,
            fan_in_fan_out=transposed,
        )
        return get_peft_model(loaded.model, config)

    try:
        return with_targets(targets)
    except ValueError as error:
        if targets is not None:
            raise UsageError(f"targets={settings.targets!r}: {str(error).splitlines()[0][:300]}") from error
        return with_targets("all-linear")  # PEFT has no choice for this architecture


def _draw(folder: Folder) -> None:
    """The losses as one plot, where matplotlib is installed."""
    curves = [
        Series(name, [(row["step"], row[key], 0.0, 0.0) for row in folder.rows() if key in row])
        for name, key in (("training", "loss"), ("development", "dev_loss"))
    ]
    with suppress(MissingExtraError):
        panel = Panel("", [curve for curve in curves if curve.points])
        files.write(folder.plot, plots.curves("losses", [panel], ("step", "loss per token")))


def _report(folder: Folder, summary: Mapping[str, Any], resumed: int) -> Report:
    rows = folder.rows()
    losses = [row["loss"] for row in rows if "loss" in row]
    scores = [{key: value for key, value in row.items() if key != "step"} for row in rows if "dev_loss" in row]
    steps = max((row["step"] for row in rows), default=0)
    dev = (scores[0], scores[-1]) if scores else None
    return Report(folder.adapter, steps, resumed, loss=(losses[0], losses[-1]), dev=dev, **summary)


__all__ = ["Report", "measure", "train"]
