"""Intertext Graph JSON, the form in which LAB distributes its data, one document a line or file.

A graph is `nodes` (`ix`, `content`, `ntype`, `meta`), `edges` (`src_ix`, `tgt_ix`, `etype`: next, parent, link) and
`span_nodes`, which are left out. The order of reading follows the `next` edges. Each data set keeps its questions and
annotations in the graph's `meta`, and in each node's `meta.is_evidence_for` what the node is evidence for.
Sources: Kuznetsov et al. 2022 (the form); Buchmann et al. 2024, appendix B (what LAB made with it).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from citewell.bench.datasets import contract_nli, evidence_inference, files, wice
from citewell.bench.datasets.govreport import simulated
from citewell.bench.datasets.structure import Built, Part, build
from citewell.bench.items import Annotation, Broken, EvidenceItem, Item, QuestionItem, Reference
from citewell.bench.metrics.answers import NO_ANSWER, unanswerable
from citewell.errors import InputError
from citewell.text import segments

SHORTEST = 5  # sentences of a GovReport summary; LAB leaves out shorter ones
_FLOAT = "FLOAT SELECTED"


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
            if any(test(one) for one in (node.get("meta") or {}).get("is_evidence_for") or ())
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


def load(paths: Sequence[Path]) -> Iterator[Item]:
    """The items of LAB's graphs, whichever data set they are of."""
    for path in paths:
        labels = _hypotheses(path)
        for number, row in _graphs(path):
            key = f"{files.stem(path)}:{number}"
            if isinstance(row, Broken):
                yield row
                continue
            try:
                yield from _items(key, read(row), labels)
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
    made: dict[Any, Mapping[str, Any]] = {}
    name = next((node["ix"] for node in nodes if node["ix"] in after and node["ix"] not in has_before), None)
    while name in by_name and name not in made:
        made[name] = by_name[name]
        name = after.get(name)
    return [*made.values(), *(node for node in nodes if node["ix"] not in made)]


def _depths(nodes: Sequence[Mapping[str, Any]], edges: Sequence[Mapping[str, Any]]) -> dict[Any, int]:
    """How many parents each node has above it; the edge runs from the parent."""
    above = {edge["tgt_ix"]: edge["src_ix"] for edge in edges if edge["etype"] == "parent"}
    found = {}
    for node in nodes:
        depth, name = 0, node["ix"]
        while name in above and depth < len(nodes):
            name, depth = above[name], depth + 1
        found[node["ix"]] = depth
    return found


def _items(key: str, graph: Graph, labels: Mapping[str, str]) -> Iterator[Item]:
    """The items of a graph; what its `meta` holds says of which data set it is."""
    meta = graph.meta
    if "qas" in meta:
        yield from _qasper(key, graph)
    elif "claim" in meta:
        yield _wice(key, graph)
    elif "annotation_sets" in meta:
        yield from _contracts(key, graph, labels)
    elif "prompts" in meta:
        yield from _trials(graph)
    elif "flat_summary" in meta:
        if len(segments.statements(meta["flat_summary"])) >= SHORTEST:
            evidence = simulated(graph.built, meta["flat_summary"])
            reference = Reference(meta["flat_summary"], evidence=evidence)
            yield _question(str(meta.get("id", key)), "", graph, [reference])
    elif "question_text" in meta:
        made = _page(key, graph)
        if made is not None:
            yield made
    else:
        raise ValueError(f"its meta is of none of LAB's data sets: {', '.join(sorted(meta))}")


def _question(key: str, question: str, graph: Graph, references: Sequence[Reference]) -> QuestionItem:
    group = "" if not question else "answerable"
    if question and unanswerable([one.unanswerable for one in references]):
        group = NO_ANSWER
    return QuestionItem(key, question, graph.built.document, graph.built.segments, tuple(references), group)


def _qasper(key: str, graph: Graph) -> Iterator[Item]:
    for row in graph.meta["qas"]:
        references = []
        for one in row["answers"]:
            answer, name = one.get("answer", one), one["annotation_id"]
            if any(_FLOAT in text for text in answer.get("evidence") or ()):
                continue
            if answer["unanswerable"]:
                references.append(Reference(NO_ANSWER, unanswerable=True, evidence=frozenset()))
                continue
            spans = ", ".join(answer.get("extractive_spans") or ())
            text = spans or answer.get("free_form_answer") or ("Yes" if answer.get("yes_no") else "No")
            marked = graph.evidence(lambda node, name=name: node.get("annotation_id") == name)  # type: ignore[misc]
            references.append(Reference(text, evidence=marked or None))
        if references:
            yield _question(str(row.get("question_id", key)), row["question"], graph, references)


