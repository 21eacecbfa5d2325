"""Intertext Graph JSON, the format in which LAB distributes its data, one document per line or file.

A graph is `nodes` (`ix`, `content`, `ntype`, `meta`), `edges` (`src_ix`, `tgt_ix`, `etype`: next, parent, link) and
`span_nodes`, which are left out. The order of reading follows the `next` edges. Each data set keeps its questions and
annotations in the graph's `meta`, and in each node's `meta.is_evidence_for` what the node is evidence for;
the task of the data set reads them.
Sources: Kuznetsov et al. 2022 (the form); Buchmann et al. 2024, appendix B (what LAB made with it).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from citewell.errors import InputError
from citewell_lab.bench.datasets import files
from citewell_lab.bench.datasets.structure import Built, Part, build
from citewell_lab.bench.items import Broken, Item


class Graph(NamedTuple):
    """A document, its segments, and the node behind each segment; `places` are the segments by their nodes' names."""

    built: Built
    nodes: tuple[Mapping[str, Any], ...]
    places: Mapping[str, int]
    meta: Mapping[str, Any]

    def evidence(self, test: Callable[[Mapping[str, Any]], bool]) -> frozenset[int]:
        """The segments that are evidence for what fits the test."""
        return frozenset(
            n
            for n, node in enumerate(self.nodes)
            if any(test(response) for response in (node.get("meta") or {}).get("is_evidence_for") or ())
        )


def is_graph(path: Path) -> bool:
    """Whether a file holds graphs, by its first line or, where it is one object over many lines, its opening."""
    if ".json" not in path.name:
        return False
    try:
        with files.opened(path) as file:
            head = file.read(1 << 16)
    except (OSError, ValueError):
        return False
    opening = head.lstrip()[:40].replace(" ", "").replace("\n", "")
    return opening.startswith('{"nodes":[') or ('"span_nodes"' in head and '"edges"' in head)


Graphs = Callable[[str, Graph, Path], Iterator[Item]]  # the items of a graph, its name and its file


def load(paths: Sequence[Path], items: Graphs) -> Iterator[Item]:
    """The items of a data set's graphs."""
    for path in paths:
        for number, row in _graphs(path):
            key = f"{files.stem(path)}:{number}"
            if isinstance(row, Broken):
                yield row
                continue
            try:
                yield from items(key, read(row), path)
            except (KeyError, ValueError, TypeError, IndexError, InputError) as error:
                yield Broken(key, f"{type(error).__name__}: {error}")


def _graphs(path: Path) -> Iterator[tuple[int, dict[str, Any] | Broken]]:
    with files.opened(path) as file:
        first = file.readline()
    try:
        json.loads(first)
    except ValueError:
        yield 0, files.whole(path)  # indented, one graph in the file
        return
    yield from files.parsed(path)


def read(data: Mapping[str, Any]) -> Graph:
    """A graph as a document: titles and headings are kept as such, every other node with text is a segment.

    Raises:
        InputError: it is no graph.
    """
    if not isinstance(data.get("nodes"), list) or not isinstance(data.get("edges"), list):
        raise InputError("this is no Intertext Graph: it has no nodes and edges")
    ordered = [node for node in _ordered(data["nodes"], data["edges"]) if (node.get("content") or "").strip()]
    depth = _depths(data["nodes"], data["edges"])
    title, parts, kept = None, list[Part](), list[Mapping[str, Any]]()
    for node in ordered:
        kind = (node.get("ntype") or "p").lower()
        if "title" in kind or "heading" in kind or kind in ("section", "abstract", "sec"):
            if title is None and "title" in kind:
                title = node["content"].strip()
            parts.append(Part(node["content"], "heading", 1 if "title" in kind else min(6, 1 + depth[node["ix"]])))
            continue
        kinds = {"list-item": "list_item", "table-item": "table_row"}
        parts.append(Part(node["content"], kinds.get(kind, "paragraph")))  # type: ignore[arg-type]  # two known kinds
        kept.append(node)
    places = {str(node["ix"]): n for n, node in enumerate(kept)}
    return Graph(build(parts, title), tuple(kept), places, data.get("meta") or {})


def _ordered(nodes: Sequence[Mapping[str, Any]], edges: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Nodes along the `next` edges from the first; what they do not reach keeps its place at the end."""
    by_name = {node["ix"]: node for node in nodes}
    after = {edge["src_ix"]: edge["tgt_ix"] for edge in edges if edge["etype"] == "next"}
    has_before = set(after.values())
    ordered: dict[Any, Mapping[str, Any]] = {}
    name = next((node["ix"] for node in nodes if node["ix"] in after and node["ix"] not in has_before), None)
    while name in by_name and name not in ordered:
        ordered[name] = by_name[name]
        name = after.get(name)
    return [*ordered.values(), *(node for node in nodes if node["ix"] not in ordered)]


def _depths(nodes: Sequence[Mapping[str, Any]], edges: Sequence[Mapping[str, Any]]) -> dict[Any, int]:
    """How many parents each node has above it; the edge runs from the parent."""
    above = {edge["tgt_ix"]: edge["src_ix"] for edge in edges if edge["etype"] == "parent"}
    depths = {}
    for node in nodes:
        depth, name = 0, node["ix"]
        while name in above and depth < len(nodes):
            name, depth = above[name], depth + 1
        depths[node["ix"]] = depth
    return depths
