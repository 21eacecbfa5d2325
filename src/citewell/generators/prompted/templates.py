"""Prompt files: settings, instruction, citing or not, input format; and three worked examples per task.

A prompt file of one's own has the sections of ours, each opened by a line such as `=== input`; a file without any is
an instruction alone. Its input has the gaps {document} and {question}. It may have {fence}, a line that no document can
hold, and {context}, whose line is left out where there is none. A file of examples is a JSON list as ours are. The
instruction stands before the first input (Buchmann et al., Attribute or Abstain, 2024, appendix C: that order and three
examples served best).
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
from citewell.text import untrusted
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
_GAP = re.compile(r"\{(document|question|context|fence)\}")
_DEFAULTS = {"unit": "paragraph", "single": "no", "declines": "yes", "max_tokens": "1024"}


class Example(NamedTuple):
    """A worked example: a document cut to title, headings and evidence, a question, sentences with their evidence.

    `parts` that begin with "# " are headings, the others are numbered from 1; `context` is what is told beside the
    question.
    """

    title: str
    parts: tuple[str, ...]
    question: str
    answer: tuple[tuple[str, tuple[int, ...]], ...]
    context: str = ""


class Template(NamedTuple):
    """A prompt file, read.

    Attributes:
        unit: what is numbered and cited, `paragraph` or `sentence`.
        single: whether a reply is one statement.
        declines: whether a reply may decline to answer.
        max_tokens: the most tokens of a reply.
        source: the text of the file, for the record of a run.
        demonstrations: the text of the file of its examples.
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
    source: str
    demonstrations: str = ""

    @property
    def text(self) -> str:
        """All that decides what a model is asked: the file, and its examples after it."""
        return self.source + self.demonstrations

    @property
    def sha256(self) -> str:
        """The hash of that text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def opening(self, *, cite: bool) -> str:
        """The instruction with the part about citing, or the other."""
        return "\n".join(part for part in (self.instruction, self.cite if cite else self.plain) if part)

    def filled(self, document: str, question: str, context: str = "") -> str:
        """The input; nothing inside a document is taken for a gap, and without context its line is left out."""
        about = " ".join(context.split())
        values = {"document": document, "question": question, "context": about, "fence": untrusted.fence(document)}
        lines = [line for line in self.input.split("\n") if context or "{context}" not in line]
        return _GAP.sub(lambda gap: values[gap[1]], "\n".join(lines))

    def showing(self, name: str) -> Template:
        """The same prompt with other worked examples: ours by the name of their prompt, or a file of one's own.

        Raises:
            UsageError: the file cannot be read, or does not hold examples.
        """
        examples, text = _examples(name)
        return self._replace(examples=examples, demonstrations=text)


def load(name: str, basis: str | None = None) -> Template:
    """A prompt of ours by its name, or the user's own by its path.

    Args:
        name: the name or the path.
        basis: the prompt of ours whose settings, sections and worked examples a prompt of the user's takes where it has
            none itself; without one it has no examples.

    Raises:
        UsageError: the file cannot be read, or is not a prompt.
    """
    if name in NAMES:
        return _ours(name)
    text = _from_file(name, "prompt")
    if basis is None:
        return parse(Path(name).name, text)
    like = _ours(basis)
    return parse(Path(name).name, text, like).showing(basis)


def _from_file(name: str, what: str) -> str:
    """The text of a user's own file.

    Raises:
        UsageError: it cannot be read.
    """
    try:
        return Path(name).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        ours = ", ".join(NAMES)
        raise UsageError(f"no {what} {name!r}: it is the path of a file, or one of {ours} ({error})") from error


@cache
def _shipped(folder: str, name: str) -> str:
    return resources.files("citewell.generators.prompted").joinpath(folder, name).read_text(encoding="utf-8")


@cache
def _ours(name: str) -> Template:
    text = _shipped("prompts", f"{name}.txt")
    return parse(name, text).showing(name)


def _examples(name: str) -> tuple[tuple[Example, ...], str]:
    """Worked examples of ours, or of a user's own file, and the text that they stand in."""
    text = _shipped("examples", f"{name}.json") if name in NAMES else _from_file(name, "examples")
    try:
        rows = json.loads(text)
    except ValueError as error:
        raise UsageError(f"the examples {name!r} are no JSON: {error}") from error
    if not isinstance(rows, list):
        raise UsageError(f"the examples {name!r} are a JSON list of objects, not {type(rows).__name__}")
    return tuple(_example(f"the examples {name!r}, number {number}", row) for number, row in enumerate(rows, 1)), text


