"""The routes of OpenAI's and Anthropic's endpoints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Protocol

from fastapi import FastAPI, Path, Request
from starlette.responses import Response

from citewell.serve import replies
from citewell.serve.compatible import anthropic, chat, errors, files, messages, models, openai, responses
from citewell.serve.compatible.questions import Question
from citewell.serve.context import Context
from citewell.serve.owners import Caller
from citewell.serve.pool import Job
from citewell.text import safe
from citewell.text.tokens import estimate

Name = Annotated[str, Path(alias="model", min_length=1, max_length=200)]


class _Writer(replies.Events, Protocol):
    def whole(self, result: bytes) -> dict[str, Any]: ...


def add(routes: FastAPI, service: Context) -> None:
    """Add the endpoints to the routes."""
    files.add(routes, service)
    settings = service.settings

    async def replied(request: Request, question: Question, writing: Callable[[str], _Writer]) -> Response:
        job = _job(request, question, service)
        named = f"library={job.library}&" if len(settings.places) > 1 else ""
        writer = writing(f"{request.base_url}#{named}")
        if question.stream:
            return await replies.streamed(service.pool, job, writer)
        reply = writer.whole(await replies.whole(request, service.pool.run(job)))
        return Response(safe.dumps(reply), media_type=replies.JSON)

    @routes.post("/v1/chat/completions")
    async def completions(request: Request, body: openai.Chat) -> Response:
        parsed = openai.chat(body)
        return await replied(request, parsed, lambda page: chat.Writer(parsed, page, usage=body.usage))

    @routes.post("/v1/responses")
    async def response(request: Request, body: openai.Responses) -> Response:
        parsed = openai.responses(body)
        return await replied(request, parsed, lambda page: responses.Writer(parsed, page))

    @routes.post("/v1/messages")
    async def message(request: Request, body: anthropic.Messages) -> Response:
        parsed = anthropic.messages(body)
        return await replied(request, parsed, lambda page: messages.Writer(parsed, page, request.state.request))

    @routes.post("/v1/messages/count_tokens")
    async def counted(request: Request, body: anthropic.Counted) -> dict[str, int]:
        service.job(request, "told")
        models.spec(settings.llm, body.model)
        return {"input_tokens": estimate(safe.dumps([message.model_dump() for message in body.messages]))}

    @routes.get("/v1/models")
    async def known(request: Request) -> Response:
        names = models.listed(settings.llm)
        ours = errors.protocol(request.scope) == "openai"
        return files.reply(models.openai_list(names) if ours else models.anthropic_list(names))

    @routes.get("/v1/models/{model:path}")  # noqa: FAST003  (`Name` has the alias)
    async def model(request: Request, name: Name) -> Response:
        if name not in models.listed(settings.llm):
            raise models.unknown(name)
        ours = errors.protocol(request.scope) == "openai"
        return files.reply(models.openai(name) if ours else models.anthropic(name))


def _job(request: Request, question: Question, service: Context) -> Job:
    caller: Caller = request.state.caller
    extension, settings = question.extension, service.settings
    payload = {
        "question": question.question,
        "sources": question.sources,
        "library": extension.library,
        "collection": extension.collection,
        "where": extension.where,
        "most": extension.most,
        "llm": models.spec(settings.llm, question.model),
        "settings": extension.settings(settings.offered),
        "stream": question.stream,
        "keep": question.keep and "write" in caller.scopes,
        "limit": settings.documents,
        "max_tokens": question.max_tokens,
        "history": question.history,
        "sampling": question.sampling,
        "model": question.model,
        "previous": question.previous,
        "reply": question.reply,
    }
    read = any(source.kind == "file" for source in question.sources)
    return service.job(request, "told", payload, long=read)
