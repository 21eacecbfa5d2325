"""One data set: the files of each split, how to read them, where it was published and in what size."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from citewell.errors import InputError
from citewell.text.data import read_json
from citewell_lab.bench.datasets import files, itg
from citewell_lab.bench.datasets.sample import sampled
from citewell_lab.bench.items import Item

LINES = ("{split}.jsonl", "{split}.jsonl.gz")

Load = Callable[[Sequence[Path]], Iterator[Item]]
Part = Callable[[Sequence[Path], str], Iterator[Item]]
Gather = Callable[[Path, str], list[Path]]


class Split(NamedTuple):
    """The size of a published split, None where it is not known, and what it counts."""

    items: int | None = None
    unit: str = "items"


class File(NamedTuple):
    """A published file: its path below the folder and below the address, the split whose checksum it shows."""

    path: str
    remote: str = ""
    sha256: str = ""
    split: str = ""


class Standing(NamedTuple):
    """Whether what was read is the published split: `published`, `partial`, `unknown` or `differs`, and why."""

    state: str
    why: str

    def __str__(self) -> str:
        return f"{self.state}: {self.why}"


@dataclass(frozen=True, slots=True)
class Published:
    """Where a data set is published.

    Attributes:
        splits: its splits; none where their sizes are not known.
        address: what the remote paths of `files` begin with.
        files: what can be fetched one by one.
    """

    title: str
    home: str
    licence: str
    splits: Mapping[str, Split]
    address: str = ""
    files: tuple[File, ...] = ()

    @property
    def by_question(self) -> bool:
        """Whether its sizes count questions, which have several answers each."""
        return any(split.unit == "questions" for split in self.splits.values())

    def standing(self, split: str, size: int, checksums: Mapping[str, str], *, limited: bool = False) -> Standing:
        """Compare a split that was read with what was published, by checksum where one is known, else by size."""
        name = next((alias for alias in files.ALIASES.get(split, (split,)) if alias in self.splits), None)
        if name is None:
            return Standing("unknown", f"no published split {split!r}")
        wanted, unit = self.splits[name]
        if limited:
            return Standing("partial", f"limited to {size} of {wanted} {unit}")
        known = {file.sha256 for file in self.files if file.split == name and file.sha256}
        if known and known <= set(checksums.values()):
            return Standing("published", f"the checksum is that of the published file{'s' * (len(known) > 1)}")
        if wanted is None:
            return Standing("unknown", "the published size is not known")
        if size == wanted:
            return Standing("published", f"it has the published {wanted} {unit}")
        if size < wanted:
            return Standing("partial", f"{size} of the published {wanted} {unit}")
        return Standing("differs", f"{size} {unit}, published are {wanted}")


@cache
def _published(folder: str) -> Published:
    """What the table of all data sets says of the one in a folder."""
    row = read_json("citewell_lab.bench.datasets", "published.json")[folder]
    splits = {name: Split(*size) for name, size in row["splits"].items()}
    return Published(**{**row, "splits": splits, "files": tuple(File(**file) for file in row.get("files", ()))})


@dataclass(frozen=True, slots=True)
class Dataset:
    """A data set as it lies in a data folder.

    Attributes:
        folder: its folder in the data folder.
        patterns: globs of a split's files below the folder, the first that matches anything counts.
        load: reads the published forms.
        published_as: where it was published, if the table of all data sets (`published.json`) does not say.
        graph: reads one Intertext Graph, LAB's form; files of graphs are known by their content.
        companions: globs of files that the loader also reads.
        exclude: names of files that match but are no split.
        splits: whether it has splits; a set without them is taken whole, whatever split is asked for.
        whole: globs for all splits together, where the patterns would take the files of one form alone.
        part: reads one split of files that hold all of them, where the rows say which is theirs.
        gather: finds the files of other data sets, where the items are made from theirs.
    """

    folder: str
    patterns: tuple[str, ...]
    load: Load
    published_as: Published | None = None
    graph: itg.Graphs | None = None
    companions: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    splits: bool = True
    whole: tuple[str, ...] = ()
    part: Part | None = None
    gather: Gather | None = None

    @property
    def derived(self) -> bool:
        """Whether its items are made from other data sets: it has no files of its own, nor a published size."""
        return self.gather is not None

    @property
    def published(self) -> Published:
        """Where it was published, and in what size."""
        return self.published_as or _published(self.folder)

    def files(self, data: Path, split: str) -> list[Path]:
        """The files of a split.

        Raises:
            InputError: the folder or the split is not there.
        """
        root = data / self.folder
        if not data.is_dir():
            raise InputError(f"{data} is not a folder: --data names the folder that holds {self.folder}/")
        if self.gather is not None:
            return self.gather(data, split)
        if not root.is_dir():
            raise InputError(f"{data} has no folder {self.folder}/: `citewell bench fetch TASK` says where it is")
        wanted = split if self.splits else "all"
        patterns = self.whole if wanted == "all" and self.whole else self.patterns
        return files.find(root, wanted, patterns, exclude=self.exclude)

    def items(self, paths: Sequence[Path], split: str) -> Iterator[Item]:
        """The items of a split, in order, from its files.

        Raises:
            InputError: files that hold all splits have no rows of this one.
        """
        if self.part is not None and split != "all":
            return self.part(paths, split)
        if self.graph is not None and paths and all(itg.is_graph(path) for path in paths):
            return itg.load(paths, self.graph)
        return self.load(paths)

    def picked(
        self, paths: Sequence[Path], split: str, *, limit: int | None = None, sample: int | None = None, seed: int = 0
    ) -> Iterator[Item]:
        """The items of a split, in order: a seeded sample of them, or only the first ones."""
        items = self.items(paths, split)
        return itertools.islice(items if sample is None else sampled(items, sample, seed), limit)

    def checksums(self, data: Path, paths: Sequence[Path]) -> dict[str, str]:
        """SHA-256 of every file that is read, by its path below the data folder. Folders count by their listing."""
        root = data / self.folder
        extra = [path for pattern in self.companions for path in sorted(root.glob(pattern)) if path.is_file()]
        return {str(path.relative_to(data)): files.sha256(path) for path in dict.fromkeys([*paths, *extra])}

    def standing(self, split: str, size: int, checksums: Mapping[str, str], *, limited: bool = False) -> Standing:
        """Whether a split that was read is the published one."""
        return self.published.standing(split if self.splits else "all", size, checksums, limited=limited)
