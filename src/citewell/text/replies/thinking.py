"""Removes a model's reasoning from its reply: `<think>...</think>`, or only the end of it."""

from __future__ import annotations

import re

_WHOLE = re.compile(r"<(think|thinking|thought|reasoning)>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_END = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)


def apart(text: str) -> tuple[str, str]:
    """The reply without what was thought aloud, and the thoughts; chat templates may open them, so that one only ends.

    A thought that never ends leaves nothing said.
    """
    if "<" not in text:
        return text, ""
    thoughts = [match[2] for match in _WHOLE.finditer(text)]
    visible = _WHOLE.sub("", text)
    ends = list(_END.finditer(visible))
    if ends:
        thoughts.append(visible[: ends[-1].start()])
        visible = visible[ends[-1].end() :]
    return visible, "\n".join(thoughts)
