"""Stages as OpenTelemetry spans, off by default.

stop = citewell.observe(tracing.opentelemetry())
citewell.ask("report.pdf", "What was revenue in 2022?")   # spans citewell.ask, citewell.read, citewell.generate, ...
stop()
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from citewell.errors import needing
from citewell.errors.notes import Observer


def opentelemetry(provider: Any = None) -> Observer:
    """What makes a span `citewell.STAGE` of each stage, with figures and names of back ends, never with a text.

    `provider` gives the tracer, that of the process where None. Raises MissingExtraError: opentelemetry-api is not
    installed.
    """
    with needing("tracing", "opentelemetry-api", "otel"):
        from opentelemetry import trace
    tracer = trace.get_tracer("citewell", tracer_provider=provider)

    def observer(name: str, about: dict[str, Any]) -> AbstractContextManager[None]:
        return _span(tracer, name, about)

    return observer


@contextmanager
def _span(tracer: Any, name: str, about: dict[str, Any]) -> Iterator[None]:
    # An exception may hold a part of a text or a reply, so only its kind is told.
    with tracer.start_as_current_span(
        f"citewell.{name.replace(' ', '_')}", record_exception=False, set_status_on_exception=False
    ) as span:
        try:
            yield
        except BaseException as error:
            span.set_attribute("error.type", type(error).__name__)
            raise
        finally:
            for key, value in about.items():
                if value is not None:
                    span.set_attribute(f"citewell.{key}", value)
