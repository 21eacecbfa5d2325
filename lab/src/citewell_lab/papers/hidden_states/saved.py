"""Data sets built once and saved, so that every method uses the same: VERI-GRAN, paraphrased answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from citewell.errors import InputError
from citewell_lab.bench.datasets import files, granular
from citewell_lab.bench.datasets.marks import parse
from citewell_lab.bench.items import Broken, SpanItem
from citewell_lab.bench.tasks import task as find_task
from citewell_lab.papers.hidden_states import paraphrase
from citewell_lab.papers.hidden_states.paraphrase import Rewritten

PARAPHRASED = {"quotesum-paraphrased": "quotesum", "verifiability-granular-paraphrased": "verifiability-granular"}
Built = tuple[list[dict[str, Any]], list[str]]  # rows in the published form, and why others were left out


def granular_rows(paths: Iterable[Path]) -> Iterable[Mapping[str, Any]]:
    """The judgments of some files.

    Raises:
        InputError: a line is damaged.
    """
    for path in paths:
        for number, row in files.parsed(path):
            if isinstance(row, Broken):
                raise InputError(f"{path}, line {number + 1}: {row.reason}")
            yield row


def granular_set(_name: str, data: str | Path, split: str, _llm: Any = None) -> Built:
    """VERI-GRAN from the judgments of Verifiability in a data folder."""
    judgments = find_task("verifiability").data.files(Path(data), split)
    return list(granular.build(granular_rows(judgments))), []


def paraphrased(name: str, data: str | Path, split: str, llm: Any = None) -> Built:
    """Answers in other words, in the form of the set that they were made from; `by` says who said them so."""
    dataset = find_task(PARAPHRASED[name]).data
    paths = dataset.files(Path(data), split)
    rows = {f"{files.stem(path)}:{number}": row for path in paths for number, row in files.parsed(path)}
    items = [item for item in dataset.load(paths) if isinstance(item, SpanItem)]
    written, left_out = [], []
    for item, rewriting in zip(items, paraphrase.rewritten(items, llm), strict=True):
        if isinstance(rewriting, str):
            left_out.append(f"{item.id}: {rewriting}")
            continue
        row, now = rows[item.id], rewriting.item
        spans = sorted(zip(now.targets, now.gold, strict=True))
        summary = granular.marked(now.text, spans)
        back = parse(summary)
        same = back.text == now.text and list(zip(back.spans, back.numbers, strict=True)) == spans
        if isinstance(row, Broken) or not same:
            left_out.append(f"{item.id}: its words look like marks")
            continue
        chunk = {"chunk": now.text[now.judged.start : now.judged.end]} if "chunk" in row else {}
        written.append({**row, "summary": summary, **chunk, "of": item.id, "by": str(llm or "rules")})
    return written, left_out


def known(
    task: str, data: str | Path, split: str, items: Sequence[SpanItem]
) -> tuple[list[Rewritten | str], str] | None:
    """The saved paraphrases of items and who made them; None where none were saved."""
    dataset = find_task(f"{task}-paraphrased").data
    try:
        paths = dataset.files(Path(data), split)
    except InputError:
        return None
    rows = [row for path in paths for _, row in files.parsed(path)]
    loaded = zip(rows, dataset.load(paths), strict=True)
    after = {row["of"]: item for row, item in loaded if isinstance(row, dict) and isinstance(item, SpanItem)}
    by = ", ".join(sorted({str(row.get("by")) for row in rows if isinstance(row, dict)}))
    rewritings: list[Rewritten | str] = [
        paraphrase.counted(item, after[item.id]) if item.id in after else "the saved set has it not" for item in items
    ]
    return rewritings, by


def agreement(rows: Sequence[Mapping[str, Any]], published: Path) -> str:
    """How the marks of rows that were built agree with those of a published file, in words.

    Raises:
        InputError: the file cannot be read.
    """
    alike = granular.compare(rows, granular_rows([published]))
    return (
        f"of {alike.statements} published statements {alike.missing} are not built; of the others' marked characters "
        f"{100 * alike.recall:.1f}% are marked (precision {100 * alike.precision:.1f}%), {alike.same} statements alike"
    )
