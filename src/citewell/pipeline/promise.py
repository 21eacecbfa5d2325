"""A threshold with a statistical guarantee: the share of wrong results at or above it, and the confidence.

`citewell calibrate --risk` makes one; `ask(abstain=...)` and `--abstain FILE` keep to it. Some ship with the package:
`--abstain default` takes that of the generator, or of the checker.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from importlib import resources
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from citewell import registry
from citewell.errors import InputError, UsageError, of_files
from citewell.text import safe
from citewell.text.data import read_json

FORMAT = "citewell promise 2"
DEFAULT = "default"  # in the place of a file: the promise that ships
BINS = 200  # equal steps of a score, of which the items are counted
# What shapes the scores of our own methods beside their parameters: fitted again, they keep no older promise.
_WEIGHTS = {
    "lexical": (("citewell.facts", "data/checker.json"),),
    "judge-small": (("citewell.facts", "data/checker.json"),),
    "extractive": (
        *((f"citewell.generators.extractive{room}", "weights.json") for room in ("", ".phrases", ".cells")),
        ("citewell.text", "meanings.npz"),
    ),
}
# How each kind of error reads in a sentence: what is given is ...
WRONG = {
    "any": "wrong",
    "unanswerable": "given where there is no answer",
    "poor": "wrong although there is an answer",
    "contradicted": "contradicted by the evidence",
    "missing": "not in the evidence",
    "partial": "in the evidence only in part",
}


@dataclass(frozen=True, slots=True)
class Promise:
    """A promise, and the data on which it was calibrated.

    Attributes:
        of: `answers` (the confidence of an answer) or `claims` (the score of a supported claim).
        threshold: the minimum score of a result that is returned.
        error: what counts as wrong: a key of `WRONG`.
        risk: at most this share of the returned results is wrong,
        confidence: with at least this probability over the sampling of the items on which the threshold was chosen.
        method: the source of the scores: the spec of a generator or a checker.
        weights: SHA-256 of the method and of the weights that shape its scores.
        tasks: the source of the items, such as `squad2/dev`.
        by: the field by which the items were grouped, or empty.
        groups: for each group that the promise holds in: items, given, wrong.
        items: how many items there were.
        given: how many of them reach the threshold.
        wrong: how many of these were wrong.
        data: SHA-256 of the items' scores and of what was wrong.
        scores: how many items had a score in each of `BINS` equal steps, by which a drift is told; of those of one
            document or answer only one is counted.
        version: the version of citewell.
    """

    of: str
    threshold: float
    error: str
    risk: float
    confidence: float
    method: str
    weights: str
    tasks: list[str]
    by: str
    groups: dict[str, list[int]]
    items: int
    given: int
    wrong: int
    data: str
    scores: list[int]
    version: str

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {"format": FORMAT, **asdict(self)}

    def words(self) -> str:
        """The promise in words that require no statistics."""
        what = "answers" if self.of == "answers" else "claims called supported"
        within = f" in each of {', '.join(self.groups)}" if self.groups else ""
        luck = f"because the {self.items} items happened to be easy"
        return (
            f"Of {what} with a score of {self.threshold:.3f} or more, at most {self.risk:.0%} are {WRONG[self.error]}"
            f"{within}. The chance that this is false {luck} is at most {1 - self.confidence:.0%}. It holds for items "
            f"drawn as those of {', '.join(self.tasks)} were, scored by {self.method}, and for nothing else."
        )


def fingerprint(method: str) -> str:
    """SHA-256 of a method's spec and of the weights that it works with."""
    digest = hashlib.sha256(method.encode())
    for package, name in _WEIGHTS.get(method.partition("(")[0], ()):
        digest.update(resources.files(package).joinpath(name).read_bytes())
    spec = registry.parse(method)
    if spec.name == "judge-small":
        for path in registry.build("checker", spec).files():
            digest.update(path.read_bytes())
    return digest.hexdigest()


