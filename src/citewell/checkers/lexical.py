"""The default checker: compares a claim with the cited evidence, fact by fact. No model, no network.

The claim is aligned with the sentences that are cited for it, word by word and fact by fact; seventeen numbers of that
alignment give the probability of support, and that of a contradiction. What differs is named with both places. It
judges the citations that it gets; without any it finds the sentences that say most of the claim itself.
`citewell train checker` makes such weights; docs/checking.md says how often it errs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from citewell.errors import InputError
from citewell.protocols import Pair
from citewell.types import Verdict

if TYPE_CHECKING:
    from citewell.checkers.aligned import Settings
    from citewell.facts.model import Model


@dataclass(frozen=True)
class LexicalChecker:
    """The probability of support, from the alignment of a claim's words and facts with its evidence.

    Attributes:
        threshold: the minimum probability for the label supported; None uses that of the weights.
        partial: the share of what it says, weighed by how rare its words are, that the evidence must have for it to
            count as partially supported; that of the weights where None.
        weights: a file of weights from `citewell train checker`; None uses those that ship.
    """

    threshold: float | None = None
    partial: float | None = None
    weights: str | None = None
    name: ClassVar[str] = "lexical"

    @property
    def _model(self) -> Model:
        from citewell.facts.model import shipped

        return shipped() if self.weights is None else _written(self.weights)

    @property
    def least(self) -> float:
        """The minimum probability of support for the label supported."""
        return self._model.supported if self.threshold is None else self.threshold

    def check(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict a pair; `score` is how surely the evidence supports the whole claim (docs/checking.md).

        Raises:
            UsageError: a pair has no documents.
        """
        from citewell.checkers.aligned import verdicts  # answers that only quote are true without it

        return verdicts(pairs, self._settings())

    def _settings(self) -> Settings:
        from citewell.checkers.aligned import Settings

        model = self._model
        return Settings(self.name, model, self.least, model.partial if self.partial is None else self.partial)


def _written(path: str) -> Model:
    """The weights in a user's file, read again when it changes. Raises InputError: it holds none of this version's."""
    try:
        about = Path(path).stat()
        return _read(path, about.st_mtime_ns, about.st_size)
    except OSError as error:
        raise InputError(f"the weights in {path} cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} contains no checker weights: make them with citewell train checker") from error


@lru_cache(maxsize=4)
def _read(path: str, _changed: int, _size: int) -> Model:
    from citewell.facts.model import parse, shipped

    model = parse(Path(path).read_text(encoding="utf-8"))
    if model.names != shipped().names:
        raise ValueError("other features")
    return model
