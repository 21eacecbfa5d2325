"""The text of a document of the first-sight sets, taken from the data set that it lies in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def text(data: Path, path: str, name: str, opened: Path) -> str:
    """The text of a document by the file that holds it and its name in the list of opened documents.

    Raises:
        KeyError: no document of that name was drawn.
    """
    drawn = {row["name"]: row for row in json.loads(opened.read_text(encoding="utf-8"))["texts"]}
    row = drawn[name.removesuffix(".txt")]
    file, index = data / row["document"], row["index"]
    if index is None:
        return (data / path).read_text(encoding="utf-8")
    source = file.read_text(encoding="utf-8")
    if file.name == "original_sample.json":
        return _paper(_objects(source)[index])
    if file.suffix == ".jsonl":
        line = json.loads(source.splitlines()[index])
        return str(line["full_text"] if "full_text" in line else line["input"])
    record = json.loads(source)
    if "documents" in record:
        return str(record["documents"][index]["text"])
    return "\n\n".join(dict.fromkeys(part["context"] for part in record["data"][index]["paragraphs"]))


def _objects(source: str) -> list[dict[str, Any]]:
    """JSON objects that stand one after another."""
    decoder, place, objects = json.JSONDecoder(), 0, []
    while (rest := source[place:].lstrip(" \n\r\t,")) != "":
        value, length = decoder.raw_decode(rest)
        objects.append(value)
        place = len(source) - len(rest) + length
    return objects


def _paper(paper: dict[str, Any]) -> str:
    full = paper["full_text"]
    sections = zip(full["section_name"], full["paragraphs"], strict=True)
    parts = [f"{name or ''}\n" + "\n".join(paragraphs) + "\n\n" for name, paragraphs in sections]
    return f"{paper['title']}\n\n{paper['abstract']}\n\n" + "".join(parts)
