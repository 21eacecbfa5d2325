"""The items of a task for a study, with a record of their files."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from citewell.errors import BackendError, CitewellError, MissingExtraError, SpecError
from citewell_lab.bench import spec
from citewell_lab.bench.items import Broken, Item
from citewell_lab.bench.records import failure
from citewell_lab.bench.tasks import task

HOPELESS = 3  # failures of the back end on the first items after which it is given up
AnyItem = TypeVar("AnyItem", bound=Item)
T = TypeVar("T")


def read(name: str, data: str | Path, split: str, limit: int | None = None) -> tuple[Iterator[Item], dict[str, Any]]:
    """The first `limit` items, and checksums and versions.

    Raises:
        UsageError: no such task.
        InputError: the data is not there.
    """
    source = task(name).data
    paths = source.files(Path(data), split)
    checksums = source.checksums(Path(data), paths)
    kept = {"checksums": checksums, "versions": spec.versions(), "git": spec.revision()}
    return itertools.islice(source.items(paths, split), limit), kept


def each(
    items: Iterable[AnyItem | Broken], work: Callable[[AnyItem], T], progress: Callable[[int], object] | None
) -> tuple[list[tuple[AnyItem, T]], list[str]]:
    """What `work` makes of the items, and why others were left out; `progress` is told how many are done.

    Raises:
        BackendError: the back end fails from the start, or no item could be used.
        MissingExtraError: a package is not installed.
    """
    results: list[tuple[AnyItem, T]] = []
    failed: list[str] = []
    for number, item in enumerate(items, start=1):
        try:
            if isinstance(item, Broken):
                failed.append(f"{item.id}: {item.reason}")
            else:
                results.append((item, work(item)))
        except (MissingExtraError, SpecError):
            raise
        except CitewellError as error:
            failed.append(f"{item.id}: {failure(error)}")
            if isinstance(error, BackendError) and not results and len(failed) >= HOPELESS:
                raise
        if progress:
            progress(number)
    if not results:
        raise BackendError(f"no item could be used; the first: {failed[0] if failed else 'there is none'}")
    return results, failed
