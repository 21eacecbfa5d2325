"""The training itself: batches by turns of their tasks, a rate that falls with the time, checkpoints to go on from."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from citewell.errors import InputError, UsageError
from citewell.models.loading import import_torch
from citewell.models.onnx.session import required
from citewell.models.onnx.tokenizer import Tokenizer
from citewell.text.data import read_json, settings
from citewell_lab.train.mini.encoding import TASKS, Batch, Coder, Example, batches, sized
from citewell_lab.train.mini.examples import Examples
from citewell_lab.train.mini.network import loss, network, tensors

HEADS: Mapping[str, tuple[str, ...]] = {
    "claim": ("entailment", "contrast"),
    "reader": ("questions",),
    "relevance": ("rankings",),
}
Tell = Callable[[str], None]
CHECKPOINT, LOSSES = "checkpoint.pt", "losses.jsonl"
_SAVED = 300  # seconds between checkpoints
_TOLD = 60  # seconds between lines of progress


class Course:
    """Which batch comes next: the task that lags most behind its share of the tokens.

    Args:
        examples: of each task.
        coder: makes tokens of them.
        seed: of the order in which they come.
        heads: those that learn.

    Raises:
        InputError: there is nothing to learn from for them.
    """

    def __init__(self, examples: Examples, coder: Coder, seed: int, heads: Sequence[str] = tuple(HEADS)) -> None:
        size = int(settings(__package__)["batch_tokens"])
        tasks = {task for head in heads for task in HEADS[head]}
        listed: dict[str, Sequence[Example]] = {
            task: batch for task, batch in examples._asdict().items() if task in tasks
        }
        self._coming = {
            task: batches(sized(listed[task], coder), size, f"{seed}:{task}") for task in TASKS if listed.get(task)
        }
        if not self._coming:
            raise InputError(f"the data has nothing to learn from for {', '.join(heads)}")
        mixes = read_json(__package__, "settings.json")
        self._mixes: tuple[Mapping[str, float], ...] = (mixes["mix_first"], mixes["mix_then"])
        self._coder = coder
        self.taken = dict.fromkeys(TASKS, 0)
        self.spent = dict.fromkeys(TASKS, 0)  # tokens in the part of the course that is now

    def next(self, *, first: bool) -> Batch:
        """The next batch, in the first part of the course or after it."""
        mixes = [{task: share for task, share in mix.items() if share and task in self._coming} for mix in self._mixes]
        mix = (first and mixes[0]) or mixes[1]
        task = min(mix, key=lambda name: self.spent[name] / mix[name])
        groups = tuple(map(self._coder, next(self._coming[task])))
        self.taken[task] += 1
        tokens = max(len(item.ids) for group in groups for item in group) * sum(map(len, groups))
        self.spent[task] += tokens
        return Batch(task, groups, tokens)

    def skip(self, taken: Mapping[str, int], spent: Mapping[str, int]) -> None:
        """Go on after what was taken before."""
        for task, count in taken.items():
            for _ in range(count if task in self._coming else 0):
                next(self._coming[task])
        self.taken, self.spent = dict(taken), dict(spent)


def rate(share: float) -> float:
    """The learning rate at a share of the time, as a part of the highest."""
    warm = settings(__package__)["warm"]
    return share / warm if share < warm else max(0.0, (1 - share) / (1 - warm))


def tokenizer_of(encoder: Path) -> Tokenizer:
    """The tokenizer of a model's folder, as the back ends will use it."""
    return Tokenizer(required("tokenizers"), encoder, 0)


def train(
    examples: Examples,
    encoder: Path,
    out: Path,
    *,
    minutes: float,
    device: str = "auto",
    seed: int = 0,
    heads: Sequence[str] = tuple(HEADS),
    resume: bool = False,
    tell: Tell = lambda _: None,
) -> Any:
    """Train for so many minutes of computing; the network lies in `out` afterwards and is returned.

    Args:
        examples: what to learn from.
        encoder: the folder of the encoder to begin with.
        out: the folder of the run: `checkpoint.pt`, `losses.jsonl`.
        minutes: of all sittings together.
        device: `auto`, `cpu`, `cuda`.
        seed: of first weights and order.
        heads: those that learn.
        resume: go on with the run that lies there.
        tell: is given lines of progress.

    Raises:
        UsageError: the folder holds a run and `resume` is off, or there is none to resume.
        MissingExtraError: torch or transformers is not installed.
    """
    checkpoint = ready(out, resume=resume)
    out.mkdir(parents=True, exist_ok=True)
    torch = import_torch()
    torch.manual_seed(seed)
    where = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
    coder = Coder(tokenizer_of(encoder), int(settings(__package__)["tokens"]))
    run = _Run(network(_encoder(encoder)).to(where), Course(examples, coder, seed, heads), where)
    run.of = {"seed": seed, "heads": sorted(heads)}
    if resume:
        run.load(checkpoint)
    whole = minutes * 60
    saved = elapsed = run.elapsed
    while run.elapsed < whole:
        run.step(run.elapsed / whole)
        over = run.elapsed >= whole
        if run.elapsed - elapsed >= _TOLD or over:
            elapsed = run.elapsed
            row = run.told()
            with (out / LOSSES).open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
            tell(f"{row['minutes']:.1f} of {minutes:g} minutes, {row['steps']} steps, loss {row['loss']}")
        if run.elapsed - saved >= _SAVED or over:
            saved = run.elapsed
            run.save(checkpoint)
    return run.model.eval()


