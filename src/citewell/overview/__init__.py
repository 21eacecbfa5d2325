"""The overview of a document: kind, details, outline, quotes, key figures, questions. The package is callable."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from citewell.overview.model import Overview


class _Callable(ModuleType):
    """As `citewell.overview` is this package as soon as a part of it is imported, and the function before."""

    def __call__(self, document: Any) -> Overview:
        """See `citewell.overview.describe.overview`."""
        from citewell.overview.describe import overview

        return overview(document)


sys.modules[__name__].__class__ = _Callable
