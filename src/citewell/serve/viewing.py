"""The choices and limits that a request has, for a page that offers them."""

from __future__ import annotations

from importlib import metadata
from typing import Annotated, Any, get_args

from fastapi import FastAPI, Path, Request

from citewell import registry
from citewell.export.view import UNSCORED
from citewell.serve import bodies, owners
from citewell.serve.context import Context
from citewell.serve.owners import Caller
from citewell.types import LABEL_SYMBOLS, LABEL_WORDS

Id = Annotated[str, Path(alias="id", min_length=1, max_length=64, description="Of a document.")]


def add(routes: FastAPI, service: Context) -> None:
    """Add the routes."""
    settings = service.settings

    @routes.get("/v1/settings")
    async def chosen(request: Request) -> dict[str, Any]:
        caller: Caller = request.state.caller
        offered = settings.offered
        return {
            "version": metadata.version("citewell"),
            "llm": _named(settings.llm),
            "scopes": sorted(caller.scopes),
            "carries": owners.plain(caller.labels),
            "workspace": owners.workspace(caller.labels),
            "caller": caller.name,
            "admin": caller.admin,
            "users": caller.admin and settings.users is not None,
            "granularities": list(get_args(bodies.Granularity)),
            "labels": {
                label: {"word": word, "mark": LABEL_SYMBOLS[label], "scored": label not in UNSCORED}
                for label, word in LABEL_WORDS.items()
            },
            "choices": {
                field: _choices(families, offered.methods if field == "method" else ())
                for field, families in bodies.OPEN.items()
            },
            "models": [{"name": name, "layers": model.layers} for name, model in offered.models.items()],
            "promises": [
                {"name": name, "of": promise.of, "risk": promise.risk, "words": promise.words()}
                for name, promise in offered.listed(settings.llm).items()
            ],
            "limits": {"upload": settings.upload, "body": settings.body, "documents": settings.documents},
        }


def _named(llm: str | None) -> str | None:
    """The name of a language model without address or key."""
    if llm is None:
        return None
    spec = registry.parse(llm)
    model = dict(spec.params).get("model")
    return f"{spec.name}: {model}" if isinstance(model, str) else spec.name


def _choices(families: dict[str, tuple[str, ...]], more: tuple[str, ...]) -> list[dict[str, str]]:
    named = [(family, name) for family, names in families.items() for name in (*names, *more)]
    return [{"name": name, "summary": registry.row(family, name).summary} for family, name in named]
