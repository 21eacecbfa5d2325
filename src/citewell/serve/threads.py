"""Conversation threads of the service: separate for each caller, in a folder that no other name can reach."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from citewell.library.library import Library
from citewell.library.store.database import is_address
from citewell.pipeline.conversation import threads
from citewell.pipeline.conversation.follow_up import rewrite
from citewell.pipeline.conversation.frames import Turn
from citewell.pipeline.conversation.threads import Thread
from citewell.serve.faults import lacks
from citewell.serve.owners import Caller
from citewell.text import safe

_MOST = 1_000  # threads of a caller; those that were left longest go first
_TEXT, _REPLY = 1_500, 300  # characters of an answer that a later question may point into


def folder(library: Library, by: Caller) -> Path:
    """The folder of a caller's threads: in the library's folder, or on this machine for a database.

    The name is a hash of all who they are, so that no name of a thread leads to another caller's.
    """
    near = threads.folder() / "served" if is_address(library.place) else Path(library.place) / "threads"
    whose = safe.dumps([library.place, by.name, sorted(by.labels)])
    return near / hashlib.sha256(whose.encode()).hexdigest()[:32]


def load(library: Library, by: Caller, name: str, drop: int = 0) -> Thread:
    """A thread without its last `drop` turns; a new one is empty.

    What was answered from a document that is not theirs any more is left out: of such a turn the question remains.
    """
    thread = threads.load(name, folder(library, by))
    visible = {entry.id for entry in library.entries()} if any(turn.place for turn in thread.turns) else set[str]()
    turns = [turn if turn.place.partition(" ")[0] in visible else Turn(turn.question) for turn in thread.turns]
    return thread._replace(turns=tuple(turns[: len(turns) - drop] if drop < len(turns) else ()))


def known(library: Library, by: Caller, name: str) -> Thread:
    """The thread of a stored response. Raises Fault: there is none of that name, or it is another caller's."""
    if not threads.place(name, folder(library, by)).exists():
        raise lacks(f"there is no response {name!r} to go on from", "previous_response_id")
    return load(library, by, name)


def save(library: Library, by: Caller, name: str, turns: Sequence[Turn], documents: Iterable[str]) -> None:
    """Write a thread; if the caller has too many, the oldest is removed."""
    within = folder(library, by)
    threads.save(name, tuple(turns), within, documents)
    kept = sorted(within.glob("*.json"), key=_age)
    for path in kept[: max(0, len(kept) - _MOST)]:
        with suppress(OSError):  # another worker was first
            path.unlink()


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def history(turns: Iterable[Turn]) -> tuple[tuple[str, str], ...]:
    """The turns as messages for a language model."""
    pairs = ((("user", turn.question), ("assistant", turn.text or turn.reply)) for turn in turns)
    return tuple(message for pair in pairs for message in pair if message[1])


def of_history(history: Iterable[tuple[str, str]]) -> tuple[Turn, ...]:
    """The messages of a request as turns."""
    turns = list[Turn]()
    for role, text in history:
        if role == "user":
            turns.append(Turn(rewrite(text, turns)))
        elif role == "assistant" and turns:
            turns[-1] = turns[-1]._replace(text=text[:_TEXT], reply=text.split("\n")[0][:_REPLY])
    return tuple(turns)
