"""The small judge without torch: the verdicts of a language model with adapters on claims over the same evidence.

The evidence is read once; its keys and values are kept and all claims over it go on from there, each for itself.
`citewell train judge` makes such a folder, the package citewell-judge holds one.
"""

from __future__ import annotations

import importlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.errors import BackendError, MissingExtraError, UsageError
from citewell.models.classify import softmax
from citewell.models.onnx import folder, session

PACKAGE = "citewell_judge"  # the weights that are taken where no folder is named
SETTINGS = "judge.json"  # beside the graph: limits, and how the judge counts beside words and facts
GRAPH = "judge.onnx"
BEFORE, BETWEEN = "Text: ", "\nStatement: "
BEGIN, END = "<|im_start|>", "<|im_end|>"
HIDDEN = -1e4  # added to the score of what a token does not see
_SURE = 1e-6  # probabilities are held within this of 0 and 1, so that their log odds are finite
_ROWS = 16  # claims that are read at once
_KEPT = 4  # pieces of evidence whose keys and values are kept: a piece of 256 tokens takes 12 MB

Floats = npt.NDArray[np.float32]


class Reading(NamedTuple):
    """What the judge says of a claim.

    Attributes:
        support: log odds that the evidence supports it.
        against: log odds that the evidence contradicts it.
    """

    support: float
    against: float


@dataclass(eq=False)
class SmallJudge:
    """The judge in a folder, loaded when first used.

    Attributes:
        path: the folder.
        settings: what `judge.json` says.
        written: when its files were written last, in nanoseconds.
    """

    path: Path
    settings: Mapping[str, Any]
    written: int
    _past: OrderedDict[str, Floats] = field(default_factory=OrderedDict, repr=False)

    def read(self, evidence: str, claims: Sequence[str]) -> list[Reading]:
        """What is said of each claim over one text; what of the text is beyond the limit is left out (see `parts`).

        Raises MissingExtraError: onnxruntime or tokenizers is not installed; BackendError: the folder is damaged.
        """
        past = self._evidence(evidence)
        result: list[Reading] = []
        for start in range(0, len(claims), _ROWS):
            result += self._claims(claims[start : start + _ROWS], past)
        return result

    def parts(self, sentences: Sequence[str]) -> list[str]:
        """Sentences joined to as few texts as the judge reads at once; a longer sentence stands alone and is cut."""
        most, size = self.settings["evidence_tokens"], 0
        result: list[str] = []
        pending: list[str] = []
        for text in sentences:
            tokens = len(self._tokenizer.encode(text).ids) + 1
            if pending and size + tokens > most:
                result.append(" ".join(pending))
                pending, size = [], 0
            pending.append(text)
            size += tokens
        return [*result, " ".join(pending)] if pending else result

    def _evidence(self, text: str) -> Floats:
        if text not in self._past:
            ids = [
                self._tokenizer.token_to_id(BEGIN),
                *self._tokenizer.encode(BEFORE + text).ids[: self.settings["evidence_tokens"]],
            ]
            size = len(ids)
            mask = np.triu(np.full((size, size), HIDDEN, dtype=np.float32), 1)[None, None]
            empty = np.zeros((*self._shape[:2], 1, self._shape[2], 0, self._shape[3]), dtype=np.float32)
            self._past[text] = self._run([ids], np.arange(size)[None], mask, empty, [size - 1])["kept"]
            while len(self._past) > _KEPT:
                self._past.popitem(last=False)
        self._past.move_to_end(text)
        return self._past[text]

    def _claims(self, claims: Sequence[str], past: Floats) -> list[Reading]:
        most, end = self.settings["claim_tokens"], self._tokenizer.token_to_id(END)
        rows = [[*self._tokenizer.encode(BETWEEN + claim).ids[:most], end] for claim in claims]
        before, longest = past.shape[4], max(map(len, rows))
        mask = np.full((len(rows), 1, longest, before + longest), HIDDEN, dtype=np.float32)
        mask[..., :before] = 0
        mask[..., before:] = np.triu(np.full((longest, longest), HIDDEN, dtype=np.float32), 1)
        positions = np.repeat(np.arange(before, before + longest)[None], len(rows), axis=0)
        ids = [[*row, *[0] * (longest - len(row))] for row in rows]
        ends = [len(row) - 1 for row in rows]
        outputs = self._run(ids, positions, mask, past, ends)
        chances = np.clip(softmax(outputs["logits"]), _SURE, 1 - _SURE)
        odds = np.log(chances / (1 - chances))
        return [Reading(*row[:2]) for row in odds.tolist()]

    def _run(
        self, ids: Sequence[Sequence[int]], positions: npt.NDArray[Any], mask: Floats, past: Floats, ends: Sequence[int]
    ) -> dict[str, Floats]:
        inputs = {
            "ids": np.array(ids, dtype=np.int64),
            "positions": positions.astype(np.int64),
            "mask": mask,
            "past": past,
            "ends": np.array(ends, dtype=np.int64),
        }
        names = ("logits", "kept")
        return dict(zip(names, self._session.run(list(names), inputs), strict=True))

    @property
    def _shape(self) -> tuple[int, int, int, int]:
        """Layers, 2 for keys and values, their heads, numbers of a head."""
        return int(self.settings["layers"]), 2, int(self.settings["shared"]), int(self.settings["width"])

    @property
    def _session(self) -> Any:
        return _loaded(self.path, self.written)[0]

    @property
    def _tokenizer(self) -> Any:
        return _loaded(self.path, self.written)[1]


@lru_cache(maxsize=2)
def _loaded(path: Path, _written: int) -> tuple[Any, Any]:
    session.required("onnxruntime")
    tokenizers = session.required("tokenizers")
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(path / "tokenizer.json"))
    except Exception as error:  # the library raises no class of its own
        raise BackendError(f"the tokenizer in {str(path)!r} cannot be read: {str(error)[:300]}") from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return session.open_graph(path / GRAPH), tokenizer


def find(model: str | None) -> SmallJudge:
    """The judge in a folder, or that of the package citewell-judge.

    Raises MissingExtraError: no folder is named and the package is not installed; UsageError: there is no judge in the
    folder; BackendError: its settings are damaged.
    """
    path = _place(model)
    try:
        written = max((path / name).stat().st_mtime_ns for name in (SETTINGS, GRAPH, "tokenizer.json"))
    except OSError as error:
        raise UsageError(f"there is no judge at {str(path)!r}: citewell train judge makes such a folder") from error
    return _judge(path, written)


@lru_cache(maxsize=2)
def _judge(path: Path, written: int) -> SmallJudge:
    settings = folder.read(path, SETTINGS)
    needed = ("evidence_tokens", "claim_tokens", "layers", "shared", "width")
    if not isinstance(settings, dict) or any(not isinstance(settings.get(name), int) for name in needed):
        raise BackendError(f"the judge in {str(path)!r} has no {SETTINGS} that gives {', '.join(needed)}")
    return SmallJudge(path, settings, written)


def _place(model: str | None) -> Path:
    if model is not None:
        return Path(model).expanduser()
    try:
        package = importlib.import_module(PACKAGE)
    except ModuleNotFoundError as error:
        raise MissingExtraError("judge-small without model=FOLDER", PACKAGE, "", "citewell-judge") from error
    return Path(str(package.__file__)).parent / "model"
