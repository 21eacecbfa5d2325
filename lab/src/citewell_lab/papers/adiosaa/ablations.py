"""ADiOSAA without its decomposer, without optimal selection, without both, over several sources of candidates.

After Sancheti et al. 2024, tables 3 and 6. On `verifiability` and `hagrid` these are the paper's tasks. The data sets
with marked spans stand in where those are not there: each statement is attributed to the passages that its marks name.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from citewell import registry
from citewell.errors import UsageError, notes
from citewell_lab.bench.datasets.locate import Words
from citewell_lab.bench.items import Broken, Item, RankItem, SpanItem
from citewell_lab.bench.kinds import ranked as ranking
from citewell_lab.bench.kinds.ranked import DEPTHS, Ranked
from citewell_lab.bench.kinds.spans import Spans
from citewell_lab.bench.metrics.evidence import at_k
from citewell_lab.bench.records import RankRecord
from citewell_lab.bench.tasks import task as find_task
from citewell_lab.papers.source import each, read
from citewell_lab.report.intervals import share
from citewell_lab.report.table import Report, Table
from citewell_lab.report.values import Value, mean_of, ranged

# The rows of the paper's table 3; D is the decomposer, OS optimal selection.
ABLATIONS: dict[str, dict[str, Any]] = {
    "ADiOSAA": {},
    "ADiOSAA - D": {"decompose": None},
    "ADiOSAA - OS": {"select": False},
    "ADiOSAA - D - OS": {"decompose": None, "select": False},
}
BASELINES = ("retrieval(retriever=bm25)", "lexical")
ALL = 1_000_000  # candidates: every sentence


class Row(NamedTuple):
    """A system, its records, the work it did, and the question of each record."""

    name: str
    spec: str
    records: list[RankRecord]
    failed: list[str]
    counts: dict[str, int]
    questions: dict[str, str]


def ablations(
    task: str,
    data: str | Path,
    split: str = "dev",
    *,
    method: str = "entailment",
    sources: Sequence[str] = ("bm25",),
    baselines: Sequence[str] = BASELINES,
    seed: int = 0,
    limit: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Report:
    """The four systems for every source of candidates, and baselines.

    `sources` are retrievers of the candidates; `all` takes every sentence.

    Raises:
        UsageError: no such task, or the method is neither `entailment` nor `adiosaa`.
        InputError: the data is not there.
        BackendError: a system cannot run.
    """
    base = registry.parse(method)
    if base.name not in ("entailment", "adiosaa"):
        raise UsageError(f"the ablations are those of entailment and adiosaa, not of {base.name!r}")
    if "select" in dict(base.params):
        raise UsageError("select is what the ablations vary: leave it out")
    if dict(base.params).get("decompose", "llm") in (None, "none"):
        raise UsageError("with decompose=none there is no decomposer to leave out: name one, such as clauses or llm")
    items, kept = source(task, data, split, limit)
    systems = dict(_systems(base, sources))
    systems |= {baseline: baseline for baseline in baselines}
    rows = [_run(label, spec, items, progress) for label, spec in systems.items()]
    tables = (_figures(rows), _differences(rows, seed))
    settings = {"task": task, "split": split, "method": registry.canonical("attributor", method), "seed": seed}
    more = {"limit": limit, "items": len(items), "systems": {row.name: row.spec for row in rows}, **kept}
    return Report(tables, {**settings, **more, "failed": {row.name: row.failed for row in rows if row.failed}})


def _systems(base: registry.Spec, sources: Sequence[str]) -> Iterator[tuple[str, str]]:
    for retriever in sources:
        extra = {"candidates": ALL} if retriever == "all" else {"retriever": retriever}
        for label, changed in ABLATIONS.items():
            params = dict(base.params) | extra | changed
            name = label if len(sources) == 1 else f"{retriever} + {label}"
            yield name, registry.canonical("attributor", str(registry.Spec(base.name, tuple(params.items()))))


def source(name: str, data: str | Path, split: str, limit: int | None) -> tuple[list[RankItem], dict[str, Any]]:
    """The items of a task in the form that is ranked, and the record of where they come from.

    Raises:
        UsageError: no such task, or one without ranked sources, or nothing is left to attribute.
        InputError: the data is not there.
    """
    task = find_task(name)
    if not isinstance(task, Spans | Ranked):
        known = "verifiability, hagrid, verifiability-granular, quotesum"
        raise UsageError(f"the task {name!r} has no ranked sources of sentences: take one of {known}")
    stream, kept = read(name, data, split, limit)
    whole = list(stream)
    kept["broken"] = [f"{item.id}: {item.reason}" for item in whole if isinstance(item, Broken)]
    kept["reformulated"] = isinstance(task, Spans)
    items = ranked(whole)
    if not any(item.targets for item in items):
        raise UsageError("no sentence is left to attribute: all were copied whole or have no mark")
    return items, kept


def ranked(items: Iterable[Item]) -> list[RankItem]:
    """Items whose sentences are ranked against segments; those with marked spans are put into that form.

    A statement's gold are the passages that the marks in it name; statements without a mark, and statements that were
    copied whole, are left out, as in the paper.
    """
    result = []
    for item in items:
        as_ranked = _ranked(item) if isinstance(item, SpanItem) else item
        if isinstance(as_ranked, RankItem) and (as_ranked.targets or as_ranked.verbatim or as_ranked.unmatched):
            result.append(as_ranked)
    return result


def _ranked(item: SpanItem) -> RankItem:
    words = Words(item.passages.text)
    targets, gold, verbatim = [], [], 0
    for statement in item.statements:
        named = frozenset(
            item.numbers.index(number)
            for target, number in zip(item.targets, item.gold, strict=True)
            if target.start < statement.end and statement.start < target.end
        )
        if not named:
            continue
        if words.find(item.text[statement.start : statement.end]):
            verbatim += 1
            continue
        targets.append(statement)
        gold.append(named)
    segments = tuple(item.places.values())
    return RankItem(item.id, item.question, item.text, tuple(targets), tuple(gold), item.passages, segments,
                    "paragraph", verbatim)  # fmt: skip


def _run(label: str, spec: str, items: Sequence[RankItem], progress: Callable[[int], object] | None) -> Row:
    attributor = registry.build("attributor", spec)
    with notes.collect() as noted:
        results, failed = each(items, lambda item: ranking.record(item, attributor), progress)
    questions = {item.id: item.question for item, _ in results}
    return Row(label, spec, [record for _, record in results], failed, dict(noted.counts), questions)


def _figures(rows: Sequence[Row]) -> Table:
    columns = [f"{metric}@{k}" for k in DEPTHS for metric in ("precision", "recall", "f1")]
    lines: list[tuple[Value, ...]] = []
    for row in rows:
        scores = ranking.score(row.records)
        sentences = sum(len(record["gold"]) for record in row.records)
        lines.append(
            (row.name, sentences, scores.abstained, *(scores.metrics[name] for name in columns),
             row.counts.get("pairs asked for"), row.counts.get("pairs scored"))
        )  # fmt: skip
    verbatim = sum(record["verbatim"] for record in rows[0].records)
    unmatched = sum(record["unmatched"] for record in rows[0].records)
    notes_ = (
        "abstained: sentences without a citation, which count as 0",
        f"left out of these answers: {verbatim} sentences copied whole, {unmatched} whose evidence is not in the text",
        "pairs: what the checker was asked for, and what it judged, equal pairs once",
    )
    names = ("system", "sentences", "abstained", *columns, "pairs_asked", "pairs_scored")
    return Table("ablations", "ADiOSAA and its ablations", names, tuple(lines), (), notes_)


def _differences(rows: Sequence[Row], seed: int) -> Table:
    """F1 of every system less that of the first, over the sentences that both have, with intervals by question."""
    first = {record["id"]: record for record in rows[0].records}
    lines: list[tuple[Value, ...]] = []
    for row in rows[1:]:
        both = [(first[record["id"]], record) for record in row.records if record["id"] in first]
        cells: list[Value] = [row.name, sum(len(record["gold"]) for record, _ in both)]
        for k in DEPTHS:
            change = [sum(_f1s(other, k)) - sum(_f1s(before, k)) for before, other in both]
            totals = [len(before["gold"]) for before, _ in both]
            difference = share(change, totals, [row.questions[record["id"]] for _, record in both], seed=seed)
            cells += [mean_of(difference), ranged(difference, "+")]
        lines.append(tuple(cells))
    columns = ("system", "sentences", *itertools.chain.from_iterable((f"f1@{k}", f"f1@{k}_95%") for k in DEPTHS))
    title = f"Difference to {rows[0].name}"
    return Table("ablations-differences", title, columns, tuple(lines), (), ("intervals: questions drawn again",))


def _f1s(record: RankRecord, k: int) -> list[float]:
    return [at_k(ranking, set(gold), k).f1 for ranking, gold in zip(record["ranked"], record["gold"], strict=True)]
