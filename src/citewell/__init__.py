"""citewell: answers about long documents. Every statement points to its evidence, or the system abstains.

    import citewell
    document = citewell.read("report.pdf")
    answer = citewell.ask(document, "What was revenue in 2022?")
    answer.citations[0].quote == document.text[answer.citations[0].start : answer.citations[0].end]

Everything is imported when it is first used, so that `import citewell` costs next to nothing.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    __version__: str
    from citewell.audit.scores import audit
    from citewell.audit.verify import verify
    from citewell.document import Document
    from citewell.errors import (
        BackendError,
        CitewellError,
        DocumentError,
        InputError,
        MissingExtraError,
        SpecError,
        VerificationError,
    )
    from citewell.errors.notes import observe
    from citewell.library.batch.api import batch
    from citewell.library.library import Library
    from citewell.pipeline import Pipeline, ask, attribute, check
    from citewell.pipeline.asynchronous import aask, aattribute, acheck, astream
    from citewell.pipeline.conversation.talk import Conversation
    from citewell.pipeline.overview.describe import overview
    from citewell.readers import read
    from citewell.serve.client import AsyncClient, Client
    from citewell.types import (
        Abstention,
        Answer,
        Block,
        Citation,
        DocumentInfo,
        Draft,
        Page,
        Reason,
        Rect,
        Segment,
        Span,
        Statement,
        Verdict,
    )
    from citewell.types.overview import Overview

_HOMES = {
    "audit.scores": "audit",
    "audit.verify": "verify",
    "pipeline.conversation.talk": "Conversation",
    "document": "Document",
    "errors": "BackendError CitewellError DocumentError InputError MissingExtraError SpecError VerificationError",
    "library.batch.api": "batch",
    "library.library": "Library",
    "errors.notes": "observe",
    "pipeline.overview.describe": "overview",
    "types.overview": "Overview",
    "pipeline": "Pipeline ask attribute check",
    "pipeline.asynchronous": "aask aattribute acheck astream",
    "readers": "read",
    "serve.client": "AsyncClient Client",
    "types": "Abstention Answer Block Citation DocumentInfo Draft Page Reason Rect Segment Span Statement Verdict",
}

__all__ = [
    "Abstention",
    "Answer",
    "AsyncClient",
    "BackendError",
    "Block",
    "Citation",
    "CitewellError",
    "Client",
    "Conversation",
    "Document",
    "DocumentError",
    "DocumentInfo",
    "Draft",
    "InputError",
    "Library",
    "MissingExtraError",
    "Overview",
    "Page",
    "Pipeline",
    "Reason",
    "Rect",
    "Segment",
    "Span",
    "SpecError",
    "Statement",
    "Verdict",
    "VerificationError",
    "__version__",
    "aask",
    "aattribute",
    "acheck",
    "ask",
    "astream",
    "attribute",
    "audit",
    "batch",
    "check",
    "observe",
    "overview",
    "read",
    "verify",
]


if not TYPE_CHECKING:  # for a type checker it would stand for every name, also for one that is misspelt

    def __getattr__(name: str) -> Any:
        from importlib import import_module

        if name == "__version__":
            from importlib import metadata

            return metadata.version("citewell")
        for module, names in _HOMES.items():
            if name in names.split():
                return getattr(import_module(f"citewell.{module}"), name)
        raise AttributeError(f"module 'citewell' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
