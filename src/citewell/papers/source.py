"""The items of a task as a study reads them, with the record of the files they come from."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from citewell.bench import spec
from citewell.bench.items import Item
from citewell.bench.tasks import task


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
    return itertools.islice(source.items(paths), limit), kept
