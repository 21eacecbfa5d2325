"""A plain function as a checker: it receives a claim and its evidence as texts, and judges support."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from citewell.checkers.scores import consistent
from citewell.errors import BackendError, UsageError
from citewell.protocols import Pair
from citewell.text.claims import makes_claim
from citewell.types import LABELS, Label, Verdict

_SURE = {"supported": 1.0, "partially_supported": 0.5}


@dataclass(frozen=True)
class Function:
    """What a function becomes where a checker is wanted: it returns yes or no, a probability, or a label."""

    call: Callable[[str, str], bool | float | str]

    @property
    def name(self) -> str:
        """The function's own."""
        return getattr(self.call, "__name__", type(self.call).__name__)

    def check(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict a pair; what is cited for a claim is its evidence, else all of its documents.

        Raises:
            UsageError: a pair has no documents.
            BackendError: the function returned none of the three.
        """
        return [self._verdict(pair) for pair in pairs]

    def _verdict(self, pair: Pair) -> Verdict:
        if not pair.evidence:
            raise UsageError("a claim can only be checked against at least one document")
        cited = pair.citations or ()
        blank = Verdict(pair.claim, "not_supported", 0.0, cited, method=self.name)
        if not makes_claim(pair.claim) or pair.citations == ():
            return blank.without_evidence(claims=makes_claim(pair.claim))
        texts = [citation.quote for citation in cited] or [document.text for document in pair.evidence]
        label, score = self._read(self.call(pair.claim, "\n".join(texts)))
        return Verdict(pair.claim, label, consistent(label, score), cited, method=self.name)

    def _read(self, reply: bool | float | str) -> tuple[Label, float]:
        if isinstance(reply, bool):
            return ("supported", 1.0) if reply else ("not_supported", 0.0)
        if isinstance(reply, int | float) and 0 <= reply <= 1:
            return ("supported" if reply >= 0.5 else "not_supported"), float(reply)
        label = next((known for known in LABELS if known == reply), None)
        if label is None:
            wanted = f"yes or no, a probability, or a label ({', '.join(LABELS)})"
            raise BackendError(f"the function {self.name} returned {str(reply)[:40]!r}, and not {wanted}")
        return label, _SURE.get(label, 0.0)
