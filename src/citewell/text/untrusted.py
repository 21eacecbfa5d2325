"""Text of documents in prompts: it stays data, whatever it says.

Nothing of a document can open a chat turn, end the part of a prompt that holds the document, or look like one of our
numbered passages. All changes but the fence keep lengths, so that offsets hold.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

# Control strings of chat templates, whichever tokenizer reads them: they are text in none of our own prompts.
_CONTROL = re.compile(
    r"<[|｜][^<>|｜\n]{1,60}[|｜]>"  # <|im_start|>, <｜User｜>
    r"|</?(?:s|bos|eos|pad|unk|mask|cls|sep|start_of_turn|end_of_turn|start_of_image|image|tool_call|think)>"
    r"|\[/?(?:INST|SYS|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|SYSTEM_PROMPT|CLS|SEP|MASK|PAD|UNK)\]|<</?SYS>>",
    re.IGNORECASE,
)
_OPENERS = {"<": "‹", "[": "⁅"}
_MARKS = re.compile(r"\[[\s^\d,;–-]{1,60}\]")
_ROLE = re.compile(
    r"^([ \t>*#-]{0,8}(?:\*\*)?(?:human|user|assistant|system|instructions?|tool|developer)(?:\*\*)?[ \t]?):",
    re.IGNORECASE | re.MULTILINE,
)
_SHOWN = str.maketrans("[]", "⟦⟧")
_RESTORED = str.maketrans("⟦⟧∶", "[]:")


def neutral(text: str, specials: Iterable[str] = ()) -> str:
    """A text in which no control string of a chat template stands, of the same length.

    Args:
        text: content of a message.
        specials: further strings that the tokenizer reads as one special token.
    """
    text = _CONTROL.sub(lambda matches: _opened(matches[0]), text)
    for special in sorted(filter(str.strip, specials), key=len, reverse=True):
        if special in text:
            text = text.replace(special, _opened(special))
    return text


def _opened(control: str) -> str:
    """A control string with another first character."""
    return _OPENERS.get(control[0], "·") + control[1:]


def passage(text: str) -> str:
    """A text of a document as a prompt shows it: its own marks and roles look unlike ours; `restored` undoes it."""
    visible = _MARKS.sub(lambda matches: matches[0].translate(_SHOWN), text)
    return _ROLE.sub(lambda matches: f"{matches[1]}∶", visible)


def restored(text: str) -> str:
    """Words that a model copied from `passage` as the document has them, of the same length."""
    return text.translate(_RESTORED)


def fence(text: str) -> str:
    """A line that stands before and behind a text in a prompt, and cannot stand in it: it is a hash of the text."""
    return f"=== text {hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]} ==="
