"""What the operator offers to requests by name: local models and promises."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from citewell import registry
from citewell.errors import UsageError
from citewell.pipeline import promise
from citewell.pipeline.promise import Promise
from citewell.registry import Spec
from citewell.serve.faults import Fault

METHODS = ("hidden-states",)  # attributors that read a local model's states, layer by layer
_NAMED = re.compile(r"(?:([A-Za-z][\w.-]{0,63})=)?(.+)", re.DOTALL)


class Model(NamedTuple):
    """A local model: its place, and the number of its layers above the embeddings."""

    place: str
    layers: int


class Offered(NamedTuple):
    """Models and promises by their public names; requests never name their places."""

    models: Mapping[str, Model] = {}
    promises: Mapping[str, Promise] = {}

    def known(self) -> None:
        """Register the models by name in this process."""
        if self.models:
            from citewell.models.loading import name_models

            name_models({name: model.place for name, model in self.models.items()})

    @property
    def methods(self) -> tuple[str, ...]:
        """The additional attributors that a request may name."""
        return METHODS if self.models else ()

    def method(self, spec: Spec) -> str:
        """An attributor of `METHODS`, with the name of its model.

        Raises Fault: there is no such model or layer, or it names something else.
        """
        params = dict(spec.params)
        name = params.get("model", next(iter(self.models)))
        model = self.models.get(name) if isinstance(name, str) else None
        if model is None:
            raise _refused(f"model is one of {', '.join(self.models)}")
        if texts := [key for key, value in params.items() if isinstance(value, str) and key != "model"]:
            raise _refused(f"{spec.name} takes no {texts[0]} here")
        for key in ("layer", "token_layer"):
            layer = params.get(key)
            if isinstance(layer, int) and not -model.layers - 1 <= layer <= model.layers:
                raise _refused(f"{name} has layers 0 to {model.layers}, or -1 to {-model.layers - 1}")
        text = str(Spec(spec.name, tuple((params | {"model": name}).items())))
        registry.build("attributor", text)
        return text

    def promise(self, name: str) -> Promise | str:
        """A promise by name; the default promise stays a name, since it depends on the method.

        Raises Fault: there is none.
        """
        if name in self.promises:
            return self.promises[name]
        if name == promise.DEFAULT:
            return name
        known = ", ".join({**self.promises, promise.DEFAULT: None})
        raise Fault(422, "UsageError", f"abstain is a score, or a promise of this service: {known}", "abstain")

    def listed(self, llm: str | None) -> Mapping[str, Promise]:
        """The offered promises and the default one: of extractive answers, or of claims if a model answers."""
        try:
            ships = {promise.DEFAULT: promise.default("lexical" if llm else "extractive")}
        except UsageError:
            ships = {}
        return {**self.promises, **({} if promise.DEFAULT in self.promises else ships)}


NOTHING = Offered()


def offered(models: Iterable[str] = (), promises: Iterable[str] = ()) -> Offered:
    """The offer from options `NAME=PLACE` or `PLACE`.

    Raises CitewellError: a model or a promise cannot be read, or two have one name.
    """
    folders = _named("model", models)
    return Offered(
        {name: _model(place) for name, place in folders.items()},
        {name: promise.read(place) for name, place in _named("promise", promises).items()},
    )


def _named(what: str, options: Iterable[str]) -> dict[str, str]:
    named = dict[str, str]()
    for option in options:
        match = _NAMED.fullmatch(option)
        if match is None:
            raise UsageError(f"a {what} is NAME=PLACE or PLACE")
        name = match[1] or match[2].rstrip("/\\").replace("\\", "/").rpartition("/")[2].removesuffix(".json")
        if name in named:
            raise UsageError(f"two {what}s are called {name!r}: write NAME=PLACE")
        named[name] = match[2]
    return named


def _model(place: str) -> Model:
    from citewell.models.loading import config_of

    layers = int(config_of(place, None).num_hidden_layers)
    return Model(str(Path(place).resolve()) if Path(place).exists() else place, layers)


def _refused(message: str) -> Fault:
    return Fault(422, "SpecError", message, "method")
