"""A tokenizer loaded from its file, with the part of transformers' interface that back ends use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from citewell.errors import BackendError
from citewell.models.onnx.folder import read

_BEYOND = 10**9  # what tokenizers without a limit of their own say is longer still


class Tokenizer:
    """Texts and pairs of texts to token numbers, cut and framed as the model was trained.

    Args:
        library: the module `tokenizers`.
        folder: of the model, with its `tokenizer.json`.
        pad: the number that fills up short texts.

    Raises:
        BackendError: there is no such file, or it is damaged.
    """

    is_fast = True

    def __init__(self, library: Any, folder: Path, pad: int | None) -> None:
        path = folder / "tokenizer.json"
        if not path.is_file():
            raise BackendError(f"the model in {str(folder)!r} has no tokenizer.json")
        try:
            self._core = library.Tokenizer.from_file(str(path))
        except Exception as error:  # the library has no exception of its own
            raise BackendError(f"the tokenizer {str(path)!r} cannot be read: {str(error)[:300]}") from error
        # Such files keep the lengths of whoever saved them; callers say theirs.
        self._core.no_truncation()
        self._core.no_padding()
        config = read(folder, "tokenizer_config.json") or {}
        special = {**(read(folder, "special_tokens_map.json") or {}), **config}
        self.eos_token, self.sep_token = _content(special.get("eos_token")), _content(special.get("sep_token"))
        self.padding_side = config.get("padding_side", "right")
        known = self._core.token_to_id(_content(special.get("pad_token")) or "")
        self._pad = next(number for number in (known, pad, 0) if number is not None)
        lengths = [
            config.get("model_max_length"),
            (read(folder, "sentence_bert_config.json") or {}).get("max_seq_length"),
        ]
        self.model_max_length = int(min([length for length in lengths if length], default=_BEYOND))

    def __call__(
        self,
        text: str,
        pair: str | None = None,
        *,
        add_special_tokens: bool = True,
        truncation: bool | str = False,
        max_length: int | None = None,
        return_offsets_mapping: bool = False,
        verbose: bool = False,  # noqa: ARG002  (transformers' name; nothing is said here)
    ) -> dict[str, Any]:
        """Token numbers, mask and kinds of one text or pair; `truncation` is True or the name of a strategy."""
        parts = [self._core.encode(part, add_special_tokens=False) for part in (text, pair) if part is not None]
        if truncation and max_length is not None:
            frame = self._core.num_special_tokens_to_add(pair is not None) if add_special_tokens else 0
            lengths = cut([len(part.ids) for part in parts], max(0, max_length - frame), str(truncation))
            for part, length in zip(parts, lengths, strict=True):
                part.truncate(length)
        coded = self._core.post_process(*parts, add_special_tokens=add_special_tokens)
        coding = {"input_ids": coded.ids, "token_type_ids": coded.type_ids, "attention_mask": coded.attention_mask}
        return coding | ({"offset_mapping": coded.offsets} if return_offsets_mapping else {})

    def padded(self, items: Sequence[Mapping[str, list[int]]]) -> dict[str, npt.NDArray[np.int64]]:
        """(texts, tokens) arrays of equally long rows."""
        longest = max(len(item["input_ids"]) for item in items)
        fills = {"input_ids": self._pad, "token_type_ids": 0, "attention_mask": 0}
        result = {name: np.full((len(items), longest), fill, dtype=np.int64) for name, fill in fills.items()}
        for row, item in enumerate(items):
            count = len(item["input_ids"])
            place = slice(longest - count, None) if self.padding_side == "left" else slice(0, count)
            for name, values in result.items():
                values[row, place] = item[name]
        return result


def cut(lengths: list[int], room: int, strategy: str) -> list[int]:
    """How many tokens of each text are kept where all together may be `room`.

    `only_first` and `only_second` cut one text as far as it goes, everything else cuts the longer of two until both are
    as long, as transformers' fast tokenizers do.
    """
    if sum(lengths) <= room:
        return lengths
    if len(lengths) == 1:
        return [room]
    first, second = lengths
    if strategy == "only_first":
        return [max(0, room - second), second]
    if strategy == "only_second":
        return [first, max(0, room - first)]
    short, long = min(lengths), max(lengths)
    long = short if short > room else max(short, room - short)
    if short + long > room:
        short, long = room // 2, room // 2 + room % 2
    return [long, short] if first > second else [short, long]


def _content(token: Any) -> str | None:
    """A special token's text: it is saved as such, or as an object."""
    content = token.get("content") if isinstance(token, dict) else token
    return content if isinstance(content, str) else None
