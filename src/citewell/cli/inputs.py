"""Reads the inputs of the command line: documents and texts from files, arguments or standard input."""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from citewell import Document
from citewell.cli.options import ISOLATED, Chosen
from citewell.errors import InputError, UsageError
from citewell.text.safe import clean, loads
from citewell.types import Abstention, Span

if TYPE_CHECKING:
    from citewell.library.library import Library

STDIN = "-"
STDIN_NAME = "standard input"


class Source(NamedTuple):
    """A document and where it came from: a path, the bytes that standard input gave, or a library, which chose it."""

    document: Document
    path: str | None
    data: bytes | None = None
    chosen: bool = False

    def read_bytes(self) -> bytes:
        """The file's bytes."""
        if self.data is not None:
            return self.data
        return Path(self.path or "").read_bytes()


def one_stdin(*names: str) -> None:
    """Refuse a command line in which standard input would have to be two things.

    Raises UsageError: more than one of the names is `-`.
    """
    if sum(name == STDIN for name in names) > 1:
        raise UsageError("standard input can be read only once: only one '-' can be given")


def stdin_bytes() -> bytes:
    """What standard input has. Raises InputError: it is closed, or cannot be read."""
    if sys.stdin is None:  # as Python says that the descriptor was closed when it started
        raise InputError("standard input is closed: give a file, or pipe something in")
    try:
        return sys.stdin.buffer.read()
    except (OSError, ValueError) as error:
        raise InputError(f"standard input cannot be read: {error}") from error


def file_text(name: str) -> str:
    """The UTF-8 text of a file or of standard input, as it is.

    Raises UsageError: it cannot be read, or is no such text.
    """
    try:
        data = stdin_bytes() if name == STDIN else Path(name).read_bytes()
        return data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise UsageError(f"cannot read {name}: {why}") from error


def response(name: str) -> Any:
    """Somebody's answer: the parsed JSON of a file or of standard input, or its text where it is none.

    Raises UsageError: it cannot be read, or is neither.
    """
    text = file_text(name)
    opening = text.lstrip()[:1]
    if opening not in ("{", "["):
        return text
    try:
        return loads(text)
    except ValueError as error:
        if opening == "[":  # a mark opens the text
            return text
        raise UsageError(f"{name} is neither JSON nor plain text: {error}") from error


def sources(chosen: Chosen | Sequence[str], texts: Sequence[str] = (), *, quiet: bool = False) -> list[Source]:
    """The documents that are named, or those of a library that texts are about.

    They are read with progress on stderr when that is a terminal and nobody said quiet.
    """
    if not isinstance(chosen, Chosen):
        return [_source(name, quiet=quiet) for name in chosen]
    if chosen.library is None:
        return [_source(name, quiet=quiet, ocr=chosen.ocr) for name in chosen.names]
    from citewell.library.library import Library

    with Library(chosen.library, labels=chosen.labels, retrieval=chosen.retrieval, scan=chosen.scan) as library:
        return _about(library, texts, chosen.where)


def asked(chosen: Chosen, question: str, *, quiet: bool = False) -> tuple[list[Source], Abstention | None]:
    """The documents for a question, as `sources` gives them, and why a library's do not answer it, where many could."""
    if chosen.library is None:
        return sources(chosen, quiet=quiet), None
    from citewell.library.library import Library

    with Library(chosen.library, labels=chosen.labels, retrieval=chosen.retrieval, scan=chosen.scan) as library:
        result = _about(library, [question], chosen.where)
        return result, library.doubt(question, [source.document for source in result], chosen.where)


def _about(library: Library, texts: Sequence[str], where: str | None) -> list[Source]:
    entries = library.about(texts, where)
    return [
        Source(document, entry.source, library.file(entry) or b"", chosen=True)
        for document, entry in zip(library.documents(entries), entries, strict=True)
    ]


def _source(name: str, *, quiet: bool, ocr: str = "auto") -> Source:
    from citewell import read

    data = stdin_bytes() if name == STDIN else None
    isolated = click.get_current_context().meta.get(ISOLATED, False)
    with Progress(STDIN_NAME if name == STDIN else Path(name).name, "page", quiet=quiet) as progress:
        if data is not None:
            return Source(read(data, name=STDIN_NAME, progress=progress, isolated=isolated, ocr=ocr), None, data)
        return Source(read(Path(name), progress=progress, isolated=isolated, ocr=ocr), name)


