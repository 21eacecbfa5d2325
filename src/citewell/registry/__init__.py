"""Families of back ends: name -> location, required extra, description; imported when built.

Spec strings name a back end and its non-default parameters: `bm25(k1=1.2)`, `entailment(checker=nli(model=a/b))`.
They parse, print in one canonical form and build; values are held against the types of the back end's dataclass.
Other packages add rows through the entry-point groups `citewell.retriever`, `citewell.attributor`, ...: an entry
point names a `Row`, or the back end itself.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from citewell.errors import MissingExtraError, PlugInError, SpecError
from citewell.errors.arguments import fits, in_words, parameters, type_of
from citewell.registry.doors import Door, doors
from citewell.registry.families import FAMILIES, Row
from citewell.text import safe

__all__ = ["FAMILIES", "VERBS", "Row", "Spec", "build", "canonical", "factory", "name", "parse", "row", "rows"]

_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")
_WORDS: Mapping[str, Any] = {"true": True, "false": False, "none": None}


class Spec(NamedTuple):
    """A parsed spec string; values are numbers, booleans, None or strings (a nested spec stays a string)."""

    name: str
    params: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        inside = ", ".join(f"{key}={_print(value)}" for key, value in self.params)
        return f"{self.name}({inside})" if inside else self.name


def _wrong(message: str) -> SpecError:
    """An error message without the keys and passwords of a spec."""
    return SpecError(safe.redact_spec(message))


def parse(text: str) -> Spec:
    """Parse a spec string.

    Raises:
        SpecError: it is not `name` or `name(key=value, ...)`.
    """
    match = re.fullmatch(r"\s*+([A-Za-z][\w.-]*+)\s*+(?:\((.*)\)\s*+)?", text, re.DOTALL)
    if not match:
        raise _wrong(f"{text!r} is not a spec: write name or name(key=value, ...)")
    params: dict[str, Any] = {}
    for part in _split(match[2] or "", text):
        key, equals, value = part.partition("=")
        key = key.strip()
        if not equals or not key.isidentifier():
            raise _wrong(f"{text!r}: {part.strip()!r} is not key=value")
        if key in params:
            raise _wrong(f"{text!r}: {key!r} is given twice")
        params[key] = _value(value.strip(), text)
    return Spec(match[1], tuple(params.items()))


def _split(text: str, whole: str) -> list[str]:
    """Parts between commas outside parentheses and quotes."""
    parts: list[str] = []
    depth, quoted, escaped, part = 0, False, False, ""
    for char in text:
        if escaped:
            escaped = False
        elif quoted and char == "\\":
            escaped = True
        elif char == '"':
            quoted = not quoted
        elif not quoted and char in "()":
            depth += 1 if char == "(" else -1
            if depth < 0:
                raise _wrong(f"{whole!r}: a parenthesis closes that was not opened")
        elif not quoted and not depth and char == ",":
            parts.append(part)
            part = ""
            continue
        part += char
    if depth or quoted:
        raise _wrong(f"{whole!r}: a parenthesis or a quote is not closed")
    return [*parts, part] if part.strip() or parts else []


def _value(text: str, whole: str) -> Any:
    if text.startswith('"'):
        if len(text) < 2 or not text.endswith('"'):
            raise _wrong(f"{whole!r}: {text!r} has text after its quote")
        return re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if _NUMBER.fullmatch(text):
        return int(text) if re.fullmatch(r"[-+]?\d+", text) else float(text)
    if not text:
        raise _wrong(f"{whole!r}: a value is missing")
    return text


def _print(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        return repr(value)
    try:
        plain = _split(value, value) == [value] and value == value.strip() and _value(value, value) == value
    except SpecError:
        plain = False
    if plain:
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


@cache
def rows(family: str) -> Mapping[str, Row]:
    """The back ends of a family: the built-in ones, then those of installed packages, without importing them.

    Raises:
        SpecError: there is no such family.
    """
    if family not in FAMILIES:
        raise _wrong(f"no family {family!r}; there are: {', '.join(FAMILIES)}")
    known = FAMILIES[family]
    return {**known, **{name: _declared(door) for name, door in doors(f"citewell.{family}", known).items()}}


def _declared(door: Door) -> Row:
    """The row of an installed package's back end; if it fails to load, the row says so and others are not affected."""
    package = door.distribution
    try:
        declared = door.load()
    except PlugInError as error:
        return Row(door.target, str(error), distribution=package)
    if isinstance(declared, Row):
        return declared._replace(distribution=package)
    summary = (getattr(declared, "__doc__", None) or "").strip().partition("\n")[0].rstrip(".")
    return Row(door.target, summary or f"from the package {package}", distribution=package)


def row(family: str, name: str) -> Row:
    """One back end.

    Raises:
        SpecError: the name is unknown; the message lists the names and suggests the nearest one.
    """
    if family in FAMILIES and name in FAMILIES[family]:
        return FAMILIES[family][name]  # a taken name stays whose it is: other packages need not be read
    known = rows(family)
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f", did you mean {near[0]!r}?" if near else "."
        raise _wrong(f"no {family} {name!r}{hint} There are: {', '.join(sorted(known))}")
    return known[name]


