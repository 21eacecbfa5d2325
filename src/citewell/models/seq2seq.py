"""Output probabilities of an encoder-decoder: of whole replies or of one token, for a prompt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from citewell.errors import notes
from citewell.models import forward
from citewell.models.batches import batches
from citewell.models.loading import Loaded, context_length
from citewell.models.offsets import encode

Matrix = npt.NDArray[np.float32]


def first_token(loaded: Loaded, prompts: Sequence[str], size: int = 16, limit: int | None = None) -> Matrix:
    """(prompts, vocabulary) log probabilities of the first token of the reply."""
    distinct = list(dict.fromkeys(prompts))
    rows: dict[str, Matrix] = {}
    for texts, read in _read(loaded, distinct, size, limit):
        rows.update(zip(texts, forward.decoded(loaded, read, [_start(loaded)])[:, 0], strict=True))
    return np.stack([rows[prompt] for prompt in prompts]) if prompts else np.zeros((0, 0), dtype=np.float32)


def reply_scores(
    loaded: Loaded, prompts: Sequence[str], replies: Sequence[str], size: int = 16, limit: int | None = None
) -> Matrix:
    """(prompts, replies) log probabilities of each whole reply, its end token included."""
    distinct = list(dict.fromkeys(prompts))
    rows: dict[str, Matrix] = {}
    coded = [loaded.tokenizer(reply)["input_ids"] for reply in replies]
    for texts, read in _read(loaded, distinct, size, limit):  # read once, and answered with every reply
        values = np.zeros((len(texts), len(replies)), dtype=np.float32)
        for column, ids in enumerate(coded):
            shares = forward.decoded(loaded, read, [_start(loaded), *ids[:-1]])
            values[:, column] = shares[:, np.arange(len(ids)), ids].sum(axis=1)
        rows.update(zip(texts, values, strict=True))
    return np.stack([rows[prompt] for prompt in prompts]) if prompts else np.zeros((0, len(replies)), dtype=np.float32)


def token_id(loaded: Loaded, text: str) -> int:
    """The first token of a text as the model would write it."""
    ids: list[int] = loaded.tokenizer(text, add_special_tokens=False)["input_ids"]
    return ids[0]


def cut(loaded: Loaded, text: str, room: int) -> str:
    """The beginning of a text that has at most `room` tokens; never cut inside a character."""
    _, offsets = encode(loaded.tokenizer, text, special=False)
    return text if len(offsets) <= room else text[: int(offsets[: max(1, room), 1].max())]


def _start(loaded: Loaded) -> int:
    config = loaded.model.config
    start = config.decoder_start_token_id
    return int(start if start is not None else config.pad_token_id)


def _read(
    loaded: Loaded, texts: list[str], size: int, limit: int | None
) -> Iterator[tuple[list[str], forward.Encoded]]:
    notes.count("model pairs", len(texts))
    most = context_length(loaded, limit)
    coded = [loaded.tokenizer(text, truncation=True, max_length=most, verbose=False) for text in texts]
    for group in batches([len(item["input_ids"]) for item in coded], size):
        yield [texts[i] for i in group], forward.encoded(loaded, [coded[i] for i in group])
