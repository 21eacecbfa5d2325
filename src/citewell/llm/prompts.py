"""Prompt files with named placeholders, a system part and a user part, identified by the hash of the file.

A file is text; a line of three hyphens ends the system part. `{name}` is a gap; other braces are text. Gaps are filled
in one pass, so that nothing in a document is taken for a gap.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from citewell.errors import UsageError
from citewell.protocols import Message, Request
from citewell.text.data import read_text

_GAP = re.compile(r"\{([a-z][a-z_]*)\}")
_BREAK = re.compile(r"^---[ \t]*$", re.MULTILINE)


class Prompt(NamedTuple):
    """A prompt: where it came from, its two parts, and the SHA-256 of the whole file for the record of a run."""

    name: str
    system: str
    user: str
    sha256: str

    @property
    def gaps(self) -> frozenset[str]:
        """The names of its gaps."""
        return frozenset(_GAP.findall(self.system + self.user))

    def messages(self, **values: str) -> tuple[Message, ...]:
        """The conversation with its gaps filled. Raises UsageError: a gap has no value."""
        missing = self.gaps - values.keys()
        if missing:
            raise UsageError(f"the prompt {self.name} has gaps without a value: {', '.join(sorted(missing))}")

        def fill(text: str) -> str:
            return _GAP.sub(lambda match: values[match[1]], text)

        turns = (("system", fill(self.system)), ("user", fill(self.user)))
        return tuple(Message(role, content) for role, content in turns if content)

    def request(self, max_tokens: int = 1024, **values: str) -> Request:
        """A greedy request with the gaps filled. Raises UsageError: a gap has no value."""
        return Request(self.messages(**values), max_tokens=max_tokens)


@cache
def builtin(package: str, name: str) -> Prompt:
    """A prompt of ours: `prompts/NAME.txt` of a package, such as `citewell.check`."""
    text = read_text(package, f"prompts/{name}.txt")
    return parse(f"{package.rpartition('.')[2]}/{name}", text)


def from_file(path: str | Path, gaps: frozenset[str] | None = None) -> Prompt:
    """A prompt of the user's own. Raises UsageError: the file cannot be read, or a gap is missing."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the prompt {str(path)!r} cannot be read: {error}") from error
    prompt = parse(str(path), text)
    absent = (gaps or frozenset()) - prompt.gaps
    if absent:
        raise UsageError(f"the prompt {str(path)!r} lacks {', '.join('{' + gap + '}' for gap in sorted(absent))}")
    return prompt


def chosen(package: str, name: str, path: str | None) -> Prompt:
    """The user's own prompt where there is a path, ours otherwise; theirs must have the gaps of ours.

    Raises UsageError: the file cannot be read, or a gap is missing.
    """
    shipped = builtin(package, name)
    return shipped if path is None else from_file(path, shipped.gaps)


def parse(name: str, text: str) -> Prompt:
    """A prompt from the text of its file; without a line of hyphens all of it is the user part."""
    *system, user = _BREAK.split(text.replace("\r\n", "\n"), maxsplit=1)
    return Prompt(name, "".join(system).strip(), user.strip(), hashlib.sha256(text.encode()).hexdigest())


def inlined(request: Request) -> tuple[Message, ...]:
    """The messages with the documents as text before the first user turn: for models that know no documents."""
    if not request.documents:
        return request.messages
    parts = [
        "\n\n".join(([f"Document: {document.title}"] if document.title else []) + list(document.blocks))
        for document in request.documents
    ]
    first = next(n for n, message in enumerate(request.messages) if message.role == "user")
    turn = request.messages[first]
    text = "\n\n".join([*parts, turn.content])
    return (*request.messages[:first], turn._replace(content=text), *request.messages[first + 1 :])
