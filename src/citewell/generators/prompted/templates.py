"""Prompts as files: settings, an instruction, how to cite or not, the input's form; and three worked examples a task.

A prompt file of one's own has the sections of ours, each opened by a line such as `=== input`; a file without any is
an instruction alone. The instruction stands before the first input (Buchmann et al., Attribute or Abstain, 2024,
appendix C: that order and three examples served best).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple, cast

from citewell.document import Document
from citewell.errors import UsageError
from citewell.types import Granularity, Passage, Segment

NAMES = (
    "question",
    "summary",
    "qasper",
    "natural-questions",
    "evidence-inference",
    "wice",
    "contract-nli",
    "govreport",
)
SECTIONS = ("instruction", "cite", "plain", "input")
_HEAD = re.compile(r"^===[ \t]*(\w+)[ \t]*$", re.MULTILINE)
_SETTING = re.compile(r"(\w+):\s*(\S+)\s*")
_GAP = re.compile(r"\{(document|question)\}")
_DEFAULTS = {"unit": "paragraph", "single": "no", "declines": "yes", "max_tokens": "1024"}


class Example(NamedTuple):
    """A worked example: a document cut to title, headings and evidence, a question, sentences with their evidence."""

    title: str
    parts: tuple[str, ...]
    question: str
    answer: tuple[tuple[str, tuple[int, ...]], ...]


class Template(NamedTuple):
    """A prompt file, read.

    Attributes:
        unit: what is numbered and cited, `paragraph` or `sentence`.
        single: whether a reply is one statement.
        declines: whether a reply may decline to answer.
        max_tokens: the most tokens of a reply.
        sha256: of the file, and of its examples after it, for the record of a run.
    """

    name: str
    unit: Granularity
    single: bool
    declines: bool
    max_tokens: int
    instruction: str
    cite: str
    plain: str
    input: str
    examples: tuple[Example, ...]
    sha256: str

    def opening(self, *, cite: bool) -> str:
        """The instruction with the part about citing, or the other."""
        return "\n".join(part for part in (self.instruction, self.cite if cite else self.plain) if part)

    def filled(self, document: str, question: str) -> str:
        """The input; nothing inside a document is taken for a gap."""
        values = {"document": document, "question": question}
        return _GAP.sub(lambda gap: values[gap[1]], self.input)


def load(name: str) -> Template:
    """A prompt of ours by its name, or the user's own by its path.

    Raises:
        UsageError: the file cannot be read, or is not a prompt.
    """
    if name in NAMES:
        return _ours(name)
    path = Path(name).expanduser()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        ours = ", ".join(NAMES)
        raise UsageError(f"no prompt {name!r}: it is the path of a file, or one of {ours} ({error})") from error
    return parse(path.name, text)


@cache
def _ours(name: str) -> Template:
    package = resources.files("citewell.generators.prompted")
    text = package.joinpath("prompts", f"{name}.txt").read_text(encoding="utf-8")
    shown = package.joinpath("examples", f"{name}.json").read_text(encoding="utf-8")
    examples = tuple(
        Example(
            item["title"],
            tuple(item["parts"]),
            item["question"],
            tuple((one["text"], tuple(one["evidence"])) for one in item["answer"]),
        )
        for item in cast("list[dict[str, Any]]", json.loads(shown))
    )
    digest = hashlib.sha256((text + shown).encode()).hexdigest()
    return parse(name, text)._replace(examples=examples, sha256=digest)


def parse(name: str, text: str) -> Template:
    """A prompt from the text of its file.

    Raises:
        UsageError: a section or setting is not known, a value is wrong, or the input has no place for the document.
    """
    settings, sections = _read(name, text.replace("\r\n", "\n"))
    basis = _ours("question") if name != "question" else None
    values = {key: sections.get(key, getattr(basis, key, "")) for key in ("cite", "plain", "input")}
    if missing := {"document", "question"} - set(_GAP.findall(values["input"])):
        raise UsageError(f"the prompt {name}: its input lacks {{{'} and {'.join(sorted(missing))}}}")
    if not sections.get("instruction"):
        raise UsageError(f"the prompt {name} has no instruction")
    if settings["unit"] not in ("paragraph", "sentence"):
        raise UsageError(f"the prompt {name}: unit is paragraph or sentence, not {settings['unit']!r}")
    if not settings["max_tokens"].isdecimal() or int(settings["max_tokens"]) < 1:
        raise UsageError(f"the prompt {name}: max_tokens is a number from 1, not {settings['max_tokens']!r}")
    for key in ("single", "declines"):
        if settings[key] not in ("yes", "no"):
            raise UsageError(f"the prompt {name}: {key} is yes or no, not {settings[key]!r}")
    return Template(
        name=name,
        unit=cast("Granularity", settings["unit"]),
        single=settings["single"] == "yes",
        declines=settings["declines"] == "yes",
        max_tokens=int(settings["max_tokens"]),
        instruction=sections["instruction"],
        **values,
        examples=(),
        sha256=hashlib.sha256(text.encode()).hexdigest(),
    )


def _read(name: str, text: str) -> tuple[dict[str, str], dict[str, str]]:
    heads = list(_HEAD.finditer(text))
    if not heads:
        return dict(_DEFAULTS), {"instruction": text.strip()}
    settings = dict(_DEFAULTS)
    for line in text[: heads[0].start()].splitlines():
        found = _SETTING.fullmatch(line)
        if line.strip() and (not found or found[1] not in settings):
            raise UsageError(f"the prompt {name}: {line!r} is not a setting; there are: {', '.join(settings)}")
        if found:
            settings[found[1]] = found[2]
    ends = [*(head.start() for head in heads[1:]), len(text)]
    sections = {head[1]: text[head.end() : end].strip() for head, end in zip(heads, ends, strict=True)}
    if unknown := set(sections) - set(SECTIONS):
        raise UsageError(f"the prompt {name}: no section {min(unknown)!r}; there are: {', '.join(SECTIONS)}")
    return settings, sections


def example_input(example: Example) -> tuple[Document, tuple[Passage, ...]]:
    """An example's document and its passages, headings among them."""
    parts = [part.removeprefix("# ") for part in example.parts]
    document = Document.from_passages(parts, title=example.title)
    kinds = ["heading" if part.startswith("# ") else "paragraph" for part in example.parts]
    found = document.segments("paragraph")
    typed = (one._replace(kind=cast("Any", kind)) for one, kind in zip(found, kinds, strict=True))
    return document, tuple(Passage(0, one) for one in typed)


