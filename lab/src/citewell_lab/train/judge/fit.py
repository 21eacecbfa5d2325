"""The judge's training: one pass over the families, a decreasing rate, the adapter saved every few minutes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from citewell.errors import InputError, UsageError
from citewell.models.loading import import_torch
from citewell.text.data import settings
from citewell_lab.train.judge.encoding import IGNORED, Batch, Coder, batches, tensors
from citewell_lab.train.judge.examples import OPEN, SUPPORTED, Family
from citewell_lab.train.judge.network import ADAPTER, network

STATE = "state.json"  # beside the adapter: where the run stands
OPTIMIZER = "optimizer.pt"
LOSSES = "losses.jsonl"
_SAVED = 300  # seconds between checkpoints
_REPORTED = 60
Tell = Callable[[str], None]


def build(base: Path) -> Any:
    """The network over a base model, as the settings say."""
    s = settings(__package__)
    bits, block = int(s["bits"]), int(s["block"])
    return network(base, rank=int(s["rank"]), first=int(s["first"]), bits=bits, block=block)


def train(
    families: Sequence[Family],
    base: Path,
    out: Path,
    *,
    minutes: float,
    seed: int = 0,
    resume: Path | None = None,
    threads: int = 1,
    tell: Tell = lambda _: None,
) -> Any:
    """Train for so many minutes of computing; adapter and state lie in `out` afterwards.

    Args:
        families: what to learn from.
        base: the folder of the language model.
        out: the folder of the run.
        minutes: of this and all earlier sittings together; the rate falls to zero over them.
        seed: of first weights and order.
        resume: the folder with the adapter to go on with; None begins anew.
        threads: of the processor.
        tell: is given lines of progress.

    Raises:
        UsageError: `out` holds a run and `resume` is None.
        InputError: the base model, or the adapter to go on with, cannot be read.
        MissingExtraError: torch is not installed.
    """
    if resume is None and (out / STATE).exists():
        raise UsageError(f"{out} holds a run: --resume goes on with it")
    torch = import_torch()
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    out.mkdir(parents=True, exist_ok=True)
    coder = Coder(base)
    run = _Run(build(base), batches(families, coder, int(settings(__package__)["batch"]), str(seed)), seed)
    if resume is not None:
        run.load(resume)
    saved = reported = run.elapsed
    while run.elapsed < minutes * 60:
        run.step(run.elapsed / (minutes * 60))
        over = run.elapsed >= minutes * 60
        if run.elapsed - reported >= _REPORTED or over:
            reported = run.elapsed
            row = run.progress()
            with (out / LOSSES).open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
            done = f"{row['minutes']:.1f} of {minutes:g} minutes"
            tell(f"{done}, {row['steps']} steps, {row['tokens']:,} tokens, {row['loss']}")
        if run.elapsed - saved >= _SAVED or over:
            saved = run.elapsed
            run.save(out)
    return run.model.eval()


class _Run:
    """The network, its optimizer and where it stands."""

    def __init__(self, model: Any, coming: Iterator[Batch], seed: int) -> None:
        self._torch = import_torch()
        s = settings(__package__)
        self.model = model.train()
        self.elapsed, self.steps, self.tokens, self.claims, self.seed = 0.0, 0, 0, 0, seed
        self._batches = coming
        self._costs: dict[str, list[float]] = {}
        heads = [*model.claim.parameters(), *model.wrong.parameters()]
        head_ids = {id(weights) for weights in heads}
        adapters = [weights for weights in model.parameters() if id(weights) not in head_ids]
        self._optimizer = self._torch.optim.AdamW(
            [
                {"params": adapters, "lr": 0.0, "highest": s["rate"]},
                {"params": heads, "lr": 0.0, "highest": s["rate_heads"]},
            ],
            weight_decay=s["decay"],
            betas=(0.9, 0.98),
            fused=True,
        )

    def step(self, share: float) -> None:
        """One batch at a share of the time."""
        begun, s = monotonic(), settings(__package__)
        batch = next(self._batches)
        for part in self._optimizer.param_groups:
            part["lr"] = part["highest"] * rate(share)
        cost, parts = loss(self.model, batch)
        cost.backward()
        self._torch.nn.utils.clip_grad_norm_(self.model.parameters(), s["clip"])
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        for name, value in parts.items():
            self._costs.setdefault(name, []).append(value)
        self.steps += 1
        self.tokens += sum(line.length for line in batch)
        self.claims += sum(len(line.claims) for line in batch)
        self.elapsed += monotonic() - begun

    def progress(self) -> dict[str, Any]:
        """Where the run stands, with the mean of each part of the loss since the last time."""
        means = {name: round(sum(costs) / len(costs), 4) for name, costs in self._costs.items()}
        self._costs.clear()
        minutes = round(self.elapsed / 60, 2)
        return {"steps": self.steps, "minutes": minutes, "tokens": self.tokens, "claims": self.claims, "loss": means}

    def save(self, folder: Path) -> None:
        """Write the adapter in sixteen bits, where the run stands, and the optimizer's state."""
        from safetensors.torch import save_file

        weights = {name: value.to(self._torch.bfloat16) for name, value in self.model.state_dict().items()}
        partial = folder / f"{ADAPTER}.tmp"
        save_file(weights, partial)
        partial.replace(folder / ADAPTER)
        state = {name: getattr(self, name) for name in ("seed", "steps", "elapsed", "tokens", "claims")}
        (folder / STATE).write_text(json.dumps(state) + "\n", encoding="utf-8")
        partial = folder / f"{OPTIMIZER}.tmp"
        self._torch.save(self._optimizer.state_dict(), partial)
        partial.replace(folder / OPTIMIZER)

    def load(self, folder: Path) -> None:
        """Go on from there; without the optimizer's state its averages begin anew.

        Raises:
            InputError: there is no adapter that fits.
        """
        state = load_adapter(self.model, folder)
        self.steps, self.elapsed = int(state["steps"]), float(state["elapsed"])
        self.tokens, self.claims = int(state["tokens"]), int(state["claims"])
        if (folder / OPTIMIZER).exists():
            self._optimizer.load_state_dict(self._torch.load(folder / OPTIMIZER, weights_only=True))
        for _ in range(self.steps):
            next(self._batches)


