"""transformers' Trainer set up for LoRA: the recipe's arguments, the loss, and progress messages."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from citewell.errors import BackendError
from citewell.models.loading import Kind, Loaded, import_torch
from citewell_lab.train import data
from citewell_lab.train.data import Encoded
from citewell_lab.train.folder import Folder
from citewell_lab.train.score import exact_match
from citewell_lab.train.settings import Settings


def trainer(
    adapted: Any,
    loaded: Loaded,
    coded: Encoded,
    coded_dev: Encoded,
    settings: Settings,
    folder: Folder,
    kind: Kind,
    *,
    fresh: bool,
    bar: bool,
) -> Any:
    """A Trainer that logs into the run's folder, takes development scores and saves checkpoints."""
    from transformers import DataCollatorForSeq2Seq, Trainer, TrainingArguments
    from transformers.trainer_callback import PrinterCallback

    scored = bool(coded_dev.rows)
    every = min(settings.dev_every, settings.steps)
    best = settings.keep == "best"
    arguments = TrainingArguments(
        output_dir=str(folder.checkpoints),
        max_steps=settings.steps,
        per_device_train_batch_size=settings.device_batch,
        per_device_eval_batch_size=settings.device_batch,
        gradient_accumulation_steps=settings.batch // settings.device_batch,
        learning_rate=settings.learning_rate,
        optim="adamw_torch",
        seed=settings.seed,
        use_cpu=loaded.device == "cpu",
        bf16=loaded.dtype == "bfloat16",
        **_memory(TrainingArguments, wanted=settings.save_memory),
        logging_steps=1,
        logging_nan_inf_filter=False,
        eval_strategy="steps" if scored else "no",
        eval_steps=every,
        eval_on_start=scored and fresh,
        save_strategy="steps",
        save_steps=every,
        save_total_limit=settings.checkpoints,
        load_best_model_at_end=best,
        metric_for_best_model="eval_loss" if best else None,
        greater_is_better=False if best else None,
        prediction_loss_only=True,
        remove_unused_columns=False,
        dataloader_pin_memory=loaded.device == "cuda",
        disable_tqdm=True,
        report_to="none",
    )
    arguments._n_gpu = min(1, arguments.n_gpu)  # noqa: SLF001  (several GPUs would multiply the batch of the recipe)
    trainer = Trainer(
        model=adapted,
        args=arguments,
        train_dataset=coded.rows,
        eval_dataset=coded_dev.rows if scored else None,
        data_collator=DataCollatorForSeq2Seq(loaded.tokenizer, model=adapted, label_pad_token_id=data.IGNORED),
        processing_class=loaded.tokenizer,
        compute_loss_func=_loss(kind),
    )
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(_watch(loaded, adapted, coded_dev, settings, folder, kind, progress=bar))
    return trainer


def _loss(kind: Kind) -> Callable[..., Any]:
    """The mean loss of the reply's tokens over a whole update, however many examples are computed at once.

    Models' own losses differ there: T5's is a mean a part of the update, and the Trainer would add these up. Only the
    places that count are read, because a long prompt times a vocabulary is more than many a memory holds.
    """

    def loss(outputs: Any, labels: Any, num_items_in_batch: Any = None) -> Any:
        logits = outputs["logits"]
        if kind == "causal":  # each token is predicted at the place before it
            logits, labels = logits[:, :-1], labels[:, 1:]
        counts = labels != data.IGNORED
        cross_entropy = import_torch().nn.functional.cross_entropy
        total = cross_entropy(logits[counts].float(), labels[counts], reduction="sum")
        return total / (counts.sum() if num_items_in_batch is None else num_items_in_batch)

    return loss


def _memory(arguments: Any, *, wanted: bool) -> dict[str, Any]:
    """The Trainer's arguments that compute activations twice, under the name that its version gives them."""
    if not wanted:
        return {}
    new = "activation_checkpointing"
    name = new if new in arguments.__dataclass_fields__ else "gradient_checkpointing"
    return {name: True, f"{name}_kwargs": {"use_reentrant": False}}


def run(built: Any, checkpoint: Path | None) -> None:
    """Train from the start or from a checkpoint.

    Raises:
        BackendError: the GPU's memory is too small, or the loss is no number any more.
    """
    torch = import_torch()
    try:
        built.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    except torch.cuda.OutOfMemoryError as error:
        raise BackendError(
            "the GPU's memory is too small: lower --device-batch or --max-input, or give --save-memory"
        ) from error


def _watch(
    loaded: Loaded, adapted: Any, dev: Encoded, settings: Settings, folder: Folder, kind: Kind, *, progress: bool
) -> Any:
    """What the Trainer tells while it works: losses go to the file, scores are taken, the bar moves."""
    from tqdm import tqdm
    from transformers import TrainerCallback

    class Watch(TrainerCallback):  # type: ignore[misc]  # the library's class is untyped here
        def __init__(self) -> None:
            self.bar: Any = None
            self.figures: dict[str, str] = {}

        def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002
            self.bar = tqdm(
                total=settings.steps, initial=state.global_step, desc="lora", unit=" steps", disable=not progress
            )

        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:  # noqa: ARG002
            if "loss" in logs:
                _finite(logs["loss"], state.global_step)
                keys = ("loss", "learning_rate", "grad_norm")
                folder.log({"step": state.global_step, **{key: float(logs[key]) for key in keys if key in logs}})
                self.bar.update(state.global_step - self.bar.n)
                self.bar.set_postfix({"loss": f"{logs['loss']:.3f}", **self.figures}, refresh=False)

        def on_evaluate(self, args: Any, state: Any, control: Any, metrics: Any = None, **_: Any) -> None:  # noqa: ARG002
            loss = _finite(metrics["eval_loss"], state.global_step)
            row = {"dev_loss": float(loss), **exact_match(adapted, loaded, dev, kind, settings)}
            self.figures = {"dev": f"{row['dev_loss']:.3f}", "match": f"{row['dev_exact_match']:.0%}"}
            folder.log({"step": state.global_step, **row})

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002
            if state.global_step >= settings.steps and dev.rows:
                control.should_evaluate = True  # whether or not the last step is a multiple of dev_every

        def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002
            folder.complete(state.global_step)

        def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002
            self.bar.close()

    return Watch()


def _finite(loss: float, step: int) -> float:
    if not math.isfinite(loss):
        raise BackendError(f"the loss is {loss} at step {step}: lower --learning-rate, or use dtype float32")
    return loss
