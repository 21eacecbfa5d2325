"""AttnUnionDep: the document tokens that each answer token attends to most, united over the tokens of a span.

Source: the follow-up of the hidden-states paper, Attribution by attention for contextual question answering (arXiv
2412.11404; Findings of ACL 2025), after its description, since no code was published. One middle layer, the mean of
its heads, one pass that stops there. What depends on the same verb as a target joins it where a parser is given; for
whole sentences that changes nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.attributors.attention.parse import Parser, checked, installed, joined
from citewell.attributors.places import GAP, Place, best, join, runs, standing
from citewell.attributors.prompts import Prompt, prompts
from citewell.attributors.targets import statements, targets, unit_of
from citewell.document import Document
from citewell.errors import BackendError
from citewell.models.attention import causal, read_rows, shape
from citewell.models.loading import Loaded, import_torch
from citewell.models.local import LocalModel
from citewell.models.offsets import encode
from citewell.text.spans import within
from citewell.types import Citation, Draft, Granularity, Span

Positions = npt.NDArray[np.intp]


class Look(NamedTuple):
    """A document token that an answer token looks at: how much, its number in the document, where it stands."""

    weight: float
    number: int
    at: Span


Looks = Mapping[Span, Sequence[Look]]
"""For each answer token, by where it stands, the document tokens that it looks at most, the strongest first."""


@dataclass(frozen=True, kw_only=True)
class AttnUnion(LocalModel):
    """Cite what the tokens of an answer look at most while they are written.

    Attributes:
        model: a causal model; hub id or path.
        layer: the layer whose attention is read, counted from 0; None takes the middle one.
        strongest: document tokens that each answer token names.
        gap: evidence whose nearest other evidence is further than this many tokens away is left out; where that would
            leave nothing, all of it stays.
        parser: adds the evidence of the answer's words that depend on the same verb as a target's: the name of an
            installed spaCy pipeline, or a function from a text to its `attention.parse.Word`s. Without it a target has
            the evidence of its own words.
        rows: `predicting` the row of the token before, from which the answer token is predicted, or `own`.
        k: citations a target where the caller names no number.
        limit: most tokens of a prompt, for less than the model takes.
    """

    layer: int | None = None
    strongest: int = 2
    gap: int = 2
    parser: str | Parser | None = None
    rows: str = "predicting"
    k: int = 1
    limit: int | None = None
    name: ClassVar[str] = "attention-union"

    def __post_init__(self) -> None:
        if self.strongest < 1 or self.k < 1 or self.gap < 1:
            raise ValueError("strongest, gap and k are at least 1")
        if self.rows not in ("predicting", "own"):
            raise ValueError(f"rows is predicting or own, not {self.rows!r}")

    def attribute(
        self, draft: Draft, documents: Sequence[Document], granularity: Granularity = "sentence", k: int | None = None
    ) -> tuple[Citation, ...]:
        """The segments with most of what a target looks at; at `window` the spans of it, at `token` token by token.

        Scores are sums of attention, no probabilities.

        Raises:
            BackendError: the model cannot be loaded, its attention cannot be read, or its context is too small.
        """
        wanted = targets(draft)
        places = join(documents, unit_of(granularity))
        if not wanted or not places:
            return ()
        looks = self.looks(draft, documents)
        most = self.k if k is None else k
        result: list[Citation] = []
        parse = installed(self.parser) if isinstance(self.parser, str) else self.parser
        words = checked(parse(draft.text), draft.text) if parse else ()
        for target in wanted:
            target_looks = _over(looks, [target])
            kept = evidence(_over(looks, [target, *joined(words, target)]), self.gap)
            if granularity == "token":
                result += list(self._tokens(documents, places, target_looks, kept))[:k]
            elif granularity == "window":
                result += list(self._spans(documents, places, target, kept))[:most]
            else:
                scores = masses(kept.values(), places)
                result += best(scores[None], [target], documents, places, most, self.name)
        return tuple(result)

    def looks(self, draft: Draft, documents: Sequence[Document]) -> Looks:
        """What each token of a draft looks at most in the documents, over all prompts that show them.

        Raises:
            BackendError: as `attribute`.
        """
        loaded = causal(self.load("encoder"))
        layers = shape(loaded)[0]
        layer = layers // 2 if self.layer is None else self.layer
        if not 0 <= layer < layers:
            raise BackendError(f"layer {layer} is not there: the model has the layers 0 to {layers - 1}")
        text = GAP.join(document.text for document in documents)
        numbers = np.maximum.accumulate(encode(loaded.tokenizer, text, special=False)[1][:, 1])
        every: dict[Span, dict[int, Look]] = defaultdict(dict)
        chunks = prompts(loaded, text, draft.text, question=draft.question, statements=statements(draft),
                        limit=self.limit)  # fmt: skip
        for prompt in chunks:
            for token, look in self._prompt(loaded, prompt, layer, numbers):
                known = every[token].get(look.number)
                if known is None or known.weight < look.weight:
                    every[token][look.number] = look
        return {
            token: sorted(by_number.values(), key=lambda look: (-look.weight, look.number))[: self.strongest]
            for token, by_number in sorted(every.items())
        }

    def _prompt(
        self, loaded: Loaded, prompt: Prompt, layer: int, numbers: npt.NDArray[np.int64]
    ) -> Iterator[tuple[Span, Look]]:
        if not len(prompt.document_at) or not len(prompt.answer_at):
            return
        torch = import_torch()
        rows = prompt.answer_at - (self.rows == "predicting")
        count = min(self.strongest, len(prompt.document_at))
        strongest: list[tuple[Any, Any]] = []

        def take(_layer: int, _first: int, weights: Any) -> None:
            columns = torch.tensor(prompt.document_at, device=weights.device)
            top = weights.mean(dim=0)[:, columns].topk(count, dim=-1)
            strongest.append((top.values.cpu().numpy(), top.indices.cpu().numpy()))

        read_rows(loaded, prompt.ids, rows.tolist(), take, layers=frozenset({layer}))
        weights, columns = (np.concatenate(parts) for parts in zip(*strongest, strict=True))
        at = np.searchsorted(numbers, prompt.document[:, 1])
        for token, values, chosen in zip(prompt.answer.tolist(), weights.tolist(), columns.tolist(), strict=True):
            for value, column in zip(values, chosen, strict=True):
                yield Span(*token), Look(value, int(at[column]), Span(*prompt.document[column].tolist()))

    def _tokens(
        self, documents: Sequence[Document], places: Sequence[Place], target_looks: Looks, kept: Mapping[int, Look]
    ) -> Iterator[Citation]:
        pairs = [
            (look, token) for token, token_looks in target_looks.items() for look in token_looks if look.number in kept
        ]
        for look, token in sorted(pairs, key=lambda pair: (-pair[0].weight, pair[1], pair[0].at)):
            place = standing(places, look.at)
            if place is not None:
                at = place.in_document(within(place, look.at))
                yield documents[place.document].cite(at, place.segment.id, token, score=look.weight, method=self.name)

    def _spans(
        self, documents: Sequence[Document], places: Sequence[Place], target: Span, kept: Mapping[int, Look]
    ) -> Iterator[Citation]:
        spans: list[tuple[float, Span, Place]] = []
        last = None
        for number in sorted(kept):
            look, place = kept[number], standing(places, kept[number].at)
            if place is None:
                continue
            if last is not None and number - last <= self.gap and spans[-1][2] is place:
                weight, at, _ = spans[-1]
                spans[-1] = (weight + look.weight, Span(at.start, max(at.end, look.at.end)), place)
            else:
                spans.append((look.weight, look.at, place))
            last = number
        for weight, whole, place in sorted(spans, key=lambda span: (-span[0], span[1])):
            at = place.in_document(within(place, whole))
            yield documents[place.document].cite(at, place.segment.id, target, granularity="window", score=weight,
                                                 method=self.name)  # fmt: skip


def _over(looks: Looks, spans: Sequence[Span]) -> Looks:
    """What the answer tokens look at that stand in one of some spans."""
    return {
        token: token_looks
        for token, token_looks in looks.items()
        if any(token.start < span.end and token.end > span.start for span in spans)
    }


def evidence(looks: Looks, gap: int) -> dict[int, Look]:
    """The union of what tokens look at, weights added up, without tokens that stand alone.

    A token stands alone where no other one is within `gap` tokens; where all do, all stay.
    """
    union: dict[int, Look] = {}
    for token_looks in looks.values():
        for look in token_looks:
            known = union.get(look.number)
            union[look.number] = look if known is None else look._replace(weight=look.weight + known.weight)
    numbers = sorted(union)
    near = {number for before, after in pairwise(numbers) if after - before <= gap for number in (before, after)}
    return {number: look for number, look in union.items() if number in near or not near}


def masses(looks: Iterable[Look], places: Sequence[Place]) -> npt.NDArray[np.float32]:
    """The weights that fall into each segment; -inf where none does."""
    kept = sorted(looks, key=lambda look: look.at)
    scores = np.full(len(places), -np.inf, dtype=np.float32)
    if kept:
        bounds, owners, order = runs(np.array([look.at for look in kept], dtype=np.int64), places)
        weights = np.array([look.weight for look in kept])[order]
        for first, end, owner in zip(bounds, bounds[1:], owners, strict=False):
            scores[owner] = max(0.0, scores[owner]) + weights[first:end].sum()
    return scores
