"""The settings of a fine-tuning run; the defaults are LAB's recipe (section E.2)."""

from __future__ import annotations

from dataclasses import dataclass

from citewell.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a model is fine-tuned.

    Attributes:
        model: a hub id or a local path, encoder-decoder or causal.
        revision: a branch, tag or commit on the hub.
        steps: updates of the weights.
        rank, alpha, dropout: of the LoRA matrices.
        learning_rate: at the first step; it falls to 0 in a straight line.
        batch: examples of one update; `device_batch` of them are computed at once, so it must divide `batch`.
        targets: the layers that get matrices: `default` (PEFT's choice for the architecture, all linear layers where it
            has none), `all-linear`, or names separated by commas.
        max_input: most tokens of a prompt (of prompt and reply for causal models), or what the model takes, if less.
        max_target: most tokens of a reply.
        dev_every: steps between development scores; also between checkpoints, so that both are of the same weights.
        dev_most: most development examples that are scored.
        keep: which weights become the adapter: `last`, or `best` by the loss on the development examples.
        checkpoints: how many of the latest checkpoints are kept to go on from.
        save_memory: compute activations twice instead of keeping them (gradient checkpointing).
        seed: of the initial weights, the order of the examples and the dropout.
        device: `auto`, `cpu` or `cuda` (the first GPU).
        dtype: of the frozen weights: `auto` (bfloat16 on a GPU that knows it, else float32), `float32`, `bfloat16`.
    """

    model: str
    revision: str | None = None
    steps: int = 1000
    rank: int = 64
    alpha: int = 16
    dropout: float = 0.1
    learning_rate: float = 1e-4
    batch: int = 8
    device_batch: int = 1
    targets: str = "default"
    max_input: int = 16384
    max_target: int = 1024
    dev_every: int = 100
    dev_most: int = 100
    keep: str = "last"
    checkpoints: int = 2
    save_memory: bool = False
    seed: int = 0
    device: str = "auto"
    dtype: str = "auto"

    def __post_init__(self) -> None:
        for name in (
            "steps",
            "rank",
            "alpha",
            "batch",
            "device_batch",
            "max_input",
            "max_target",
            "dev_every",
            "checkpoints",
        ):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} is at least 1, not {getattr(self, name)}")
        if self.dev_most < 0 or self.seed < 0:
            raise UsageError("dev_most and seed are at least 0")
        if self.learning_rate <= 0:
            raise UsageError(f"learning_rate is above 0, not {self.learning_rate}")
        if not 0 <= self.dropout < 1:
            raise UsageError(f"dropout is at least 0 and below 1, not {self.dropout}")
        if self.batch % self.device_batch:
            raise UsageError(f"device_batch ({self.device_batch}) must divide batch ({self.batch})")
        if self.keep not in ("last", "best"):
            raise UsageError(f"keep is last or best, not {self.keep!r}")
        if self.device not in ("auto", "cpu", "cuda"):
            raise UsageError(f"device is auto, cpu or cuda, not {self.device!r}")
        if self.dtype not in ("auto", "float32", "bfloat16"):
            raise UsageError(f"dtype is auto, float32 or bfloat16, not {self.dtype!r}")