def example_reply(example: Example, *, cite: bool) -> str:
    """What the model is shown as the reply to an example."""
    return " ".join(text + "".join(f" [{number}]" for number in numbers if cite) for text, numbers in example.answer)


def numbered(passages: Sequence[Passage]) -> dict[int, Passage]:
    """The passages that can be cited, by their numbers from 1: all but headings."""
    body = [passage for passage in passages if passage.segment.kind != "heading"]
    return dict(enumerate(body, 1))


def rendered(documents: Sequence[Document], passages: Sequence[Passage], *, cite: bool) -> str:
    """Documents as a model reads them: titles, headings where they change, passages on lines of their own, numbered."""
    lines: list[str] = []
    shown: Mapping[int, None] | dict[int, None] = {}
    path: tuple[str, ...] = ()
    number = 0
    for place, segment in passages:
        if place not in shown:
            shown = {**shown, place: None}
            path = ()
            title = documents[place].title
            name = title or documents[place].source or ""
            lines += [f"Document {len(shown)}: {name}".rstrip(": ")] if len(documents) > 1 else [title] if title else []
        if segment.kind == "heading":
            lines += _headings(path, segment.path or (segment.text,), documents[place].title)
            path = segment.path or (segment.text,)
            continue
        lines += _headings(path, segment.path, documents[place].title)
        path = segment.path or path
        number += 1
        lines.append((f"[{number}] " if cite else "") + _line(segment))
    return "\n".join(lines)


def _headings(before: Sequence[str], now: Sequence[str], title: str | None) -> list[str]:
    """The headings of `now` from the first that differs from `before`; the document's own title is there already."""
    common = next((n for n, (a, b) in enumerate(zip(before, now, strict=False)) if a != b), min(len(before), len(now)))
    return [
        f"{'#' * (level + 1)} {' '.join(now[level].split())}"
        for level in range(common, len(now))
        if now[level] != title
    ]


def _line(segment: Segment) -> str:
    """A passage on one line; code keeps its lines."""
    return segment.text if segment.kind == "code" else " ".join(segment.text.split())
