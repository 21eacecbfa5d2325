"""A plain function as a retriever: it receives a query and texts, and returns a score for each text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from citewell.errors import BackendError
from citewell.types import Hit, Segment


@dataclass(frozen=True)
class Function:
    """What a function becomes where a retriever is wanted."""

    call: Callable[[str, list[str]], Iterable[float]]

    @property
    def name(self) -> str:
        """The function's own."""
        return getattr(self.call, "__name__", type(self.call).__name__)

    def rank(self, query: str, segments: Sequence[Segment]) -> tuple[Hit, ...]:
        """Hits, best first, ties by position.

        Raises:
            BackendError: the function returned something else than a number for each text.
        """
        scores = list(self.call(query, [segment.text for segment in segments]))
        try:
            numbers = [float(score) for score in scores]
        except (TypeError, ValueError) as error:
            raise BackendError(f"the function {self.name} returns scores that are no numbers: {error}") from error
        if len(numbers) != len(segments):
            raise BackendError(f"the function {self.name} returned {len(numbers)} scores for {len(segments)} texts")
        order = sorted(range(len(numbers)), key=lambda position: -numbers[position])
        return tuple(Hit(position, numbers[position]) for position in order)
