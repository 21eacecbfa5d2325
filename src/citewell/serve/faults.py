"""The reply to a request that cannot be served: a status, a type, one sentence, and no internals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from citewell import errors
from citewell.text import safe

STATUS: dict[type[Exception], int] = {
    errors.TooLargeDocumentError: 413,
    errors.UnsupportedFormatError: 415,
    errors.InUseError: 503,
    errors.LibraryError: 500,
    errors.InputError: 422,
    errors.MissingExtraError: 501,
    errors.ContextTooLongError: 422,
    errors.TimedOutError: 504,
    errors.StoreUnreachableError: 503,
    errors.RateLimitError: 503,
    errors.BackendError: 502,
}
# Their own texts name folders, addresses or what is installed: who asks is told that much and no more.
_INSIDE: dict[type[Exception], str] = {
    errors.InUseError: "the library is being written to: try again",
    errors.LibraryError: "the library cannot be used: whoever runs this service finds the reason in its log",
    errors.MissingExtraError: "this service does not have what the request needs",
    errors.ContextTooLongError: "the documents do not fit into what the language model reads at once",
    errors.TimedOutError: "the language model took too long",
    errors.RateLimitError: "the language model is asked too often: try again later",
    errors.StoreUnreachableError: "the files of documents cannot be reached just now: try again",
    errors.RefusedError: "the language model refused the request",
    errors.BackendError: "the language model failed: whoever runs this service finds the reason in its log",
}


class Fault(Exception):  # noqa: N818  (an answer, as HTTPException is one)
    """An error response.

    Args:
        status: of HTTP.
        kind: the name of the error, that of an exception of citewell where it is one.
        message: one sentence for who asked.
        field: the part of the request that is wrong, where it is one.
        after: seconds after which it may be tried again.
        more: headers of the response.
    """

    def __init__(
        self,
        status: int,
        kind: str,
        message: str,
        field: str | None = None,
        after: int | None = None,
        more: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(status, kind, message, field, after, more)
        self.status, self.kind, self.message, self.field, self.after = status, kind, message, field, after
        self.more = dict(more or {})

    def to_dict(self) -> dict[str, dict[str, str | None]]:
        """The JSON form."""
        return {"error": {"type": self.kind, "message": safe.clean(self.message), "field": self.field}}

    @property
    def headers(self) -> dict[str, str]:
        """The response headers. The clients of OpenAI and Anthropic retry 409 and 5xx unless told not to."""
        headers = self.more if self.after is None else {**self.more, "Retry-After": str(self.after)}
        again = self.after is not None or (self.status < 500 and self.status != 409)
        return headers if again else {**headers, "x-should-retry": "false"}


def of(error: Exception, places: Iterable[str] = ()) -> Fault:
    """The fault for an exception; the places of libraries are not revealed."""
    if _of_the_database(error):
        return Fault(503, "LibraryError", "the library cannot be reached just now: try again", after=5)
    kinds = type(error).__mro__
    status = next((STATUS[kind] for kind in kinds if kind in STATUS), None)
    if not isinstance(error, errors.CitewellError) or status is None:
        return inside()
    message = next((_INSIDE[kind] for kind in kinds if kind in _INSIDE), "") or safe.redact_spec(str(error))
    message = message.replace("--where", "where")  # as the field is called here
    for place in places:
        message = message.replace(place, "the library")
    after = 5 if isinstance(error, errors.StoreUnreachableError) else 1 if status == 503 else None
    return Fault(status, type(error).__name__, message, after=after)


def _of_the_database(error: Exception) -> bool:
    """Whether the database did not answer; our own error wraps SQLAlchemy's."""
    cause = error.__cause__
    lost = cause is not None and type(cause).__name__ == "OperationalError" and "sqlalchemy" in type(cause).__module__
    return lost and not isinstance(error, errors.InUseError)


def inside() -> Fault:
    """The fault for an internal error."""
    return Fault(500, "InternalError", "an error inside the service: its log has more")


def lacks(what: str, field: str | None = None) -> Fault:
    """The fault for something that does not exist or is hidden from the caller."""
    return Fault(404, "NotFoundError", what, field)


def busy() -> Fault:
    """The fault for too many requests."""
    return Fault(429, "BusyError", "too many requests are waiting: try again in a moment", after=1)
