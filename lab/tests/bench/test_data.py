"""Counts of the real data sets, where CITEWELL_DATA names their folder."""

import os
from collections import Counter
from pathlib import Path

import pytest

from citewell_lab.bench.items import Broken
from citewell_lab.bench.tasks import task

pytestmark = pytest.mark.data


def load(name, split="dev"):
    source = task(name).data
    return list(source.items(source.files(Path(os.environ["CITEWELL_DATA"]), split), split))


def test_veri_gran_dev_has_its_published_statements_and_spans():
    items = load("verifiability-granular")
    assert (len(items), sum(len(item.targets) for item in items)) == (170, 272)
    for item in items:
        for (start, end), number in zip(item.targets, item.gold, strict=True):
            assert item.judged.start <= start < end <= item.judged.end
            assert 1 <= number <= len(item.starts)


def test_every_row_of_the_dev_splits_is_read():
    for name in ("quotesum", "attributionbench", "wice", "contract-nli", "evidence-inference", "scifact"):
        items = load(name)
        assert items
        assert not [item for item in items if isinstance(item, Broken)], name
        assert len({item.id for item in items}) == len(items), name


def test_salad_has_all_six_settings():
    assert len(Counter(item.group for item in load("salad", "all"))) == 6


def test_evidence_segments_are_text_of_the_document():
    for name in ("wice", "contract-nli", "evidence-inference"):
        for item in load(name)[:200]:
            for annotation in item.annotations:
                for positions in annotation.sets:
                    assert all(item.document.text[slice(*item.segments[i])].strip() for i in positions)
