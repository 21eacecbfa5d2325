"""The development score: how often the model's greedy reply equals the target."""

from __future__ import annotations

from typing import Any

from citewell.models.batches import batches
from citewell.models.loading import Kind, Loaded, import_torch
from citewell.text.replies import parsing
from citewell_lab.train.data import Encoded
from citewell_lab.train.settings import Settings

_MANY = 10**4  # every number in brackets counts as a mark
_MORE = 8  # tokens that a reply may be longer than the longest that is wanted


def exact_match(model: Any, loaded: Loaded, dev: Encoded, kind: Kind, settings: Settings) -> dict[str, float]:
    """Shares of the development examples in [0, 1].

    `dev_exact_match`: the reply is the target, white space apart. `dev_answer_match`: they are the same without their
    marks of evidence; the same figure where targets have none.
    """
    replies = greedy(model, loaded, dev, kind, settings)
    pairs = list(zip(replies, dev.targets, strict=True))
    count = max(1, len(pairs))
    return {
        "dev_exact_match": sum(_plain(entry) == _plain(two) for entry, two in pairs) / count,
        "dev_answer_match": sum(_answer(entry) == _answer(two) for entry, two in pairs) / count,
    }


def greedy(model: Any, loaded: Loaded, dev: Encoded, kind: Kind, settings: Settings) -> list[str]:
    """The model's reply to each prompt, without sampling. Random states stay as they were."""
    torch = import_torch()
    tokenizer = loaded.tokenizer
    most = min(settings.max_target, max((len(row["labels"]) for row in dev.rows), default=0) + _MORE)
    if kind == "causal":
        spare = max(len(row["labels"]) - len(prompt) for row, prompt in zip(dev.rows, dev.prompts, strict=True))
        most = min(settings.max_target, spare + _MORE)
    replies = [""] * len(dev.prompts)
    training = model.training
    model.eval()
    try:
        with torch.inference_mode():
            for group in batches([len(prompt) for prompt in dev.prompts], settings.device_batch):
                inputs = tokenizer.pad(
                    {"input_ids": [dev.prompts[i] for i in group]},
                    return_tensors="pt",
                    padding_side="left" if kind == "causal" else "right",
                ).to(model.device)
                draft = model.generate(
                    input_ids=inputs["input_ids"],
                    attention_mask=inputs["attention_mask"],
                    max_new_tokens=most,
                    do_sample=False,
                    num_beams=1,
                    pad_token_id=tokenizer.pad_token_id,
                )
                start = inputs["input_ids"].shape[1] if kind == "causal" else 0
                for i, row in zip(group, draft, strict=True):
                    replies[i] = tokenizer.decode(row[start:], skip_special_tokens=True)
    finally:
        model.train(training)
    return replies


def _plain(text: str) -> str:
    return " ".join(text.split())


def _answer(text: str) -> str:
    return _plain(parsing.parse(text, _MANY, single=True).text)
