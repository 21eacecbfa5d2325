"""The settings to compare: every layer of a model, or a grid of an attributor's parameters."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from citewell import registry
from citewell.errors import UsageError
from citewell.errors.arguments import parameters
from citewell_lab.papers.hidden_states.observe import Setting

if TYPE_CHECKING:
    from citewell.models.loading import Loaded

GRIDS: dict[str, dict[str, tuple[Any, ...]]] = {
    "hidden-states": {"layer": ("all",)},
    "lexical": {"floor": (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4), "gain": (0.04, 0.08, 0.12, 0.16, 0.24)},
    "verbatim": {"least": (1, 2, 3, 4, 5)},
}
MOST = 500  # settings at once
BARE = "layer 0 is the bare token: this model's positions are rotary or relative"


def parse(options: Sequence[str]) -> dict[str, tuple[Any, ...]]:
    """Grids as a user writes them, `name=value,value,...`.

    Raises:
        UsageError: one is not of that form.
    """
    result = {}
    for option in options:
        name, equals, values = option.partition("=")
        parts = [part.strip() for part in values.split(",") if part.strip()]
        if not equals or not name.strip().isidentifier() or not parts:
            raise UsageError(f"--grid {option!r} is not name=value,value,...")
        result[name.strip()] = tuple(dict(registry.parse(f"x(a={part})").params)["a"] for part in parts)
    return result


def has_layers(method: str) -> bool:
    """Whether a method reads one layer of a model, and finds copied tokens by a threshold."""
    return registry.parse(method).name == "hidden-states"


def single(method: str, name: str = "") -> Setting:
    """One setting: a method as it is given."""
    back_end = registry.build("attributor", method)
    return Setting(name or registry.canonical("attributor", method), back_end)


def settings(method: str, numeric_defaults: Mapping[str, tuple[Any, ...]] | None = None) -> list[Setting]:
    """All settings of a method's grid, those nearest to the method as it is given first.

    Raises:
        UsageError: the method has no grid and none is given, a parameter is unknown, or there are too many settings.
        BackendError: the model whose layers are wanted cannot be loaded.
    """
    parsed = registry.parse(method)
    back_end = registry.build("attributor", method)
    grid = dict(numeric_defaults or {}) or GRIDS.get(parsed.name, {})
    if parsed.name == "hidden-states" and "layer" not in grid:
        grid = {"layer": ("all",), **grid}
    if not grid:
        known = ", ".join(parameters(registry.factory("attributor", parsed.name)))
        raise UsageError(f"there is no grid for {parsed.name!r}: give --grid name=value,... with one of: {known}")
    control = ""
    if "layer" in grid:
        count, control = _layers(back_end)
        if grid["layer"] == ("all",):
            grid["layer"] = tuple(range(count + 1))
        grid["layer"] = tuple(layer + count + 1 if layer < 0 else layer for layer in grid["layer"])
    combinations = [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]
    if len(combinations) > MOST:
        raise UsageError(f"the grid has {len(combinations)} settings; the most is {MOST}")
    base = {name: value for name, value in parsed.params if name != "token_layer" or "layer" not in grid}
    if has_layers(method) and back_end.threshold is None:
        base["threshold"] = -1.0  # thresholds are read off the scores, none need be found before
    result = []
    for values in combinations:
        built = registry.build("attributor", registry.Spec(parsed.name, tuple((base | values).items())))
        name = ", ".join(f"{key}={value}" for key, value in values.items())
        why = control if values.get("layer") == 0 else ""
        result.append(Setting(name, built, tuple(values.items()), why))
    numeric = {key: max(values) - min(values) or 1 for key, values in grid.items() if _numbers(values)}

    def distance(setting: Setting) -> float:
        known = {key: back_end.source_layer if key == "layer" else getattr(back_end, key) for key in numeric}
        defaults: dict[str, float] = {key: value for key, value in known.items() if value is not None}
        if "layer" in defaults and defaults["layer"] < 0:
            defaults["layer"] += count + 1
        return float(sum(abs(dict(setting.params)[key] - defaults[key]) / numeric[key] for key in defaults))

    return sorted(result, key=distance)


def _numbers(values: Sequence[Any]) -> bool:
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def _layers(back_end: Any) -> tuple[int, str]:
    """The number of the last layer, and why layer 0 is no choice, if so."""
    from citewell.models.states import layer_number

    loaded = back_end.load("encoder")
    return layer_number(loaded, -1), "" if embeds_position(loaded) else BARE


def embeds_position(loaded: Loaded) -> bool:
    """Whether layer 0 depends on where a token stands. With rotary or relative positions it is the bare token.

    Found by looking: one token twice in a sequence, and whether its two embeddings differ.
    """
    from citewell.models.states import token_states

    some = int(loaded.model.config.vocab_size) // 2
    (states,) = token_states(loaded, [[some, some - 1, some]], 0)
    return not (states[0] == states[2]).all()
