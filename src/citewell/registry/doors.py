"""Entry points of other packages, loaded on demand.

Groups: `citewell.commands` (commands of the command line), `citewell.readers`, `citewell.exports`, `citewell.tasks` (of
the laboratory's benchmark), and `citewell.FAMILY` for each family of back ends. A plug-in that cannot be loaded is
named in one warning and leaves everything else alone.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Collection, Mapping
from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Any, NamedTuple

from citewell.errors import PlugInError, PlugInWarning

if TYPE_CHECKING:
    from importlib import metadata


class Door(NamedTuple):
    """One declared entry point.

    Attributes:
        name: its name.
        distribution: the package that declares it.
        target: `module:attribute`.
    """

    name: str
    distribution: str
    target: str

    def load(self) -> Any:
        """The object that the entry point names, imported now.

        Raises:
            PlugInError: the package's module cannot be imported, or has no such attribute.
        """
        module, _, attributes = self.target.partition(":")
        try:
            loaded = importlib.import_module(module)
            return reduce(getattr, attributes.split("."), loaded) if attributes else loaded
        except Exception as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            raise PlugInError(
                f"the plug-in {self.name!r} of the package {self.distribution} cannot be loaded: {reason}"
            ) from error


def doors(group: str, taken: Collection[str] = ()) -> Mapping[str, Door]:
    """The entry points of a group by name, in order of name; nothing is imported.

    Args:
        group: such as `citewell.commands`.
        taken: names already in use; an entry point with such a name becomes `DISTRIBUTION.NAME`.
    """
    by_name: dict[str, Door] = {}
    declared = _entry_points(tuple(sys.path)).select(group=group)
    for entry in sorted(declared, key=lambda entry: (entry.name, entry.value)):
        distribution = entry.dist.name if entry.dist else entry.module.partition(".")[0]
        name = entry.name
        if name in taken or name in by_name:
            name = f"{distribution}.{name}"
        by_name[name] = Door(name, distribution, entry.value)
    return by_name


def loaded(group: str, taken: Collection[str] = ()) -> Mapping[str, Any]:
    """The objects that the entry points of a group name; those that cannot be loaded are left out, with one warning."""
    objects: dict[str, Any] = {}
    for name, door in doors(group, taken).items():
        try:
            objects[name] = door.load()
        except PlugInError as error:
            warn_once(str(error))
    return objects


@lru_cache(maxsize=256)
def warn_once(message: str) -> None:
    """Warn about a plug-in, once per process."""
    warnings.warn(message, PlugInWarning, stacklevel=2)


@lru_cache(maxsize=1)
def _entry_points(path: tuple[str, ...]) -> metadata.EntryPoints:  # noqa: ARG001  (what lies on another path differs)
    """The entry points declared by packages on the path; their files are read once for all groups."""
    from importlib import metadata

    return metadata.entry_points()  # type: ignore[return-value]  # typed as it was before Python 3.12
