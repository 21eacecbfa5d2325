"""GovReport: reports of United States agencies and their summaries. Source: Huang et al. 2021; LAB section 4.1.

Reads the published form (`split_ids/*.ids` beside the folders `crs` and `gao`, a file a report), rows with `report`
and `summary` or `input` and `output`, and rows with lists of `outputs`. The data marks no evidence; as in LAB it is
simulated: for each sentence of the summary the two paragraphs that BM25 ranks best. As in LAB's data, reports whose
summary has fewer than five sentences are left out.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from citewell.pipeline.approaches import Retrieval
from citewell.retrievers.bm25 import BM25
from citewell.text import segments
from citewell_lab.bench.datasets import files
from citewell_lab.bench.datasets.dataset import LINES, Dataset
from citewell_lab.bench.datasets.itg import Graph
from citewell_lab.bench.datasets.structure import Built, Part, build
from citewell_lab.bench.items import Item, QuestionItem, Reference
from citewell_lab.bench.kinds.questions import Summaries

SHORTEST = 5  # sentences of a summary; LAB leaves out shorter ones
_BY_THEMSELVES = "self-similarity(retriever=sbert)"
BEST = 2  # paragraphs a sentence of the summary


def _load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item a report."""
    for path in paths:
        if path.suffix != ".ids":
            yield from files.rows([path], _row)
            continue
        source, root = path.stem.partition("_")[0], path.parent.parent
        for name in path.read_text(encoding="utf-8").split():
            item = files.attempt(f"{source}:{name}", _report, root / source / f"{name}.json")
            if item is not None:
                yield item


def _row(key: str, row: Mapping[str, Any]) -> QuestionItem | None:
    text = row.get("report") or row.get("document") or row["input"]
    summary = row.get("summary") or row.get("output") or row["outputs"][0]
    return _item(str(row.get("id", key)), build(map(_part, text.split("\n")), row.get("title")), summary)


def _report(key: str, path: Path) -> QuestionItem | None:
    """A report whose sections nest; a summary is paragraphs (CRS) or sections (GAO)."""
    if not path.is_file():
        raise ValueError(f"{path.name} does not lie in the data")
    data = files.whole(path)
    built = build([Part(data.get("title") or "", "heading", 1), *_sections(data.get("reports") or data["report"])],
                  data.get("title"))  # fmt: skip
    summary = data.get("summary") or [part.text for part in _sections(data["highlight"]) if part.kind != "heading"]
    return _item(key, built, "\n".join(summary))


def _sections(sections: Any, level: int = 2) -> Iterator[Part]:
    for section in sections if isinstance(sections, list) else [sections]:
        yield Part(section.get("section_title") or "", "heading", level)
        yield from map(Part, section.get("paragraphs") or ())
        yield from _sections(section.get("subsections") or [], level + 1)


def _part(line: str) -> Part:
    """A line of a report that is one text: a heading is indented, or short and no sentence."""
    stripped = line.strip()
    heading = line.startswith("\t") or (len(stripped) <= 80 and stripped[-1:] not in ".:;?!)")
    return Part(stripped, "heading", 2) if heading else Part(stripped)


def _item(key: str, built: Built, summary: str) -> QuestionItem | None:
    """A report, None where its summary is too short."""
    if len(segments.statements(summary)) < SHORTEST:
        return None
    return built.question(key, "", (Reference(summary, evidence=simulated(built, summary)),))


def simulated(built: Built, summary: str) -> frozenset[int]:
    """For each sentence of the summary the paragraphs that BM25 ranks best."""
    wanted = set(built.segments)
    paragraphs = [
        paragraph for paragraph in built.document.segments("paragraph") if (paragraph.start, paragraph.end) in wanted
    ]
    ranked = (BM25().rank(summary[start:end], paragraphs)[:BEST] for start, end in segments.statements(summary))
    return frozenset(hit.position for hit in itertools.chain.from_iterable(ranked))


def _graph(key: str, graph: Graph, _: Path) -> Iterator[Item]:
    """A report."""
    item = _item(str(graph.meta.get("id", key)), graph.built, graph.meta["flat_summary"])
    if item is not None:
        yield item


TASK = Summaries(
    name="govreport",
    summary="summaries of government reports",
    tables=("lab-3-govreport",),
    prompt="govreport",
    retrieval=Retrieval(_BY_THEMSELVES, _BY_THEMSELVES, "bm25"),
    paper_checker="true",
    data=Dataset(
        "govreport",
        (
            "split_ids/*_{split}.ids",
            "gov_report/{split}.jsonl",
            *LINES,
            "*_{split}.jsonl",
            "leval_*.jsonl",
            "GovReport-ITG/deep-*-{split}.jsonl",
        ),
        _load,
        graph=_graph,
    ),
)