def factory(family: str, name: str) -> Callable[..., Any]:
    """The class of a back end, imported now.

    Raises:
        SpecError: the name is unknown, or belongs to another package that cannot be loaded.
        MissingExtraError: a package from its extra is not installed.
    """
    wanted = row(family, name)
    lacking = _lacking(wanted.needs)
    if lacking and (not wanted.instead or _lacking(wanted.instead)):
        raise MissingExtraError(f"the {family} {name!r}", lacking, wanted.extra or "all", wanted.distribution)
    module, _, attribute = wanted.target.partition(":")
    try:
        backend: Callable[..., Any] = getattr(importlib.import_module(module), attribute)
    except Exception as error:
        if wanted.distribution == "citewell":
            raise
        raise _wrong(f"{family} {name!r} of {wanted.distribution} cannot be loaded: {error}") from error
    return backend


def _lacking(packages: tuple[str, ...]) -> str | None:
    """The first package that is not installed; looked up without importing, because building a back end is cheap."""
    return next((package for package in packages if importlib.util.find_spec(package) is None), None)


# What each family does, and what makes a back end of a plain function where one is enough.
VERBS = {
    "retriever": "rank", "attributor": "attribute", "checker": "check", "decomposer": "decompose", "llm": "complete",
    "generator": "generate", "reducer": "reduce",
}  # fmt: skip
_FUNCTIONS = {
    "retriever": "citewell.retrievers.function:Function",
    "checker": "citewell.checkers.function:Function",
    "llm": "citewell.llm.clients:model",  # of clients of other libraries too
}
_CLIENTS = frozenset(("openai", "anthropic", "langchain_core", "llama_index"))


def _ready(family: str, back_end: Any) -> Any:
    """A back end that was passed as such, or built from a function."""
    verb = VERBS.get(family)
    if family == "llm" and _client(back_end):
        return _made(family, back_end)
    if verb is None or hasattr(back_end, verb):
        return back_end
    if family in _FUNCTIONS and callable(back_end) and not isinstance(back_end, type):
        return _made(family, back_end)
    if not isinstance(back_end, type) and type(back_end).__module__ != "builtins":
        return back_end  # for whoever wants another verb of it, as encoders embed
    description = f"the class {back_end.__name__}" if isinstance(back_end, type) else f"a {type(back_end).__name__}"
    plain = ", or a function" if family in _FUNCTIONS else ""
    raise SpecError(f"{description} is no {family}: give a spec, an object with the method {verb}{plain}")


def _client(value: Any) -> bool:
    """Whether a value is a client of another library, or one with the name of its model."""
    homes = () if isinstance(value, type) else type(value).__mro__
    return type(value) is tuple or not _CLIENTS.isdisjoint(home.__module__.split(".")[0] for home in homes)


def _made(family: str, value: Any) -> Any:
    """A back end that a module of the family builds from a function or another library's client."""
    module, _, name = _FUNCTIONS[family].partition(":")
    return getattr(importlib.import_module(module), name)(value)


def build(family: str, spec: Any) -> Any:
    """A back end from its spec string or from a plain function, or the object itself if it has the verb of its family.

    Raises:
        SpecError: the name or a parameter is unknown, a value is invalid, or the object is not a back end.
        MissingExtraError: a package is not installed.
    """
    if not isinstance(spec, str | Spec):
        return _ready(family, spec)
    parsed = parse(spec) if isinstance(spec, str) else spec
    back_end = factory(family, parsed.name)
    known = parameters(back_end)
    for key, value in parsed.params:
        if key not in known:
            raise _wrong(f"{family} {parsed.name!r} has no parameter {key!r}; it has: {', '.join(known) or 'none'}")
        if not fits(value, wanted := type_of(back_end, key)):
            quotes = " (write it in quotes)" if fits(str(value), wanted) else ""
            raise _wrong(f"{family} {parsed.name!r}: {key} is {in_words(wanted)}, not {_print(value)}{quotes}")
    try:
        return back_end(**dict(parsed.params))
    except (TypeError, ValueError) as error:
        raise _wrong(f"{family} {str(parsed)!r}: {error}") from error


def name(back_end: Any) -> str:
    """The name of a back end in a result: its spec, or the name of an object."""
    if isinstance(back_end, str):
        return safe.redact_spec(back_end)
    label = getattr(back_end, "name", None) or getattr(back_end, "__name__", None)  # the latter of a function
    return safe.redact_spec(str(label or type(back_end).__name__))


def canonical(family: str, spec: str) -> str:
    """The spec with only its non-default parameters, in the order in which the back end declares them."""
    parsed = parse(spec)
    defaults = parameters(factory(family, parsed.name))
    params = dict(parsed.params)
    changed = tuple((key, params[key]) for key in defaults if key in params and params[key] != defaults[key])
    return str(Spec(parsed.name, changed))
