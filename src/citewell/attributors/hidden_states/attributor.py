"""Attribution by similarity of token states: copied text has states similar to those of its source.

Source: Phukan, Somasundaram, Saxena, Goswami and Srinivasan, Peering into the Mind of Language Models (2024).
One forward pass over document, question and answer; no training, no retrieval. Sub-task 1 (which answer tokens were
copied) is the granularity `token`; sub-task 2 (where a span was copied from) are the others; `window` chains both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from citewell.attributors.hidden_states import defaults
from citewell.attributors.hidden_states.reading import Reader
from citewell.attributors.hidden_states.search import ByTokens, NearestTokens, Windows
from citewell.attributors.places import Place, join
from citewell.attributors.targets import statements, targets, unit_of
from citewell.document import Document
from citewell.models.loading import bidirectional
from citewell.models.local import BatchedModel
from citewell.models.states import kept_layers, layer_number
from citewell.text.spans import last_before
from citewell.types import Citation, Draft, Granularity, Span


@dataclass(frozen=True, kw_only=True)
class HiddenStates(BatchedModel):
    """Cite the segments, the windows or the tokens whose states are most like those of the answer.

    Attributes:
        model: any base model, causal or encoder; hub id or path.
        layer: at which sources are looked for: 0 the embeddings, -1 the last; None goes by the depth of the model, with
            a warning where it was never calibrated. Layer 0 of models with rotary positions sees the token alone.
        token_layer: at which copied tokens are told; None for the same.
        threshold: the cosine that a copied token exceeds; -1 takes every token for copied. None finds it with a dozen
            bundled answers, once a model and process.
        least: for segments and windows, the cosine below which nothing is cited.
        window: most tokens of a window.
        anchors: only windows around this many tokens that are most like the span, as published; 0 takes every
            window, which finds the same or better ones.
        passages: encode paragraph by paragraph, without the question, which suits encoders with a short context; None
            does so for encoders and not for causal models.
        match: `windows`, the published way: the mean state of the span against the means of windows; `tokens`: the
            mean over the span's tokens of the best cosine in a segment, as late-interaction retrieval does (Khattab
            and Zaharia, ColBERT, 2020), each token weighted by how far its best segment is above the average one;
            None takes `tokens` where passages are encoded alone.
        context: how much the statement around a target counts beside the target itself, 0 to 1.
        limit: most tokens of a prompt, for less than the model takes.
        prompt: the wording around document and answer, with the gaps {document} and {question}, as a user would ask;
            the answer follows. A chat template is put around it where the model has one. None for ours.
    """

    model: str = "sentence-transformers/all-MiniLM-L6-v2"
    layer: int | None = None
    token_layer: int | None = None
    threshold: float | None = None
    least: float = 0.0
    window: int = 64
    anchors: int = 0
    passages: bool | None = None
    match: str | None = None
    context: float = 0.3
    limit: int | None = None
    prompt: str | None = None
    name: ClassVar[str] = "hidden-states"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.window < 1 or self.anchors < 0:
            raise ValueError("window is at least 1 and anchors at least 0")
        if self.match not in (None, "windows", "tokens"):
            raise ValueError(f"match is windows or tokens, not {self.match!r}")
        if not 0 <= self.context <= 1:
            raise ValueError("context lies between 0 and 1")
        if self.prompt is not None and self.prompt.count("{document}") != 1:
            raise ValueError("prompt has the gap {document} once")

    def attribute(
        self, draft: Draft, documents: Sequence[Document], granularity: Granularity = "sentence", k: int | None = None
    ) -> tuple[Citation, ...]:
        """Citations for each target, grouped by target, best first; without `k` one segment a target, or all tokens.

        The score of a segment is the cosine of its best window with the target's mean state, that of a token the
        cosine of its nearest token in the documents. At `window` the copied tokens of statements are joined to spans,
        and each span is cited with the window that it is most like; targets inside statements are such spans already.

        Raises:
            BackendError: the model cannot be loaded or does not hold what it must.
        """
        wanted = targets(draft)
        if not wanted or not documents:
            return ()
        if granularity == "token":
            return tuple(self._tokens(documents, self._nearest(draft, documents), wanted, k))
        if granularity == "window" and set(wanted) <= set(statements(draft)):
            return tuple(self._chained(draft, documents, wanted, k))
        return tuple(self._sources(draft, documents, wanted, granularity, k))

    def scored_tokens(self, draft: Draft, documents: Sequence[Document]) -> tuple[tuple[Span, float], ...]:
        """Every token of the draft as the model cuts it, with the cosine of its nearest token in the documents.

        Raises:
            BackendError: as `attribute`.
        """
        best = self._nearest(draft, documents).best
        return tuple((token, best[token][0]) for token in sorted(best))

    def least_copied(self) -> float:
        """The cosine that a copied token exceeds, with this model.

        Raises:
            BackendError: as `attribute`.
        """
        if self.threshold is not None:
            return self.threshold
        reader = self._reader(self._at_tokens)

        def scores(example: defaults.Example) -> dict[Span, float]:
            best = self._nearest(example.draft, [Document.from_text(example.document)]).best
            return {token: score for token, (score, _) in best.items()}

        at = (layer_number(reader.loaded, reader.layer), reader.apart, self.prompt)
        chosen = defaults.threshold(reader.loaded, at, scores)
        if not defaults.is_calibrated(reader.loaded):
            defaults.warn(self.model, f"tokens above {chosen} count as copied, by {len(defaults.examples())} answers")
        return chosen

    @property
    def source_layer(self) -> int:
        """The layer at which sources are looked for, with this model; as it is set, or counted from 0."""
        if self.layer is not None:
            return self.layer
        loaded = self.load("encoder")
        chosen = defaults.layer(loaded)
        if not defaults.is_calibrated(loaded):
            defaults.warn(self.model, f"layer {chosen} of {layer_number(loaded, -1)} is read, by its depth")
        return chosen

    @property
    def _at_tokens(self) -> int:
        return self.source_layer if self.token_layer is None else self.token_layer

    def _reader(self, layer: int) -> Reader:
        loaded = self.load("encoder")
        apart = bidirectional(loaded) if self.passages is None else self.passages
        return Reader(loaded, layer, apart, self.limit, self.batch, self.prompt)

    def _nearest(self, draft: Draft, documents: Sequence[Document]) -> NearestTokens:
        nearest = NearestTokens()
        places = join(documents, unit_of("token"))
        for part in self._reader(self._at_tokens).passes(draft, documents, places):
            nearest.add(part)
        return nearest

    def _chained(
        self, draft: Draft, documents: Sequence[Document], wanted: Sequence[Span], k: int | None
    ) -> Iterator[Citation]:
        """Copied tokens, joined to spans, each with its window."""
        least = self.least_copied()
        with kept_layers((self.source_layer, self._at_tokens)):
            copied = self._nearest(draft, documents).copied(least)
            parts = [Span(max(a, target.start), min(b, target.end)) for target in wanted for a, b in copied]
            spans = [part for part in parts if any(map(str.isalnum, draft.text[part.start : part.end]))]
            cited = list(self._sources(draft, documents, spans, "window", 1)) if spans else []
        for target in wanted:
            citations = [citation for citation in cited if target.start <= citation.answer_start < target.end]
            yield from sorted(citations, key=lambda citation: (-citation.score, citation.answer_start))[:k]

    def _sources(
        self, draft: Draft, documents: Sequence[Document], wanted: Sequence[Span], granularity: Granularity,
        k: int | None,
    ) -> Iterator[Citation]:  # fmt: skip
        reader = self._reader(self.source_layer)
        places = join(documents, "paragraph" if granularity == "window" else granularity)
        windows = Windows(draft, wanted, len(places), most=self.window, anchors=self.anchors, context=self.context)
        by_tokens = ByTokens(draft, wanted, len(places), context=self.context)
        match = self.match or ("tokens" if reader.apart else "windows")
        for part in reader.passes(draft, documents, places):
            if match == "tokens":
                by_tokens.add(part)
            if match == "windows" or granularity == "window":
                windows.add(part)
        method = self.name
        if granularity == "window":
            tokens, sources = (layer_number(reader.loaded, layer) for layer in (self._at_tokens, self.source_layer))
            method = f"{self.name}(layer={sources}, token_layer={tokens})"
        # Equal passages differ in the last digits when they were padded differently: the first of them is meant.
        scores = (by_tokens.scores if match == "tokens" else windows.scores).round(5)
        for number, target in enumerate(wanted):
            row = scores[number]
            order = np.argsort(-row, kind="stable")[: 1 if k is None else k]
            for position in order.tolist():
                if not (np.isfinite(row[position]) and row[position] >= self.least):
                    continue
                place, score = places[position], float(min(1.0, row[position]))
                document = documents[place.document]
                if granularity != "window":
                    yield Citation.of(place.segment, document.id, target, score, method)
                elif np.isfinite(windows.target_scores[number, position]):
                    at = place.in_document(windows.at(number, position))
                    yield document.cite(at, place.segment.id, target, granularity="window", score=score, method=method)

    def _tokens(
        self, documents: Sequence[Document], nearest: NearestTokens, wanted: Sequence[Span], k: int | None
    ) -> Iterator[Citation]:
        places: Sequence[Place] = join(documents, unit_of("token"))
        starts, least = [place.start for place in places], self.least_copied()
        for target in wanted:
            cited: list[Citation] = []
            for token, (value, source) in nearest.best.items():
                if value > least and token.start < target.end and token.end > target.start:
                    place = places[last_before(starts, source.start)]
                    score = float(min(1.0, max(0.0, value)))
                    cited.append(
                        documents[place.document].cite(
                            place.in_document(source), place.segment.id, token, score=score, method=self.name
                        )
                    )
            cited.sort(key=lambda citation: (-citation.score, citation.answer_start))
            yield from cited[:k]
