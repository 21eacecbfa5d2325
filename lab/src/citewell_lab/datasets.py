"""Tasks as Hugging Face datasets: one row per item.

rows = load("qasper", "dev", data="data")          # questions, documents, gold evidence as offsets
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from citewell.document import Document
from citewell.errors import MissingExtraError, UsageError
from citewell_lab.bench.items import Broken
from citewell_lab.bench.tasks import task as named

try:
    import datasets as hf
except ImportError as error:
    raise MissingExtraError("citewell_lab.datasets", "datasets", "datasets") from error


def load(task: str, split: str = "dev", *, data: str | Path, limit: int | None = None) -> hf.Dataset:
    """The items of a task, a row each, as `citewell bench run TASK` reads them.

    Documents are mappings with `id`, `title` and `text`; spans are `[start, end]` in code points of the text that they
    belong to; gold evidence counts `segments` from 0. Rows that cannot be read are left out, and the description of the
    data set names them.

    Raises:
        UsageError: there is no such task, no row can be read, or the limit is below 1.
        InputError: the folder or the split is not there.
    """
    if limit is not None and limit < 1:
        raise UsageError(f"the limit is at least 1, not {limit}")
    wanted, kept, broken = named(task), list[dict[str, Any]](), list[str]()
    source = wanted.data
    for item in source.picked(source.files(Path(data), split), split, limit=limit):
        if isinstance(item, Broken):
            broken.append(f"{item.id}: {item.reason}")
        else:
            kept.append(_plain(item))
    if not kept:
        raise UsageError(f"no row of {task} {split} can be read" + (f": {broken[0]}" if broken else ""))
    dataset = hf.Dataset.from_list(kept)
    published = source.published
    left_out = f" Left out, as they cannot be read: {'; '.join(broken)}." if broken else ""
    dataset.info.description = f"{wanted.summary} ({task}, {split}).{left_out}"
    dataset.info.homepage, dataset.info.license = published.home, published.licence
    return dataset


def _plain(value: Any) -> Any:
    """An item in what a data set can hold."""
    if isinstance(value, Document):
        return {"id": value.id, "title": value.title, "source": value.source, "text": value.text}
    if dataclasses.is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return [{"name": str(key), "value": _plain(inner)} for key, inner in value.items()]
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value