def read(path: str | Path) -> Promise:
    """Read a promise from its file.

    Raises:
        InputError: the file does not exist, or contains something else.
    """
    place = Path(path).expanduser()
    try:
        with of_files(f"the promise {str(path)!r} cannot be read"):
            payload = safe.loads(place.read_text("utf-8"))
    except ValueError as error:
        raise InputError(f"{str(path)!r} is no promise: it is not JSON") from error
    return _promise(payload, repr(str(path)))


def shipped() -> Iterator[Promise]:
    """The promises that ship."""
    for payload in read_json(__package__, "promises.json")["promises"]:
        yield _promise(payload, "the promise that ships")


def default(*methods: str) -> Promise:
    """The promise that ships for the first of some methods that has one.

    Raises:
        UsageError: none of the methods has one.
    """
    for method in methods:
        promise = next((promise for promise in shipped() if promise.method == method), None)
        if promise is not None:
            return promise
    known = ", ".join(promise.method for promise in shipped())
    raise UsageError(f"no promise ships for {' or '.join(methods)}, only for {known}: calibrate --risk makes one")


def least(abstain: float | str | Path | Promise | None, generator: str, checker: str) -> float | None:
    """The score that a pipeline is to reach: a number as it is, of a promise or its file the threshold.

    Raises:
        UsageError: the promise was made for another generator or checker, or is of claims where answers quote.
        InputError: the file does not exist, or contains something else.
    """
    if abstain is None or isinstance(abstain, int | float):
        return abstain
    quotes = generator.partition("(")[0] == "extractive"
    if isinstance(abstain, Promise):
        promise, name = abstain, "the promise"
    elif str(abstain) == DEFAULT:
        promise, name = default(*((generator,) if quotes else (generator, checker))), "the promise that ships"
    else:
        promise, name = read(abstain), f"the promise in {str(abstain)!r}"
    if promise.of == "claims" and quotes:
        raise UsageError(f"{name} is of claims: an answer that only quotes makes none, calibrate extractive")
    hold(promise, generator if promise.of == "answers" else checker, name)
    return promise.threshold


def hold(promise: Promise, method: str, name: str = "the promise") -> None:
    """Reject a promise that was made for other scores.

    Raises:
        UsageError: it was made for another method, or for other weights.
    """
    if promise.method != method:
        raise UsageError(f"{name} was made for {promise.method}, not {method}: calibrate again")
    if promise.weights != fingerprint(method):
        raise UsageError(f"{name} was made for other weights of {method}, whose scores were others: calibrate again")


def _promise(payload: Any, name: str) -> Promise:
    if not isinstance(payload, dict) or payload.get("format") != FORMAT:
        raise InputError(f"{name} is no promise of this version: citewell calibrate --risk makes them")
    hints = get_type_hints(Promise)
    for field in fields(Promise):
        if not _is(payload.get(field.name), hints[field.name]):
            raise InputError(f"{name}: {field.name} is missing or of the wrong type")
    promise = Promise(**{field.name: payload[field.name] for field in fields(Promise)})
    if not 0 <= promise.threshold <= 1 or promise.of not in ("answers", "claims"):
        raise InputError(f"{name}: threshold is no score, or of is neither answers nor claims")
    if promise.error not in WRONG or len(promise.scores) != BINS or min(promise.scores) < 0:
        raise InputError(f"{name}: error is not known, or scores are not {BINS} counts")
    if not 0 <= promise.given <= promise.items or not sum(promise.scores):
        raise InputError(f"{name}: it was made on no items, or gave more than there were")
    return promise


def _is(value: Any, kind: Any) -> bool:
    if get_origin(kind) is list:
        return isinstance(value, list) and all(_is(item, get_args(kind)[0]) for item in value)
    if get_origin(kind) is dict:
        return isinstance(value, dict) and all(_is(item, get_args(kind)[1]) for item in value.values())
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, kind) and not isinstance(value, bool)
