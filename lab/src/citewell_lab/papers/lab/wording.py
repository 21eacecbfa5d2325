"""LAB's own prompts as files of ours, out of the file that its authors published.

The wording is theirs and stays with them: no prompt of this package repeats it. Whoever has the published code's
`config/prompts.yaml` (UKPLab/arxiv2024-attribute-or-abstain, Apache-2.0) gets a prompt file a task and kind of
approach, which `prompt=FILE` takes. The form of the input is that of LAB, table 13; examples are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from citewell.errors import InputError, MissingExtraError
from citewell.generators.prompted import templates
from citewell.text import files

# By task: its name in the published file, what its document is called, and the line of what is asked.
TASKS: Mapping[str, tuple[str, str, str]] = {
    "qasper": ("qasper", "Scientific Article", "Question: {question}"),
    "natural-questions": ("natural_questions", "Document", "Question: {question}"),
    "evidence-inference": ("evidence_inference", "Document", "Question: {question}"),
    "wice": ("wice", "Document", "Claim: {question}\nAdditional Info: {context}"),
    "contract-nli": ("contract_nli", "Contract", "Statement: {question}"),
    "govreport": ("govreport", "Document", "{question}"),
}
# By kind of approach: what the published file calls its instruction; only those that cite are told a format.
KINDS = {"citing": "answer_and_segments", "plain": "answer_only"}
_FORMS = {
    "single": ("single", "<answer> [X] [Y]"),
    "multi": ("multi", "<answer_sentence_1>[X] [Y] <answer_sentence_2>[Z]..."),
}


def write(source: Path, out: Path) -> list[Path]:
    """Write a prompt file a task and kind into a folder, and return their paths.

    Raises:
        InputError: the file cannot be read, or lacks what LAB's has.
        MissingExtraError: PyYAML is not installed.
    """
    texts = dict(prompts(_read(source), source))
    out.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        files.write(out / name, text)
    return [out / name for name in texts]


def prompts(published: Mapping[str, Any], source: Path) -> Iterator[tuple[str, str]]:
    """Names and texts of the prompt files.

    Raises:
        InputError: a text of LAB's is missing.
    """
    for name, (key, called, asked) in TASKS.items():
        ours = templates.load(name)
        for kind, instruction in KINDS.items():
            explained = _text(published, source, "task_explanation", key, instruction)
            form, dummy = _FORMS["single" if ours.single else "multi"]
            told = _text(published, source, "format_explanation", "node_id", form, "text")
            settings = {
                "unit": ours.unit,
                "single": "yes" if ours.single else "no",
                "declines": "yes" if ours.declines else "no",
                "max_tokens": ours.max_tokens,
            }
            head = "\n".join(f"{setting}: {value}" for setting, value in settings.items())
            sections = {
                "instruction": explained,
                "cite": told.replace("{dummy_answer}", dummy) if kind == "citing" else "",
                "plain": "",
                "input": f"{called}: {{document}} [End of Document]\n{asked}",
            }
            body = "".join(f"\n=== {section}\n{text}\n" for section, text in sections.items())
            yield f"{name}.{kind}.txt", f"{head}\n{body}"


def _read(source: Path) -> Mapping[str, Any]:
    try:
        import yaml  # type: ignore[import-untyped,unused-ignore]
    except ImportError as error:
        raise MissingExtraError("LAB's published prompts", "pyyaml", "bench", "citewell-lab") from error
    try:
        content = yaml.safe_load(source.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputError(f"{source} cannot be read: {error}") from error
    if not isinstance(content, dict):
        raise InputError(f"{source} is not LAB's config/prompts.yaml: it holds no names")
    return content


def _text(published: Mapping[str, Any], source: Path, *path: str) -> str:
    value: Any = published
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{source} is not LAB's config/prompts.yaml: it has no text {'.'.join(path)}")
    return value.strip()
