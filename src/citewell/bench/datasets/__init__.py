"""The data sets: where each lies in a data folder, how it is read, where it was published."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from citewell.bench.datasets import files
from citewell.bench.items import Item
from citewell.errors import InputError


class Dataset(NamedTuple):
    """One data set.

    Attributes:
        name: the task's and the loader's name.
        folder: its folder in the data folder.
        patterns: globs of a split's files below the folder, the first that matches anything counts.
        companions: globs of files that the loader also reads.
        splits: whether it has splits; a set without them is taken whole, whatever split is asked for.
        whole: globs for all splits together, where the patterns would take the files of one form alone.
    """

    name: str
    folder: str
    patterns: tuple[str, ...]
    companions: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    splits: bool = True
    whole: tuple[str, ...] = ()

    def files(self, data: Path, split: str) -> list[Path]:
        """The files of a split.

        Raises:
            InputError: the folder or the split is not there.
        """
        root = data / self.folder
        if not data.is_dir():
            raise InputError(f"{data} is not a folder: --data names the folder that holds {self.folder}/")
        if not root.is_dir():
            raise InputError(
                f"{data} has no folder {self.folder}/: `citewell bench fetch {self.name}` says where it is"
            )
        wanted = split if self.splits else "all"
        patterns = self.whole if wanted == "all" and self.whole else self.patterns
        return files.find(root, wanted, patterns, exclude=self.exclude)

    def items(self, paths: Sequence[Path]) -> Iterator[Item]:
        """The items of those files, in order; Intertext Graphs, LAB's form, are known by their content."""
        itg = importlib.import_module("citewell.bench.datasets.itg")
        if paths and all(itg.is_graph(path) for path in paths):
            graphs: Iterator[Item] = itg.load(paths)
            return graphs
        module = importlib.import_module(f"citewell.bench.datasets.{self.name.replace('-', '_')}")
        items: Iterator[Item] = module.load(paths)
        return items

    def checksums(self, data: Path, paths: Sequence[Path]) -> dict[str, str]:
        """SHA-256 of every file that is read, by its path below the data folder. Folders count by their listing."""
        root = data / self.folder
        extra = [path for pattern in self.companions for path in sorted(root.glob(pattern)) if path.is_file()]
        return {str(path.relative_to(data)): files.sha256(path) for path in dict.fromkeys([*paths, *extra])}


_LINES = ("{split}.jsonl", "{split}.jsonl.gz")

DATASETS: dict[str, Dataset] = {
    one.name: one
    for one in (
        Dataset("verifiability-granular", "verifiability_granular", (*_LINES, "verifiability_granular_{split}.jsonl")),
        Dataset("quotesum", "quotesum", ("v1/{split}.jsonl", *_LINES)),
        Dataset(
            "salad", "salad", ("annotations/annotations-{split}.json",), ("docs/docs-[wh][eu]*.json",), splits=False
        ),
        Dataset("attributionbench", "attributionbench", _LINES),
        Dataset(
            "verifiability",
            "verifiability",
            (
                "verifiability_judgments_{split}.jsonl.gz",
                "verifiability_judgments_{split}.jsonl",
                "verifiability_judgments/verifiability_judgments_{split}.jsonl.gz",
                *_LINES,
            ),
        ),
        Dataset("hagrid", "hagrid", (*_LINES, "hagrid-v1.0-en/{split}.jsonl")),
        Dataset("wice", "wice", ("claim/{split}.jsonl", "wice_itg/claim-{split}.jsonl")),
        Dataset("contract-nli", "contractnli", ("{split}.json", "contract_nli_itg/contract-{split}-nl*.jsonl")),
        Dataset(
            "evidence-inference",
            "evidence_inference",
            ("splits/{split}_article_ids.txt", "evidence_inference_itg/deep-{split}.jsonl"),
            ("prompts_merged.csv", "v2_annotations.csv"),
            tuple(f"ev{n}_{split}_article_ids.txt" for n in (1, 2) for split in ("train", "validation", "test")),
        ),
        Dataset("scifact", "scifact", _LINES),
        Dataset("fever", "fever", _LINES, ("docs.jsonl",), ("docs.jsonl",)),
        Dataset(
            "qasper",
            "qasper",
            (
                "qasper-{split}-*.json",
                "{split}.json",
                *_LINES,
                "*_{split}_*.json*",
                "*_{split}.json*",
                "QASPER-ITG/deep-{split}.jsonl",
            ),
            whole=("*.json*",),
        ),
        Dataset(
            "natural-questions",
            "natural_questions",
            (
                "*-{split}-*.jsonl*",
                "*-{split}.jsonl*",
                *_LINES,
                "*_{split}.jsonl*",
                "leval_*.jsonl",
                "natural_questions_itg/{split}/*.json",
            ),
            whole=("*.jsonl*",),
        ),
        Dataset(
            "govreport",
            "govreport",
            (
                "split_ids/*_{split}.ids",
                "gov_report/{split}.jsonl",
                *_LINES,
                "*_{split}.jsonl",
                "leval_*.jsonl",
                "GovReport-ITG/deep-*-{split}.jsonl",
            ),
        ),
        Dataset(
            "clapnq",
            "clapnq",
            (
                "{split}_*answerable.jsonl",
                "clapnq_{split}_*answerable.jsonl",
                "annotated_data/{split}/clapnq_{split}_*answerable.jsonl",
                *_LINES,
            ),
        ),
        Dataset("squad2", "squad2", ("{split}-v2.0.json", "{split}.json", "{split}[_.-]*.json")),
        Dataset(
            "financebench",
            "financebench",
            ("questions.jsonl", "*open_source*.jsonl", "data/*open_source*.jsonl", "*.jsonl"),
            ("pdfs/*.pdf",),
            splits=False,
        ),
    )
}


@cache
def sources() -> Mapping[str, Any]:
    """`sources.json`: address, licence, sizes of the published splits, checksums where they are known."""
    text = resources.files("citewell.bench.datasets").joinpath("sources.json").read_text(encoding="utf-8")
    found: Mapping[str, Any] = json.loads(text)
    return found


class Standing(NamedTuple):
    """Whether what was read is the published split: `published`, `partial`, `unknown` or `differs`, and why."""

    state: str
    why: str


def standing(name: str, split: str, size: int, checksums: Mapping[str, str], *, limited: bool = False) -> Standing:
    """Compare a split that was read with what was published, by checksum where one is known, else by size."""
    published: Mapping[str, Any] = sources()[name].get("splits", {})
    key = next((one for one in files.ALIASES.get(split, (split,)) if one in published), None)
    if key is None:
        return Standing("unknown", f"no published split {split!r}")
    expected = published[key]
    wanted, unit = expected.get("items"), expected.get("unit", "items")
    if limited:
        return Standing("partial", f"limited to {size} of {wanted} {unit}")
    known = expected.get("sha256", [])
    known = {known} if isinstance(known, str) else set(known)
    if known and known <= set(checksums.values()):
        return Standing("published", f"the checksum is that of the published file{'s' * (len(known) > 1)}")
    if wanted is None:
        return Standing("unknown", "the published size is not known")
    if size == wanted:
        return Standing("published", f"it has the published {wanted} {unit}")
    if size < wanted:
        return Standing("partial", f"{size} of the published {wanted} {unit}")
    return Standing("differs", f"{size} {unit}, published are {wanted}")
