"""The settings of a fine-tuning run, as the command line offers them; the defaults are LAB's recipe (section E.2)."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from citewell.errors import UsageError


def _setting(default: Any, says: str, *, least: int | None = None, choices: tuple[str, ...] = ()) -> Any:
    """A setting with what it means, its smallest value and the values that it takes."""
    return field(default=default, metadata={"says": says, "least": least, "choices": choices})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a model is fine-tuned; what each setting means stands beside it.

    `max_input` is of prompt and reply for causal models, or what the model takes, if less. Checkpoints are saved when
    a development score is taken, so that both are of the same weights.
    """

    model: str = field(metadata={"says": "A hub id or a path: encoder-decoder or causal.", "metavar": "NAME"})
    revision: str | None = _setting(None, "A branch, tag or commit of the model on the hub.")
    steps: int = _setting(1000, "Number of weight updates.", least=1)
    rank: int = _setting(64, "Rank of the LoRA matrices.", least=1)
    alpha: int = _setting(16, "Scale of the LoRA matrices.", least=1)
    dropout: float = _setting(0.1, "Dropout in the LoRA matrices.")
    learning_rate: float = _setting(1e-4, "Initial learning rate; decreases to 0.")
    batch: int = _setting(8, "Examples per update.", least=1)
    device_batch: int = _setting(
        1, "Examples computed at once; divides --batch. More is faster and takes more memory.", least=1
    )
    targets: str = _setting(
        "default", "Layers that receive matrices: default (PEFT's choice), all-linear, or names with commas."
    )
    max_input: int = _setting(16384, "Maximum number of tokens in a prompt.", least=1)
    max_target: int = _setting(1024, "Maximum number of tokens in a reply.", least=1)
    dev_every: int = _setting(100, "Steps between development scores and checkpoints.", least=1)
    dev_most: int = _setting(100, "Maximum number of development examples to score.", least=0)
    keep: str = _setting(
        "last", "The weights that become the adapter: the last, or the best by development loss.",
        choices=("last", "best"),
    )  # fmt: skip
    checkpoints: int = _setting(2, "Number of latest checkpoints to keep.", least=1)
    save_memory: bool = _setting(default=False, says="Recompute activations instead of storing them.")
    seed: int = _setting(0, "Seed of the initial weights, the order of the examples and the dropout.", least=0)
    device: str = _setting("auto", "Where to compute.", choices=("auto", "cpu", "cuda"))
    dtype: str = _setting("auto", "Data type of the frozen weights.", choices=("auto", "float32", "bfloat16"))

    def __post_init__(self) -> None:
        for setting in fields(self):
            value, least, choices = getattr(self, setting.name), *map(setting.metadata.get, ("least", "choices"))
            if least is not None and value < least:
                raise UsageError(f"{setting.name} is at least {least}, not {value}")
            if choices and value not in choices:
                raise UsageError(f"{setting.name} is {', '.join(choices[:-1])} or {choices[-1]}, not {value!r}")
        if self.learning_rate <= 0:
            raise UsageError(f"learning_rate is above 0, not {self.learning_rate}")
        if not 0 <= self.dropout < 1:
            raise UsageError(f"dropout is at least 0 and below 1, not {self.dropout}")
        if self.batch % self.device_batch:
            raise UsageError(f"device_batch ({self.device_batch}) must divide batch ({self.batch})")