def named(chosen: Chosen, ids: Sequence[str], *, quiet: bool = False) -> list[Document]:
    """The documents that are named, or those of a library by their ids."""
    if chosen.library is None:
        return [source.document for source in sources(chosen, quiet=quiet)]
    from citewell.library.library import Library

    with Library(chosen.library, labels=chosen.labels) as library:
        return [library.document(name) for name in dict.fromkeys(ids)]


def statements(answer: str) -> list[str]:
    """What an answer says, statement by statement."""
    from citewell.text import segments

    return [answer[span.start : span.end] for span in segments.statements(answer)] or [answer]


class Progress:
    """A bar over what is read (pages, documents) that only appears when it takes more than half a second."""

    def __init__(self, name: str, unit: str, *, quiet: bool) -> None:
        self.name, self.unit, self.bar = name, unit, None
        self.visible = not quiet and sys.stderr.isatty()

    def __enter__(self) -> Callable[[int, int], None] | None:
        return self.update if self.visible else None

    def update(self, done: int, total: int) -> None:
        """So many are done."""
        bar: Any = self.bar
        if bar is None:
            from tqdm import tqdm

            bar = self.bar = tqdm(
                total=total, desc=f"reading {clean(self.name)}", unit=self.unit, delay=0.5, leave=False
            )
        bar.total = total
        bar.update(done - bar.n)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()


# Endings of the files that documents and answers are kept in: a text that is nothing but such a name is a mistyped one.
_ENDINGS = frozenset(
    ".csv .doc .docx .eml .epub .htm .html .json .jsonl .log .markdown .md .nxml .odt .pdf .pptx .rst .rtf .tex .tsv "
    ".txt .xlsx .xml".split()
)


def _meant_as_file(argument: str) -> bool:
    """Whether a text reads like the name of a file, there or not, which nobody means to have attributed."""
    name = argument.strip()
    if not name or "\n" in name or len(name) > 255:
        return False
    try:
        path = Path(name)
        if path.is_file():
            return True
        rooted = name.startswith(("/", "./", "../", "~/", ".\\", "..\\")) or re.match(r"[A-Za-z]:[\\/]", name)
        known = path.suffix.lower() in _ENDINGS
        if not re.search(r"\s", name):
            return known or bool(rooted)
        return known and path.parent.is_dir() and _nearly(path.name, [other.name for other in path.parent.iterdir()])
    except (OSError, ValueError):  # with a null, or in a folder that may not be read: no name
        return False


def _nearly(name: str, names: Sequence[str]) -> bool:
    return bool(difflib.get_close_matches(name, names, n=1, cutoff=0.8))


def text(argument: str, what: str) -> str:
    """An argument's text, or standard input where it is `-`.

    Raises InputError: there is nothing in it, it reads like the name of a file, or standard input is not UTF-8.
    """
    if argument != STDIN:
        if _meant_as_file(argument):
            there = (
                "is a file" if Path(argument.strip()).is_file() else "reads like the name of a file that is not there"
            )
            raise InputError(f"the {what} is passed as text, and {argument!r} {there}: write - and < {argument}")
        content = argument
    else:
        try:
            content = stdin_bytes().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InputError(f"the {what} on standard input is not UTF-8: {error}") from error
    if not content.strip():
        raise InputError(f"the {what} is empty")
    return content


_OFFSETS = re.compile(r"(\d+):(\d+)")


def spans(answer: str, parts: Sequence[str]) -> tuple[Span, ...]:
    """The parts of an answer that are named by their words or as `from:to`, in the order of the answer.

    Words name the first place that has them and that no part before them in `parts` has taken. Raises UsageError: the
    answer has no such part, or not so often.
    """
    taken: list[Span] = []
    for part in parts:
        offsets = _OFFSETS.fullmatch(part.strip())
        if offsets:
            span = Span(int(offsets[1]), int(offsets[2]))
            if not span.start < span.end <= len(answer):
                raise UsageError(f"--span {part}: the answer has the offsets 0 to {len(answer)}")
        else:
            places = (Span(at, at + len(part)) for at in range(len(answer)) if part and answer.startswith(part, at))
            free = (span for span in places if not any(span.start < b and a < span.end for a, b in taken))
            first = next(free, None)
            if first is None:
                raise UsageError(f"--span {part!r}: these words do not stand in the answer, or not so often")
            span = first
        taken.append(span)
    return tuple(sorted(taken))
