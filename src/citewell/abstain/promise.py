"""A threshold that comes with a promise: of what is given at or above it, at most so much is wrong, so surely.

`citewell calibrate --risk` makes one; `ask(abstain=...)` and `--abstain FILE` keep to it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, get_args, get_type_hints

from citewell.errors import InputError, UsageError
from citewell.text import safe

FORMAT = "citewell promise 1"


@dataclass(frozen=True, slots=True)
class Promise:
    """What was promised, and on what.

    Attributes:
        of: `answers` (the confidence of an answer) or `claims` (the score of a supported claim).
        threshold: what is given has at least this score.
        error: what counts as wrong: `any`, or `unanswerable`, an answer where the document has none.
        risk: at most this share of what is given is wrong,
        confidence: with at least this probability over the draw of the items that the threshold was chosen on.
        method: whose scores these are: a generator's spec, or a checker's.
        tasks: where the items came from, as `squad2/dev`.
        items: how many there were.
        given: how many of them reach the threshold.
        wrong: how many of these were wrong.
        data: SHA-256 of the items' scores and of what was wrong.
        deciles: of all items' scores, by which a drift is told.
        version: of citewell.
    """

    of: str
    threshold: float
    error: str
    risk: float
    confidence: float
    method: str
    tasks: list[str]
    items: int
    given: int
    wrong: int
    data: str
    deciles: list[float]
    version: str

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {"format": FORMAT, **asdict(self)}

    def words(self) -> str:
        """The promise in words that need no statistics."""
        wrong = "given where there is no answer" if self.error == "unanswerable" else "wrong"
        what = "answers" if self.of == "answers" else "claims called supported"
        luck = f"because the {self.items} items happened to be easy"
        return (
            f"Of {what} with a score of {self.threshold:.3f} or more, at most {self.risk:.0%} are {wrong}. The chance "
            f"that this is false {luck} is at most {1 - self.confidence:.0%}. It holds for items drawn as those of "
            f"{', '.join(self.tasks)} were, scored by {self.method}, and for nothing else."
        )


def read(path: str | Path) -> Promise:
    """A promise from its file.

    Raises:
        InputError: there is no such file, or it holds something else.
    """
    place = Path(path).expanduser()
    try:
        told = safe.loads(place.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"the promise {str(path)!r} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"{str(path)!r} is no promise: it is not JSON") from error
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise InputError(f"{str(path)!r} is no promise: citewell calibrate --risk makes them")
    hints = get_type_hints(Promise)
    for field in fields(Promise):
        value, kind = told.get(field.name), hints[field.name]
        inner = get_args(kind)
        right = isinstance(value, list) and all(_is(item, inner[0]) for item in value) if inner else _is(value, kind)
        if not right:
            raise InputError(f"{str(path)!r}: {field.name} is missing or of the wrong type")
    promise = Promise(**{field.name: told[field.name] for field in fields(Promise)})
    if not 0 <= promise.threshold <= 1 or promise.of not in ("answers", "claims"):
        raise InputError(f"{str(path)!r}: threshold is no score, or of is neither answers nor claims")
    return promise


def least(abstain: float | str | Path | None, generator: str, checker: str) -> float | None:
    """The score that a pipeline is to reach: a number as it is, of a promise's file its threshold.

    Raises:
        UsageError: the promise was made for another generator or checker, or is of claims where answers quote.
        InputError: there is no such file, or it holds something else.
    """
    if abstain is None or isinstance(abstain, int | float):
        return abstain
    promise = read(abstain)
    if promise.of == "claims" and generator.partition("(")[0] == "extractive":
        raise UsageError(
            f"the promise in {str(abstain)!r} is of claims: an answer that only quotes makes none, calibrate extractive"
        )
    here = generator if promise.of == "answers" else checker
    if promise.method != here:
        raise UsageError(f"the promise in {str(abstain)!r} was made for {promise.method}, not {here}: calibrate again")
    return promise.threshold


def _is(value: Any, kind: Any) -> bool:
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, kind) and not isinstance(value, bool)
