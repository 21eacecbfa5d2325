"""The reason why a model or a library is unavailable, in one sentence."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from citewell.errors import AuthenticationError, BackendError, MissingExtraError, UnknownModelError


def imported(library: str, feature: str, extra: str) -> Any:
    """The library that a feature needs. Raises MissingExtraError: it is not installed."""
    try:
        return importlib.import_module(library)
    except ModuleNotFoundError as error:
        raise MissingExtraError(feature, library, extra) from error


def explain(name: str, error: Exception, what: str = "model") -> BackendError:
    """What went wrong while a model was looked for or loaded.

    Libraries wrap what the hub's client raises in errors of their own, several times over.
    """
    if Path(name).is_dir():  # the hub was only asked because the folder lacks what is sought
        return BackendError(f"the {what} in {name!r} could not be loaded: {_first(error)}")
    kinds = {kind.__name__ for link in _chain(error) for kind in type(link).__mro__}
    if "GatedRepoError" in kinds:
        return AuthenticationError(f"the hub provides the {what} {name!r} only after a login: hf auth login")
    if "RepositoryNotFoundError" in kinds:
        return UnknownModelError(f"no {what} {name!r}: it is no folder here, and the hub has none of this name")
    if "RevisionNotFoundError" in kinds:
        return UnknownModelError(f"the hub has the {what} {name!r}, but not this revision")
    if "HFValidationError" in kinds:
        return UnknownModelError(f"no {what} {name!r}: it is no folder here, and no name of the hub")
    if kinds & {"LocalEntryNotFoundError", "OfflineModeIsEnabled"}:
        return UnknownModelError(
            f"the {what} {name!r} is not on this machine, and the hub cannot be reached: name the folder of one"
        )
    return BackendError(f"the {what} {name!r} could not be loaded: {_first(error)}")


def _first(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return (lines or [type(error).__name__])[0][:300]


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
