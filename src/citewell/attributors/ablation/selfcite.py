"""SelfCite's reward: evidence is good if the answer is likely from it alone and unlikely without it.

Source: Chuang et al., SelfCite: Self-Supervised Alignment for Context Attribution (2025, arXiv 2502.09604). The reward
of a set of evidence E in the sources C is log p(R|E) - log p(R|C without E). Here it chooses among the sets that
another attributor proposes, its best one, its best two and so on; only the definition is taken, their code and model
may not be used commercially.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from citewell import registry
from citewell.attributors.ablation.likelihood import score
from citewell.attributors.contexts import Context, contexts
from citewell.attributors.places import Positions, join
from citewell.attributors.sourced import Matrix, Sourced
from citewell.attributors.targets import targets, unit_of
from citewell.document import Document
from citewell.errors import notes
from citewell.models.loading import Loaded
from citewell.text.spans import owns
from citewell.types import Citation, Draft, Granularity

Sets = Sequence[frozenset[int]]


@dataclass(frozen=True, kw_only=True)
class SelfCite(Sourced):
    """Cite, of another attributor's best segments, as many as the answer needs and can do with.

    As in the paper it only chooses: a statement for which nothing is proposed stays without evidence, and a warning
    says so.

    Attributes:
        base: the spec of the attributor whose segments are weighed.
        k: most citations a target where the caller names no number.
    """

    base: str = "lexical"
    k: int = 4
    name: ClassVar[str] = "selfcite"

    def attribute(
        self, draft: Draft, documents: Sequence[Document], granularity: Granularity = "sentence", k: int | None = None
    ) -> tuple[Citation, ...]:
        """The set of the highest reward for each target; each of its citations has the reward as its score.

        Raises:
            BackendError: a model cannot be loaded, a pass failed, or the model's context is too small.
        """
        wanted = targets(draft)
        unit = unit_of(granularity)
        places = join(documents, unit)
        if not wanted or not places:
            return ()
        numbers = {
            (documents[place.document].id, place.segment.start, place.segment.end): number
            for number, place in reversed(list(enumerate(places)))
        }
        candidates = registry.build("attributor", self.base).attribute(
            draft, documents, unit, self.k if k is None else k
        )
        proposed: list[list[int]] = []
        for target in wanted:
            candidate_numbers = [
                numbers.get((cited.document_id, cited.start, cited.end))
                for cited in candidates
                if owns(target, cited.answer_start)
            ]
            proposed.append([number for number in dict.fromkeys(candidate_numbers) if number is not None])
        if bare := sum(not ranked for ranked in proposed):
            notes.warn(f"{self.base} proposes no evidence for {bare} of {len(wanted)} statements: selfcite cites none")
        loaded = self.loaded()
        rewards = [np.zeros(len(ranked)) for ranked in proposed]
        for context in contexts(loaded, draft, documents, places, self.limit):
            for row, (ranked, target) in enumerate(zip(proposed, wanted, strict=True)):
                at = context.of(target)
                if len(at) and ranked:
                    sets = [frozenset(ranked[: size + 1]) for size in range(len(ranked))]
                    rewards[row] += self.rewards(loaded, context, at, sets)
        result: list[Citation] = []
        for target, ranked, reward in zip(wanted, proposed, rewards, strict=True):
            best = int(reward.argmax()) if len(reward) else -1
            for number in ranked[: best + 1]:
                place = places[number]
                document = documents[place.document]
                result.append(Citation.of(place.segment, document.id, target, float(reward[best]), self.name))
        return tuple(result)

    def rewards(self, loaded: Loaded, context: Context, at: Positions, sets: Sets) -> Matrix:
        """The reward of each set of sources, numbered among all, in one context."""
        numbers = np.arange(context.first, context.first + len(context.spans))
        alone = [np.isin(numbers, list(chosen)) for chosen in sets]
        kept = [*alone, *(~flags for flags in alone)]
        sums = score(loaded, context, kept, batch=self.batch).log_probability[:, at].sum(axis=1)
        rewards: Matrix = sums[: len(sets)] - sums[len(sets) :]
        return rewards

    def of(self, loaded: Loaded, context: Context, tokens: Sequence[Positions]) -> Matrix:
        """(targets, sources) the reward of each source alone."""
        sets = [frozenset({context.first + number}) for number in range(len(context.spans))]
        return np.stack([self.rewards(loaded, context, at, sets) for at in tokens])