def _wice(key: str, graph: Graph) -> Item:
    meta = graph.meta
    if meta["label"] not in wice.LABELS:
        raise ValueError(f"label {meta['label']!r} is none of {', '.join(wice.LABELS)}")
    sets = tuple(
        graph.evidence(lambda node, number=number: node.get("annotation_idx") == number)  # type: ignore[misc]
        for number in range(len(meta["supporting_sentences"]))
    )
    claims = {"supported": meta["claim"], "partially_supported": meta["claim"]}
    found = (Annotation(meta["label"], sets or (frozenset(),)),)
    name = str(meta.get("id", key))
    return EvidenceItem(name, graph.built.document, graph.built.segments, claims, found, meta["label"], meta["claim"])


def _hypotheses(path: Path) -> dict[str, str]:
    """ContractNLI's statements, which its own files hold, from one beside the graphs or above them."""
    for folder in (path.parent, path.parent.parent):
        for other in sorted(folder.glob("*.json")):
            if other == path or is_graph(other):
                continue
            found = files.whole(other)
            if isinstance(found, dict) and isinstance(found.get("labels"), dict):
                return {name: one["hypothesis"] for name, one in found["labels"].items()}
    return {}


def _contracts(key: str, graph: Graph, labels: Mapping[str, str]) -> Iterator[Item]:
    for name, one in graph.meta["annotation_sets"][0]["annotations"].items():
        if name not in labels:
            yield Broken(
                f"{key}:{name}", "the statement is not there: put ContractNLI's own dev.json beside the graphs"
            )
            continue
        marked = graph.evidence(lambda node, name=name: node.get("nda") == name)  # type: ignore[misc]
        claims = {"Entailment": labels[name]}
        if name in contract_nli.INVERTED:
            claims["Contradiction"] = contract_nli.INVERTED[name]
        found = (Annotation(one["choice"], (marked,)),)
        document, segments = graph.built
        yield EvidenceItem(f"{key}:{name}", document, segments, claims, found, name, labels[name])


def _trials(graph: Graph) -> Iterator[Item]:
    for name, prompt in graph.meta["prompts"].items():
        rows = graph.meta["annotations"].get(name) or ()
        found = tuple(
            Annotation(
                row["label"],
                (graph.evidence(lambda node, row=row: _same(node, row)),),  # type: ignore[misc]
            )
            for row in rows
        )
        if not found:
            continue
        parts = prompt["intervention"], prompt["comparator"], prompt["outcome"]
        claims, asked = evidence_inference.statements(*parts), evidence_inference.question(*parts)
        unknown = [one.label for one in found if one.label not in claims]
        if unknown:
            yield Broken(str(name), f"label {unknown[0]!r} is none of {', '.join(claims)}")
            continue
        document, segments = graph.built
        yield EvidenceItem(str(name), document, segments, claims, found, found[0].label, asked)


def _same(node: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    return all(str(node.get(key)) == str(row[key]) for key in ("prompt_id", "user_id"))


def _page(key: str, graph: Graph) -> Item | None:
    """A Natural Questions page; which annotations count is as in the loader of the published form."""
    meta = graph.meta
    tokens = meta["document_text"].split(" ")
    references, long_only = [], 0
    for one in meta["annotations"]:
        number = one["long_answer"]["candidate_index"]
        if one["short_answers"]:
            spans = [(short["start_token"], short["end_token"]) for short in one["short_answers"]]
            text = " ".join(token for start, end in spans for token in tokens[start:end])
        elif one["yes_no_answer"] in ("YES", "NO"):
            text = one["yes_no_answer"].lower()
        elif number >= 0:
            long_only += 1
            continue
        else:
            references.append(Reference(NO_ANSWER, unanswerable=True, evidence=frozenset()))
            continue
        name = str(meta["long_answer_candidates"][number].get("node_ix")) if number >= 0 else ""
        place = graph.places.get(name)
        if place is not None and graph.nodes[place]["ntype"] == "p":
            references.append(Reference(text, evidence=frozenset((place,))))
    if not references or (long_only > 1 and all(one.unanswerable for one in references)):
        return None
    return _question(str(meta.get("example_id", key)), meta["question_text"], graph, references)
