"""The encoder with its heads in torch, and the loss of a batch of each task."""

from __future__ import annotations

from typing import Any

from citewell.models.loading import import_torch
from citewell.text.data import settings
from citewell_lab.train.mini.encoding import IGNORED, Batch, Item
from citewell_lab.train.mini.examples import OPEN, SUPPORTED

MASKED = -1e4  # a score that no softmax sees, small enough for half precision


def network(encoder: Any) -> Any:
    """The encoder with three heads; one pass gives all.

    A claim is judged by the first state, and by the mean and the maximum of its own words' states, with the score of
    its worst word: one wrong word makes a claim wrong.
    """
    torch = import_torch()
    nn = torch.nn
    size = int(encoder.config.hidden_size)

    class Mini(nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.encoder = encoder
            self.words = nn.Linear(size, 1)
            self.claim = nn.Linear(3 * size + 1, 3)
            self.spans = nn.Linear(size, 2)
            self.about = nn.Linear(size, 1)

        def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> tuple[Any, Any, Any, Any]:
            states = self.encoder(
                input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
            ).last_hidden_state.float()
            mine = (token_type_ids * attention_mask).unsqueeze(-1).float()
            first = states[:, 0]
            mean = (states * mine).sum(1) / mine.sum(1).clamp(min=1.0)
            most = (states * mine + MASKED * (1 - mine)).amax(1)
            words = self.words(states)
            worst = (words * mine + MASKED * (1 - mine)).amax(1)
            most, worst = most.clamp(min=-1e3), worst.clamp(min=-1e3)  # a text without a claim
            logits = self.claim(torch.cat([first, mean, most, worst], dim=-1))
            outside = token_type_ids.unsqueeze(-1).float() + (1 - attention_mask.unsqueeze(-1).float())
            spans = self.spans(states) + MASKED * outside.clamp(max=1.0)
            return logits, spans, self.about(first), words.squeeze(-1)

    return Mini()


def tensors(batch: Batch, pad: int, device: str) -> dict[str, Any]:
    """The items of a batch as the network takes them."""
    torch = import_torch()
    items = [item for group in batch.groups for item in group]
    longest = max(len(item.ids) for item in items)

    def padded(rows: list[list[int]], fill: int) -> Any:
        return torch.tensor([[*row, *[fill] * (longest - len(row))] for row in rows], device=device)

    return {
        "input_ids": padded([item.ids for item in items], pad),
        "attention_mask": padded([[1] * len(item.ids) for item in items], 0),
        "token_type_ids": padded([item.kinds for item in items], 0),
    }


def loss(batch: Batch, outputs: tuple[Any, Any, Any, Any], device: str) -> Any:
    """What a batch costs, as its task is judged."""
    torch = import_torch()
    items = [item for group in batch.groups for item in group]
    logits, spans, about, words = outputs
    if batch.task == "questions":
        wanted = torch.tensor([item.answer for item in items], device=device)
        cross = torch.nn.functional.cross_entropy
        return (cross(spans[..., 0], wanted[:, 0]) + cross(spans[..., 1], wanted[:, 1])) / 2
    if batch.task == "rankings":
        scores = about.reshape(len(batch.groups), -1)  # every ranking has as many passages, the right one first
        first = torch.zeros(len(batch.groups), dtype=torch.long, device=device)
        right = torch.tensor([float(item.label) for item in items], device=device)
        alone = torch.nn.functional.binary_cross_entropy_with_logits(about.squeeze(-1), right)
        return (torch.nn.functional.cross_entropy(scores, first) + alone) / 2
    return _claims(batch, items, logits, words, device)


def _claims(batch: Batch, items: list[Item], logits: Any, words: Any, device: str) -> Any:
    torch = import_torch()
    s = settings(__package__)
    label = torch.tensor([item.label for item in items], device=device)
    sure = torch.log_softmax(logits, dim=-1)
    against = torch.logsumexp(sure[:, 1:], dim=-1)  # contradicted or neither
    known = sure.gather(1, label.clamp(max=OPEN - 1).unsqueeze(1)).squeeze(1)
    total = -torch.where(label == OPEN, against, known).mean()
    odds = sure[:, SUPPORTED] - against
    true, false = _pairs(batch)
    if true:
        total = total + s["margin_weight"] * torch.relu(s["margin"] - odds[true] + odds[false]).mean()
    marks = [(row, place, mark) for row, item in enumerate(items) for place, mark in enumerate(item.wrong) if mark >= 0]
    if marks:
        rows, places, wanted = (list(column) for column in zip(*marks, strict=True))
        wrong = torch.tensor(wanted, dtype=torch.float32, device=device)
        per_word = torch.nn.functional.binary_cross_entropy_with_logits(words[rows, places], wrong, reduction="none")
        # Few words are wrong: both kinds weigh alike.
        few = (per_word * wrong).sum() / wrong.sum().clamp(min=1) + (per_word * (1 - wrong)).sum() / (
            1 - wrong
        ).sum().clamp(min=1)
        total = total + s["token_weight"] * few / 2
    return total


def _pairs(batch: Batch) -> tuple[list[int], list[int]]:
    """Rows of true claims and of false ones beside them in one family."""
    true, false, start = [], [], 0
    for group in batch.groups:
        holds = [start + n for n, item in enumerate(group) if item.label == SUPPORTED]
        fails = [start + n for n, item in enumerate(group) if item.label not in (SUPPORTED, IGNORED)]
        true += [good for good in holds for _ in fails]
        false += [bad for _ in holds for bad in fails]
        start += len(group)
    return true, false
