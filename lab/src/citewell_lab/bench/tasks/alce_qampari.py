"""ALCE's QAMPARI: questions with many answers, as a list whose every part cites passages. Gao et al. 2023."""

from __future__ import annotations

from pathlib import Path

from citewell_lab.bench.datasets import alce
from citewell_lab.bench.kinds.alce import Alce
from citewell_lab.bench.metrics.declared import (
    CITATION_PRECISION,
    CITATION_RECALL,
    LIST_F1_5,
    LIST_PRECISION,
    LIST_RECALL,
    LIST_RECALL_5,
)

TASK = Alce(
    name="alce-qampari",
    summary="lists of answers, with citations of passages",
    listing=True,
    prompt=str(Path(__file__).with_name("alce_qampari.txt")),
    metrics=(LIST_RECALL_5, LIST_PRECISION, LIST_RECALL, LIST_F1_5, CITATION_RECALL, CITATION_PRECISION),
    headline=(LIST_RECALL_5, LIST_PRECISION, CITATION_RECALL, CITATION_PRECISION),
    tables=("alce-5",),
    data=alce.dataset("qampari", 1000),
)