def ready(out: Path, *, resume: bool) -> Path:
    """Where the run's checkpoint is written.

    Raises:
        UsageError: the folder holds a run and `resume` is off, or there is none to resume.
    """
    checkpoint = out / CHECKPOINT
    if checkpoint.exists() != resume:
        raise UsageError(
            f"{out} has no run to go on with" if resume else f"{out} holds a run: --resume goes on with it"
        )
    return checkpoint


class _Run:
    """The network, its optimizer and where the course stands."""

    def __init__(self, model: Any, course: Course, device: str) -> None:
        self.model, self.course, self.device = model.train(), course, device
        self.elapsed, self.steps, self.later = 0.0, 0, False
        self.of: dict[str, Any] = {}  # what a run must share with the one that it goes on with
        self._torch = import_torch()
        self._costs: dict[str, list[float]] = {}
        s = settings(__package__)
        # The encoder computes in sixteen bits throughout; what the optimizer moves is kept in full beside it.
        self._half = copy.deepcopy(model)
        self._half.encoder.to(self._torch.bfloat16)
        self._whole, self._halves = (
            [weights for weights in entry.parameters() if weights.requires_grad] for entry in (model, self._half)
        )
        self._optimizer = self._torch.optim.AdamW(_parameters(model), weight_decay=s["decay"], fused=True)

    def step(self, share: float) -> None:
        """One batch at a share of the time."""
        begun, s = time.monotonic(), settings(__package__)
        if share >= s["first"] and not self.later:
            self.later, self.course.spent = True, dict.fromkeys(TASKS, 0)
        batch = self.course.next(first=not self.later)
        for part in self._optimizer.param_groups:
            part["lr"] = part["highest"] * rate(share)
        cost = loss(batch, self._half(**tensors(batch, 0, self.device)), self.device)
        cost.backward()
        for whole, half in zip(self._whole, self._halves, strict=True):
            whole.grad, half.grad = None if half.grad is None else half.grad.to(whole.dtype), None
        self._torch.nn.utils.clip_grad_norm_(self._whole, s["clip"])
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        self._spread()
        self._costs.setdefault(batch.task, []).append(float(cost.detach()))
        self.steps += 1
        self.elapsed += time.monotonic() - begun

    def _spread(self) -> None:
        """The weights that compute, made anew from those that are kept."""
        with self._torch.no_grad():
            self._torch._foreach_copy_(self._halves, self._whole)

    def told(self) -> dict[str, Any]:
        """Where the run stands, with the mean loss of each task since the last time."""
        means = {task: round(sum(costs) / len(costs), 4) for task, costs in self._costs.items()}
        self._costs.clear()
        minutes = round(self.elapsed / 60, 2)
        return {"steps": self.steps, "minutes": minutes, "tokens": dict(self.course.spent), "loss": means}

    def save(self, path: Path) -> None:
        """Write all that is needed to go on, whole or not at all."""
        state = {
            "model": self.model.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "progress": {"elapsed": self.elapsed, "steps": self.steps, "later": self.later},
            "of": self.of,
            "course": {"taken": self.course.taken, "spent": self.course.spent},
        }
        partial = path.with_suffix(".tmp")
        self._torch.save(state, partial)
        partial.replace(path)

    def load(self, path: Path) -> None:
        """Go on from there.

        Raises:
            UsageError: it is of another seed or other heads.
        """
        state = self._torch.load(path, map_location=self.device, weights_only=True)
        if state["of"] != self.of:
            before = f"seed {state['of']['seed']} and heads {', '.join(state['of']['heads'])}"
            raise UsageError(f"{path.parent} holds a run of {before}: go on with just these")
        self.model.load_state_dict(state["model"])
        self._spread()
        self._optimizer.load_state_dict(state["optimizer"])
        self.elapsed, self.steps, self.later = (state["progress"][name] for name in ("elapsed", "steps", "later"))
        self.course.skip(**state["course"])


def _encoder(folder: Path) -> Any:
    import transformers

    model = transformers.AutoModel.from_pretrained(
        folder, attn_implementation="eager", hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
        add_pooling_layer=False,
    )  # fmt: skip
    frozen = int(settings(__package__)["frozen"])
    # Half of all weights are words, and those of the sets are few; the lowest layers know words more than texts.
    for part in (model.embeddings, *model.encoder.layer[:frozen]):
        for weights in part.parameters():
            weights.requires_grad = False
    return model


def _parameters(model: Any) -> Iterator[dict[str, Any]]:
    s = settings(__package__)
    encoder = [weights for weights in model.encoder.parameters() if weights.requires_grad]
    heads = [weights for name, weights in model.named_parameters() if not name.startswith("encoder.")]
    for weights, highest in ((encoder, s["rate"]), (heads, s["rate_heads"])):
        yield {"params": weights, "lr": 0.0, "highest": highest}
