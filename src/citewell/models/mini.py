"""The small model with three heads: where it lies, what it was trained for, what it says of a text and a query."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from citewell.errors import BackendError, MissingExtraError, UsageError
from citewell.models import portable
from citewell.models.classify import softmax
from citewell.models.loading import Loaded, Placement, context_length
from citewell.models.onnx import folder
from citewell.models.spans import Marked, stretch
from citewell.models.windows import windows
from citewell.types import Span

Head = Literal["claim", "reader", "relevance"]
Floats = npt.NDArray[np.float32]

PACKAGE = "citewell_mini"  # the package citewell-mini: the weights that are taken where no folder is named
SETTINGS = "mini.json"  # beside the graph: the heads that were trained, and how their scores are used
OUTPUTS = ("logits", "spans", "relevance")
LIMIT = 256  # tokens of text and query together, as the model was trained
_SURE = 1e-6  # probabilities are held within this of 0 and 1, so that their log odds are finite
_LONGEST = 30  # tokens of an answer
_FRAME = 8  # tokens around and between text and query, and some to spare


@dataclass(frozen=True)
class Mini:
    """The model in a folder, loaded when first used.

    Attributes:
        path: the folder.
        settings: what `mini.json` says.
    """

    path: str
    settings: Mapping[str, Any]

    def odds(self, texts: Sequence[tuple[str, str]]) -> Floats:
        """(n, 2) log odds of evidence and claim: supported against the rest, contradicted against the rest.

        What of the evidence the model cannot read at once is left out: see `parts`.
        """
        logits = np.array([self._outputs(*pair)[1]["logits"] for pair in texts]).reshape(-1, 3)
        chances = np.clip(softmax(logits), _SURE, 1 - _SURE)[:, :2]
        return np.asarray(np.log(chances / (1 - chances)), dtype=np.float32)

    def relevance(self, texts: Sequence[tuple[str, str]]) -> Floats:
        """(n,) log odds that a passage, or a part of it, is about a question or claim."""
        rows = [
            [self._outputs(text[part.start : part.end], query)[1]["relevance"][0] for part in self.parts(text, query)]
            for text, query in texts
        ]
        return np.array([max(row) for row in rows], dtype=np.float32)

    def answers(self, texts: Sequence[tuple[str, str]]) -> list[Marked | None]:
        """The best answer that each passage offers to its question; None where it has no words."""
        return [self._answer(text, query) for text, query in texts]

    def parts(self, text: str, query: str) -> list[Span]:
        """The parts of a text that the model reads one after the other beside a query: all of it where it fits."""
        if self.fits(text, query):
            return [Span(0, len(text))]
        loaded = self.loaded()
        question_tokens = len(loaded.tokenizer(query, add_special_tokens=False)["input_ids"])
        most = context_length(loaded, LIMIT)
        return windows(loaded.tokenizer, text, max(most - question_tokens, most // 2) - _FRAME, _LONGEST)

    def fits(self, text: str, query: str) -> bool:
        """Whether the model reads all of a text beside a query."""
        loaded = self.loaded()
        return len(loaded.tokenizer(text, query)["input_ids"]) <= context_length(loaded, LIMIT)

    def loaded(self) -> Loaded:
        """The graph and its tokenizer.

        Raises:
            MissingExtraError: onnxruntime or tokenizers is not installed.
            BackendError: the folder is damaged.
        """
        return portable.load(self.path, None, Placement("cpu", quantize="8bit"))

    def _answer(self, text: str, query: str) -> Marked | None:
        best: Marked | None = None
        for part in self.parts(text, query):
            row, outputs = self._outputs(text[part.start : part.end], query)
            spans = outputs["spans"]
            marked = stretch(spans[:, 0], spans[:, 1], row["offset_mapping"], _passage(row), _LONGEST)
            if marked is not None and (best is None or marked.odds > best.odds):
                best = Marked(marked.start + part.start, marked.end + part.start, marked.odds)
        return best

    def _outputs(self, text: str, query: str) -> tuple[dict[str, Any], dict[str, Floats]]:
        """The tokens of a pair and all that the heads say of it.

        Pairs go one by one: a graph of eight bits scales its numbers by the whole batch, so that what stands beside a
        pair would change its scores; and without padding there is little that a batch would gain.
        """
        loaded = self.loaded()
        row = coded(loaded.tokenizer, text, query, context_length(loaded, LIMIT))
        outputs = loaded.model.run(loaded.tokenizer.padded([row]))
        return row, {name: values[0] for name, values in outputs.items()}


def coded(tokenizer: Any, text: str, query: str, most: int) -> dict[str, Any]:
    """A text and what is asked or claimed of it, as all heads read them; what is too long is cut from the text."""
    whole: dict[str, Any] = tokenizer(text, query, return_offsets_mapping=True)
    if len(whole["input_ids"]) <= most:
        return whole
    room = most - len(tokenizer(query, add_special_tokens=False)["input_ids"]) - _FRAME
    strategy = "only_first" if room > 0 else "longest_first"
    result: dict[str, Any] = tokenizer(text, query, truncation=strategy, max_length=most, return_offsets_mapping=True)
    return result


def _passage(row: Mapping[str, Any]) -> range:
    """The tokens of the text; special tokens have no offsets."""
    tokens = enumerate(zip(row["token_type_ids"], row["offset_mapping"], strict=True))
    within = [place for place, (kind, (start, end)) in tokens if not kind and end > start]
    return range(within[0], within[-1] + 1) if within else range(0)


def find(model: str | None, head: Head) -> Mini:
    """The model in a folder that `citewell train mini` made, or that of the package citewell-mini.

    Raises:
        MissingExtraError: no folder is named, and the package is not installed.
        UsageError: there is no such model, or it was not trained for this head.
        BackendError: its settings are damaged.
    """
    path = _place(model)
    parsed = _settings(path, _changed(path))
    if head not in parsed["heads"]:
        raise UsageError(f"the model in {str(path)!r} was not trained for this: it knows {', '.join(parsed['heads'])}")
    return Mini(str(path), parsed)


def weights(model: str | None) -> Iterator[bytes]:
    """The files that shape a model's scores: what is fitted to its scores is fitted to these.

    Raises:
        MissingExtraError: no folder is named, and the package is not installed.
        UsageError: there is no such model.
        BackendError: it has no graph.
    """
    path = _place(model)
    _changed(path)
    yield (path / SETTINGS).read_bytes()
    yield folder.graphs(str(path), None, small=True).main.read_bytes()


def heads(path: Path) -> list[str]:
    """What the model in a folder was trained for.

    Raises:
        UsageError: there is no such model.
        BackendError: its settings are damaged.
    """
    return list(_settings(path, _changed(path))["heads"])


def _changed(path: Path) -> int:
    """When a model's settings were written: a folder may be trained anew."""
    try:
        return (path / SETTINGS).stat().st_mtime_ns
    except OSError as error:
        raise UsageError(f"there is no model at {str(path)!r}: citewell train mini makes such a folder") from error


def _place(model: str | None) -> Path:
    """The folder that is named, or that of the package which holds nothing else."""
    if model is not None:
        return Path(model).expanduser()
    try:
        package = importlib.import_module(PACKAGE)
    except ModuleNotFoundError as error:
        raise MissingExtraError("mini without model=FOLDER", PACKAGE, "", "citewell-mini") from error
    return Path(str(package.__file__)).parent / "model"


@lru_cache(maxsize=8)
def _settings(path: Path, _written: int) -> Mapping[str, Any]:
    parsed = folder.read(path, SETTINGS)
    if not isinstance(parsed, dict) or not isinstance(parsed.get("heads"), list):
        raise BackendError(f"the model in {str(path)!r} has no {SETTINGS} that names its heads")
    return parsed
