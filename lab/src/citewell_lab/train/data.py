"""Training examples: prompts and target replies, read from JSON lines, split and tokenized."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from citewell.errors import InputError
from citewell.llm.chat import ending, rendered
from citewell.models.loading import Kind
from citewell.protocols import Message
from citewell.text import files

IGNORED = -100  # the label of tokens that do not count in the loss: the prompt's, and padding
HELD_OUT = 0.1  # share of the examples that are kept for the development score where none are given
HELD_OUT_MOST = 200

_ROLES = ("system", "user", "assistant")


class Example(NamedTuple):
    """A conversation that asks, and the reply that is wanted."""

    messages: tuple[Message, ...]
    target: str

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, which `read` takes."""
        return {"prompt": [message._asdict() for message in self.messages], "target": self.target}


class Encoded(NamedTuple):
    """Examples in tokens: rows of `input_ids`, `attention_mask` and `labels`; prompts alone for the development score.

    Attributes:
        rows: what the Trainer is given.
        prompts: token ids of each example's prompt.
        targets: the replies as text.
        too_long: how many examples were left out because they exceed the limits.
    """

    rows: list[dict[str, list[int]]]
    prompts: list[list[int]]
    targets: list[str]
    too_long: int


def read(path: str | Path) -> list[Example]:
    """Examples from a file with one JSON object a line: `prompt` (a text, or a list of turns) and `target` (a text).

    Raises:
        InputError: the file cannot be read, a line is not such an object, or there is none.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the examples cannot be read: {error}") from error
    matches = [_example(line, f"{path}, line {number}") for number, line in enumerate(lines, start=1) if line.strip()]
    if not matches:
        raise InputError(f"{path} has no examples: one JSON object a line, with prompt and target, is needed")
    return matches


def write(path: Path, examples: Iterable[Example]) -> None:
    """Write examples so that `read` gives the same.

    Raises:
        InputError: the file cannot be written.
    """
    files.write(path, "".join(json.dumps(example.to_dict(), ensure_ascii=False) + "\n" for example in examples))


def _example(line: str, where: str) -> Example:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise InputError(f"{where}: not JSON: {error}") from error
    if not isinstance(row, Mapping) or "prompt" not in row or "target" not in row:
        raise InputError(f"{where}: an object with prompt and target is needed")
    target = row["target"]
    if not isinstance(target, str) or not target.strip():
        raise InputError(f"{where}: target is a text that is not empty")
    return Example(_messages(row["prompt"], where), target)


def _messages(prompt: Any, where: str) -> tuple[Message, ...]:
    turns = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else prompt
    if not isinstance(turns, list) or not turns:
        raise InputError(f'{where}: prompt is a text, or a list of {{"role": ..., "content": ...}}')
    collected = []
    for turn in turns:
        if not isinstance(turn, Mapping) or turn.get("role") not in _ROLES or not isinstance(turn.get("content"), str):
            raise InputError(f"{where}: a turn of prompt has a role ({', '.join(_ROLES)}) and a content")
        collected.append(Message(turn["role"], turn["content"]))
    return tuple(collected)


def checksum(examples: Sequence[Example]) -> str:
    """SHA-256 in hex of the examples in their order, whatever file or task they came from."""
    built = hashlib.sha256()
    for example in examples:
        built.update(json.dumps(example.to_dict(), ensure_ascii=False, sort_keys=True).encode() + b"\n")
    return built.hexdigest()


def hold_out(examples: Sequence[Example], seed: int) -> tuple[list[Example], list[Example]]:
    """Examples to train on, and a tenth (at most 200) for the development score, drawn by `seed`.

    Equal prompts stay together, so that nothing of the development score was trained on.

    Raises:
        InputError: there are fewer than two distinct prompts.
    """
    groups: dict[tuple[Message, ...], list[Example]] = {}
    for example in examples:
        groups.setdefault(example.messages, []).append(example)
    if len(groups) < 2:
        raise InputError("one example cannot be split: give more, or examples for the development score (--dev)")
    count = min(HELD_OUT_MOST, max(1, round(len(groups) * HELD_OUT)))
    chosen = set(random.Random(seed).sample(range(len(groups)), count))  # noqa: S311  (a draw, no secret)
    train: list[Example] = []
    dev: list[Example] = []
    for number, group in enumerate(groups.values()):
        (dev if number in chosen else train).extend(group)
    return train, dev


def encode(
    examples: Sequence[Example], tokenizer: Any, kind: Kind, *, most_input: int, most_target: int | None = None
) -> Encoded:
    """Tokens of the examples; those that are too long are left out and counted.

    Args:
        examples: what to encode.
        tokenizer: the model's.
        kind: `seq2seq`: prompt and target are encoder's and decoder's; `causal`: one sequence, the loss on the target.
        most_input: most tokens that the model takes: of a prompt, and for `causal` of prompt and target together.
        most_target: most tokens of a target; `most_input` where None.
    """
    encoded = Encoded([], [], [], 0)
    too_long = 0
    for example in examples:
        prompt, special = rendered(tokenizer, kind, example.messages)
        input_ids: list[int] = tokenizer(prompt, add_special_tokens=special and kind == "seq2seq", verbose=False)[
            "input_ids"
        ]
        if kind == "causal" and special and tokenizer.bos_token_id is not None and _begins(tokenizer):
            input_ids = [tokenizer.bos_token_id, *input_ids]
        if kind == "seq2seq":
            wanted: list[int] = tokenizer(text_target=example.target, verbose=False)["input_ids"]
            wanted = [*wanted, *([] if wanted[-1:] == [tokenizer.eos_token_id] else _end(tokenizer))]
            row = {"input_ids": input_ids, "labels": wanted}
            size = len(input_ids)
        else:
            end = ending(tokenizer, kind, example.messages, example.target)
            wanted = tokenizer(example.target + end, add_special_tokens=False, verbose=False)["input_ids"]
            row = {"input_ids": input_ids + wanted, "labels": [IGNORED] * len(input_ids) + wanted}
            size = len(input_ids) + len(wanted)
        if size > most_input or len(wanted) > (most_target or most_input):
            too_long += 1
            continue
        encoded.rows.append({**row, "attention_mask": [1] * len(row["input_ids"])})
        encoded.prompts.append(input_ids)
        encoded.targets.append(example.target)
    return encoded._replace(too_long=too_long)


def _begins(tokenizer: Any) -> bool:
    """Whether the tokenizer puts its begin token before a text by itself."""
    return bool(tokenizer("a")["input_ids"][:1] == [tokenizer.bos_token_id])


def _end(tokenizer: Any) -> list[int]:
    return [] if tokenizer.eos_token_id is None else [tokenizer.eos_token_id]