def load_adapter(model: Any, folder: Path) -> Mapping[str, Any]:
    """Put the adapter and heads of a folder into the network; what its state file says.

    Raises:
        InputError: the folder has none, or one of another shape.
    """
    from safetensors.torch import load_file

    try:
        model.load_state_dict({name: value.float() for name, value in load_file(folder / ADAPTER).items()})
        state: Mapping[str, Any] = json.loads((folder / STATE).read_text(encoding="utf-8"))
    except (OSError, ValueError, RuntimeError) as error:
        raise InputError(f"{folder} holds no adapter of this judge: {error}") from error
    return state


def rate(share: float) -> float:
    """The learning rate at a share of the time, as a part of the highest."""
    warm = settings(__package__)["warm"]
    return share / warm if share < warm else max(0.0, (1 - share) / (1 - warm))


def loss(model: Any, batch: Batch) -> tuple[Any, dict[str, float]]:
    """What a batch costs, and its parts: classes, margin within families, marked tokens."""
    torch = import_torch()
    s = settings(__package__)
    inputs = tensors(batch, torch.bfloat16)
    logits, words = model(inputs.ids, inputs.positions, inputs.masks, inputs.ends)
    sure = torch.log_softmax(logits, dim=-1)
    against = torch.logsumexp(sure[:, 1:], dim=-1)
    known = sure.gather(1, inputs.labels.clamp(max=OPEN - 1).unsqueeze(1)).squeeze(1)
    classes = -torch.where(inputs.labels == OPEN, against, known).mean()
    odds = sure[:, SUPPORTED] - against
    holds = inputs.labels == SUPPORTED
    family = torch.tensor(inputs.families)
    pairs = (family.unsqueeze(1) == family) & holds.unsqueeze(1) & ~holds
    gaps = torch.relu(s["margin"] - odds.unsqueeze(1) + odds.unsqueeze(0))
    margin = (gaps * pairs).sum() / pairs.sum().clamp(min=1)
    marked = inputs.marks != IGNORED
    wrong = inputs.marks.clamp(min=0).float()
    each = torch.nn.functional.binary_cross_entropy_with_logits(words, wrong, reduction="none")
    few = (each * wrong * marked).sum() / (wrong * marked).sum().clamp(min=1)
    many = (each * (1 - wrong) * marked).sum() / ((1 - wrong) * marked).sum().clamp(min=1)
    tokens = (few + many) / 2
    total = classes + s["margin_weight"] * margin + s["token_weight"] * tokens
    right = float(((odds > 0) == holds).float().mean().detach())
    parts = {"class": classes, "margin": margin, "token": tokens}
    return total, {**{name: float(part.detach()) for name, part in parts.items()}, "right": right}
