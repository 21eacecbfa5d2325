"""The parameters of back ends and calls, and whether values have the right types."""

from __future__ import annotations

import dataclasses
import inspect
import math
import sys
from collections.abc import Callable, Iterable
from types import NoneType, SimpleNamespace, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from citewell.errors import SpecError, UsageError

_TYPES = {str: "text", int: "a whole number", float: "a number", bool: "true or false", NoneType: "none"}


def parameters(factory: Callable[..., Any]) -> dict[str, Any]:
    """Names and defaults of a back end's parameters; back ends are dataclasses."""
    if not dataclasses.is_dataclass(factory):
        raise SpecError(f"{factory!r} is not a dataclass, so its parameters cannot be read")
    return {field.name: field.default for field in dataclasses.fields(factory) if field.init}


def fits(value: Any, wanted: Any) -> bool:
    """Whether a value of a spec has a type; unknown for other objects and for types that a spec cannot express."""
    if not isinstance(value, str | int | float | bool | NoneType):
        return True
    if get_origin(wanted) in (Union, UnionType):
        return any(fits(value, part) for part in get_args(wanted))
    if get_origin(wanted) is Literal:
        return any(type(value) is type(choice) and value == choice for choice in get_args(wanted))
    if wanted is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if wanted is None or wanted in _TYPES:
        return type(value) is (wanted or NoneType)
    return not (isinstance(wanted, type) and getattr(wanted, "_is_protocol", False))


def in_words(wanted: Any) -> str:
    """A readable name for a type."""
    if get_origin(wanted) in (Union, UnionType):
        return " or ".join(in_words(part) for part in get_args(wanted))
    if get_origin(wanted) is Literal:
        return f"one of {', '.join(map(str, get_args(wanted)))}"
    return _TYPES.get(wanted) or f"a {getattr(wanted, '__name__', wanted)}"


def type_of(back_end: Any, key: str) -> Any:
    """The type of a parameter; Any if its annotation names something that exists only for type checkers."""
    annotation = next(field.type for field in dataclasses.fields(back_end) if field.name == key)
    for base in inspect.getmro(back_end) if isinstance(annotation, str) else ():
        try:
            alone: Any = SimpleNamespace(__annotations__={key: annotation})
            return get_type_hints(alone, vars(sys.modules[base.__module__]))[key]
        except (NameError, AttributeError, TypeError):  # of another module, or for type checkers only
            continue
    return Any if isinstance(annotation, str) else annotation


def hold(wanted: Any, **arguments: Any) -> None:
    """Reject arguments of a call with the wrong type; `True` is not a number.

    Raises UsageError: names the first wrong argument.
    """
    for name, value in arguments.items():
        if not isinstance(value, str | int | float | NoneType) or not fits(value, wanted):
            raise UsageError(f"{name} is {in_words(wanted)}, not {value!r:.60}")


def listed(name: str, values: Any) -> list[Any]:
    """Arguments that come as several. Raises UsageError: the value cannot be iterated."""
    if not isinstance(values, Iterable):
        raise UsageError(f"{name} come as several, such as a list, not {values!r:.60}")
    return list(values)
