"""Data files of the package: word lists, weights, settings, published figures; read on first use.

Every list and weight that shapes a result stands in a file beside the module that uses it, with where it comes from
and the script that makes it or shows what it is worth; none stands in the code.
"""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Mapping
from functools import cache
from typing import Any


def read_text(package: str, name: str) -> str:
    """A text file of a package; `pkgutil` is imported in a fifth of the time that `importlib.resources` takes.

    Raises FileNotFoundError: the package has no such file.
    """
    data = pkgutil.get_data(package, name)
    if data is None:  # from a loader that has no data
        raise FileNotFoundError(f"the package {package} holds no {name}")
    return data.decode("utf-8")


@cache
def read_json(package: str, name: str) -> Any:
    """A JSON file of a package. It is kept, so whoever gets it leaves it as it is."""
    return json.loads(read_text(package, name))


@cache
def settings(package: str, name: str = "settings.json") -> Mapping[str, float]:
    """The values of a file of settings, each of which stands there as [value, what it is]."""
    return {key: value for key, (value, _) in read_json(package, name)["values"].items()}


@cache
def words(package: str, name: str, key: str) -> frozenset[str]:
    """One list of a file of word lists, in which a list is a string of words between spaces."""
    return frozenset(read_json(package, name)["lists"][key].split())