def _example(where: str, row: Any) -> Example:
    """One example from its JSON object.

    Raises:
        UsageError: a field is missing or wrong, or evidence names a part that is not there.
    """
    fields = row if isinstance(row, dict) else {}
    parts, answer = fields.get("parts"), fields.get("answer")
    if not _texts([fields.get("question"), fields.get("title", ""), fields.get("context", "")]):
        raise UsageError(f"{where}: question is a text, and so are title and context where they are given")
    if not isinstance(parts, list) or not _texts(parts) or not all(map(str.strip, parts)):
        raise UsageError(f"{where}: parts is a list of texts that are not empty")
    if not isinstance(answer, list) or not all(isinstance(message, dict) for message in answer):
        raise UsageError(f'{where}: answer is a list of {{"text": ..., "evidence": [numbers]}}')
    known = sum(not part.startswith("# ") for part in parts)
    for message in answer:
        named = message.get("evidence")
        if not _texts([message.get("text")]) or not isinstance(named, list):
            raise UsageError(f"{where}: each sentence of answer has a text and a list of numbers, evidence")
        if wrong := [number for number in named if type(number) is not int or not 1 <= number <= known]:
            raise UsageError(f"{where}: evidence names {wrong[0]!r}, the parts are numbered from 1 to {known}")
    return Example(
        fields.get("title", ""),
        tuple(parts),
        fields["question"],
        tuple((message["text"], tuple(message["evidence"])) for message in answer),
        fields.get("context", ""),
    )


def _texts(values: Sequence[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def parse(name: str, text: str, basis: Template | None = None) -> Template:
    """A prompt from the text of its file; what it lacks is that of `basis`, else of our prompt `question`.

    Raises:
        UsageError: a section or setting is not known, a value is wrong, or the input has no place for the document.
    """
    settings, sections = _read(name, text.replace("\r\n", "\n"), _DEFAULTS if basis is None else _settings(basis))
    if basis is None and name != "question":
        basis = _ours("question")
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
        source=text,
    )


def _settings(template: Template) -> dict[str, str]:
    """The settings of a template as they stand in a file."""
    words = {True: "yes", False: "no"}
    return {
        "unit": template.unit,
        "single": words[template.single],
        "declines": words[template.declines],
        "max_tokens": str(template.max_tokens),
    }


def _read(name: str, text: str, defaults: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    heads = list(_HEAD.finditer(text))
    if not heads:
        return dict(defaults), {"instruction": text.strip()}
    settings = dict(defaults)
    for line in text[: heads[0].start()].splitlines():
        match = _SETTING.fullmatch(line)
        if line.strip() and (not match or match[1] not in settings):
            raise UsageError(f"the prompt {name}: {line!r} is not a setting; there are: {', '.join(settings)}")
        if match:
            settings[match[1]] = match[2]
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
    segments = document.segments("paragraph")
    typed = (segment._replace(kind=cast("Any", kind)) for segment, kind in zip(segments, kinds, strict=True))
    return document, tuple(Passage(0, segment) for segment in typed)


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
    headed: Mapping[int, None] | dict[int, None] = {}
    path: tuple[str, ...] = ()
    number = 0
    for place, segment in passages:
        if place not in headed:
            headed = {**headed, place: None}
            path = ()
            title = documents[place].title
            name = title or documents[place].source or ""
            name, title = untrusted.passage(" ".join(name.split())), untrusted.passage(title or "")
            lines += (
                [f"Document {len(headed)}: {name}".rstrip(": ")] if len(documents) > 1 else [title] if title else []
            )
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
        f"{'#' * (level + 1)} {untrusted.passage(' '.join(now[level].split()))}"
        for level in range(common, len(now))
        if now[level] != title
    ]


def _line(segment: Segment) -> str:
    """A passage on one line, its own marks unlike ours; code keeps its lines."""
    return untrusted.passage(segment.text if segment.kind == "code" else " ".join(segment.text.split()))
