"""Auditing answers of other systems: wire formats, scores, fixes, verification. Calling the package runs an audit."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    """As `citewell.audit` is this package as soon as a part of it is imported, and the function before."""

    def __call__(self, *arguments: Any, **settings: Any) -> Any:
        """See `citewell.audit.scores.audit`."""
        from citewell.audit.scores import audit

        return audit(*arguments, **settings)


sys.modules[__name__].__class__ = _Callable
