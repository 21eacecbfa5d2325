"""A finished annotation project as a data set: every label, and the layout of a benchmark task."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from citewell.errors import UsageError
from citewell.text import files
from citewell_lab.annotation.project import ADJUDICATOR, Project
from citewell_lab.annotation.protocol import SUPPORT


def export(project: Project, folder: Path, split: str = "test") -> list[Path]:
    """Write `annotations.jsonl` and, where the labels are those of support, `wice/claim/SPLIT.jsonl`.

    The second is WiCE's layout, which `citewell bench run wice --data FOLDER --split SPLIT` reads. Its evidence are the
    sets of the annotators (or the adjudicator) whose label is the one that counts.

    Raises:
        UsageError: items have no label that counts, the split is no name, or a file is there already.
    """
    open_items = [key for key in project.items if project.decided(key) is None]
    if open_items:
        disputed = len(project.disputed())
        raise UsageError(
            f"{len(open_items)} of {len(project.items)} items have no label that counts: {disputed} wait for the "
            f"adjudicator, {len(open_items) - disputed} for annotators"
        )
    if not split.isidentifier():
        raise UsageError(f"--split {split}: a name of letters, digits and _ is asked for")
    rows = [_row(project, key) for key in project.items]
    contents = {"annotations.jsonl": _lines(rows)}
    if set(project.protocol.labels) <= set(SUPPORT):
        contents[f"wice/claim/{split}.jsonl"] = _lines([_wice(row) for row in rows])
    present = [name for name in contents if (folder / name).exists()]
    if present:
        raise UsageError(f"{folder / present[0]} is there already")
    return files.write_all(folder, contents)


def _row(project: Project, key: str) -> dict[str, Any]:
    entry, label = project.items[key], project.decided(key)
    labels = project.labels(key)
    adjudicated = project.by_annotator.get(ADJUDICATOR, {}).get(key)
    deciding = [adjudicated] if adjudicated else [row for row in labels.values() if row.label == label]
    return {
        "id": key,
        "claim": entry.claim,
        "context": entry.context,
        "segments": entry.segments,
        "label": label,
        "adjudicated": adjudicated is not None,
        "evidence": sorted({tuple(sorted(row.evidence)) for row in deciding}),
        "annotations": [
            {"annotator": name, "label": row.label, "evidence": row.evidence, "note": row.note}
            for name, row in sorted(labels.items())
        ],
    }


def _wice(row: dict[str, Any]) -> dict[str, Any]:
    """A row in WiCE's layout."""
    return {
        "claim": row["claim"],
        "label": row["label"],
        "evidence": row["segments"],
        "supporting_sentences": row["evidence"],
        "meta": {"id": row["id"], "claim_context": row["context"]},
    }


def _lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
