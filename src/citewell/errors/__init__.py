"""All exceptions that citewell raises on purpose. Each message is written for the person who reads it.

CitewellError                     the root; the command line prints its text on one line, without a traceback
├── InputError                    what was given cannot be used (exit code 2); the user acts
│   ├── DocumentError             a document cannot be read
│   │   ├── EmptyDocumentError    no bytes, or no text in them
│   │   ├── EncryptedDocumentError a password is needed
│   │   ├── ScannedDocumentError  pages are pictures: there is no text layer
│   │   ├── CorruptDocumentError  truncated or damaged
│   │   ├── TooLargeDocumentError beyond a stated limit (size, expansion, nesting)
│   │   └── UnsupportedFormatError not a type that is read (a picture, a directory, a program)
│   ├── SpecError                 a back end's spec string is wrong: unknown name or parameter, bad value
│   ├── AnswerFormatError         a saved answer does not have the schema
│   ├── InUseError                another process works in a folder
│   ├── LibraryError              a library cannot be used: damaged, full, not there
│   │   ├── SchemaVersionError    a newer version made it
│   │   └── EncoderError          its vectors are another encoder's, or not there
│   └── UsageError                arguments that contradict each other
├── MissingExtraError             an optional package is not installed (exit code 2); the text has the pip line
├── VerificationError             a saved answer does not match the document
├── RequirementError              a result falls short of what was required of it (exit code 3)
└── BackendError                  a model, a service or a back end failed while working (exit code 1)
    ├── AuthenticationError       the service refuses the key, or there is none (exit code 2)
    ├── UnknownModelError         the service has no such model (exit code 2)
    ├── ContextTooLongError       a prompt and its reply are longer than the model's context; knows both numbers
    ├── RefusedError              the service refuses to work on this content
    ├── UnreachableError          no answer, or none in time, from an address
    │   └── StoreUnreachableError the store of a library's files does not answer, or refuses
    ├── RateLimitError            the service still says "too many requests" after the retries
    ├── TimedOutError             the time of the whole call is over
    └── ReplyError                a reply is truncated, malformed or empty
"""

from collections.abc import Iterator
from contextlib import contextmanager


class CitewellError(Exception):
    """The root of all exceptions that citewell raises on purpose."""

    exit_code = 1


class InputError(CitewellError):
    """An input cannot be used."""

    exit_code = 2


class DocumentError(InputError):
    """A document cannot be read."""


class EmptyDocumentError(DocumentError):
    """The document has no bytes, or no text."""


class EncryptedDocumentError(DocumentError):
    """The document needs a password."""


class ScannedDocumentError(DocumentError):
    """The pages are scans without a text layer to cite."""


class CorruptDocumentError(DocumentError):
    """The file is truncated or damaged."""


class TooLargeDocumentError(DocumentError):
    """The file exceeds a limit on size, expansion or nesting; `limit` names the field of the budget."""

    def __init__(self, message: str, limit: str = "") -> None:
        super().__init__(message)
        self.limit = limit


class UnsupportedFormatError(DocumentError):
    """The format is not supported."""


class SpecError(InputError):
    """A back end's spec string is wrong."""


class PlugInWarning(UserWarning):
    """Another package declares something that cannot be loaded; it is left out."""


class PlugInError(InputError):
    """Another package declares something that cannot be loaded."""


class AnswerFormatError(InputError):
    """A saved answer does not have the schema."""


class VocabularyError(InputError):
    """A user's vocabulary cannot be read, or has the wrong format."""


class InUseError(InputError):
    """Another process is using a folder."""


class LibraryError(InputError):
    """A library cannot be used."""


class SchemaVersionError(LibraryError):
    """A newer version of citewell created the library."""


class EncoderError(LibraryError):
    """The library's vectors come from another encoder, or are missing."""


class UsageError(InputError):
    """Arguments that contradict each other."""


class MissingExtraError(CitewellError):
    """An optional package is not installed."""

    exit_code = 2

    def __init__(self, feature: str, package: str, extra: str, distribution: str = "citewell") -> None:
        wanted = f"'{distribution}[{extra}]'" if extra else distribution
        super().__init__(f"{feature} needs the package {package!r}: pip install {wanted}")
        self.feature, self.package, self.extra = feature, package, extra


@contextmanager
def needing(feature: str, package: str, extra: str) -> Iterator[None]:
    """A block that imports an optional package. Raises MissingExtraError: it is not installed."""
    try:
        yield
    except ImportError as error:
        raise MissingExtraError(feature, package, extra) from error


@contextmanager
def of_files(
    problem: str, kind: type[InputError] = InputError, faults: tuple[type[Exception], ...] = (OSError,)
) -> Iterator[None]:
    """A block that works on a file. Raises InputError, or the kind of it: the problem, and what the system says."""
    try:
        yield
    except faults as error:
        raise kind(f"{problem}: {getattr(error, 'strerror', None) or error}") from error


class VerificationError(CitewellError):
    """A saved answer does not match the document."""

    exit_code = 1


class RequirementError(CitewellError):
    """A result does not meet a requirement."""

    exit_code = 3


class BackendError(CitewellError):
    """A model, a service or a back end failed while working."""


class AuthenticationError(BackendError):
    """The service rejects the key, or there is none."""

    exit_code = 2


class UnknownModelError(BackendError):
    """The service has no such model."""

    exit_code = 2


class ContextTooLongError(BackendError):
    """A prompt and its reply are longer than the model's context."""

    def __init__(self, message: str, tokens: int | None = None, limit: int | None = None) -> None:
        super().__init__(message)
        self.tokens, self.limit = tokens, limit


class RefusedError(BackendError):
    """The service refuses to work on this content."""


class UnreachableError(BackendError):
    """An address does not answer, or not in time."""


class StoreUnreachableError(UnreachableError):
    """The store with a library's document files does not answer, or refuses the request."""


class RateLimitError(BackendError):
    """The service still replies "too many requests" after the retries."""


class TimedOutError(BackendError):
    """The time limit of the whole call was reached."""


class ReplyError(BackendError):
    """A reply is truncated, malformed or empty."""
