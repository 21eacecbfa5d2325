"""The segments of a library's index: the list of segments, their files, and when to merge them.

The database says which segments count; their files are derived from the documents, never changed, and named by the
hash of their bytes. Beside SQLite they lie in the library's folder; a server keeps them as bytes, of which each machine
has a copy. A document that goes takes its terms with it at once: its segment is written anew without it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from citewell.errors import LibraryError, of_files
from citewell.library.search import arrays
from citewell.library.search.postings import Segment, merge
from citewell.library.store import records
from citewell.library.store.database import Database
from citewell.library.store.records import Kept

if TYPE_CHECKING:
    import sqlalchemy as sa

TIER = 8  # segments of about one size become one
_SMALLEST = 4096  # paragraphs up to which all segments are of one size
_LARGEST = 2**18  # paragraphs of a merged segment, at most: a merge holds all of them in memory
FOLDER = "segments"


class Index:
    """The files of the segments of one library."""

    def __init__(self, database: Database) -> None:
        self.database, self.folder = database, database.folder / FOLDER

    def opened(self, connection: sa.Connection, name: str) -> Segment:
        """A segment by its name. Raises LibraryError: it is not there, or damaged."""
        path = self.folder / f"{name}{arrays.SUFFIX}"
        try:
            return Segment(arrays.opened(path))
        except LibraryError:
            data = None if self.database.sqlite else records.segment_data(connection, name)
            if data is None or arrays.name_of(data) != name:
                raise
        arrays.keep(self.folder, data)
        return Segment(arrays.opened(path))

    def check(self, connection: sa.Connection, name: str) -> None:
        """Read a whole segment and hold it against its checksums. Raises LibraryError: it is not there, or damaged."""
        segment = self.opened(connection, name)
        if isinstance(segment.arrays, arrays.Mapped):
            segment.arrays.check()

    def write(self, values: arrays.Arrays) -> tuple[Kept, bytes | None]:
        """Keep new arrays as a file; what the database is to say of it. Raises InputError: it cannot be written."""
        data = arrays.pack(values)
        name = arrays.keep(self.folder, data)
        kept = Kept(name, len(values["numbers"]), len(values["starts"]), len(data))
        return kept, None if self.database.sqlite else data

    def publish(
        self, connection: sa.Connection, new: Iterable[tuple[Kept, bytes | None]], old: Collection[str]
    ) -> None:
        """Let new segments count and old ones no more, in somebody's transaction."""
        before = {kept.name for kept in records.segments(connection)}
        for kept, data in new:
            if kept.name not in before:
                records.add_segment(connection, kept, data)
            number = Segment(arrays.opened(self.folder / f"{kept.name}{arrays.SUFFIX}")).numbers
            records.moved(connection, number.tolist(), kept.name)
        records.drop_segments(connection, set(old) - {kept.name for kept, _ in new})
        records.changed(connection)

    def without(self, connection: sa.Connection, gone: Collection[int], name: str) -> arrays.Arrays | None:
        """The arrays of a segment without some documents; None where nothing is left."""
        segment = self.opened(connection, name)
        living = ~np.isin(segment.numbers, sorted(gone))
        return merge([segment], [living]) if living.any() else None

    def crowded(self, segments: Sequence[Kept]) -> list[list[Kept]]:
        """Groups of segments of about one size that are many enough to become one."""
        tiers: dict[int, list[Kept]] = defaultdict(list)
        for kept in segments:
            size, tier = max(1, kept.paragraphs) // _SMALLEST, 0
            while size:
                size, tier = size // TIER, tier + 1
            tiers[tier].append(kept)
        some = [group[:TIER] for _, group in sorted(tiers.items()) if len(group) >= TIER]
        return [group for group in some if sum(kept.paragraphs for kept in group) <= _LARGEST]

    def merged(self, connection: sa.Connection, group: Sequence[Kept]) -> arrays.Arrays:
        """The arrays of several segments as one."""
        opened = [self.opened(connection, kept.name) for kept in group]
        return merge(opened, [np.ones(len(segment.numbers), dtype=bool) for segment in opened])

    def tidy(self, wanted: Collection[str]) -> None:
        """Take away files of segments that count no more; who has one open goes on reading it."""
        for path in self._files():
            if path.stem not in wanted:
                with suppress(OSError):
                    path.unlink()

    def _files(self) -> list[Path]:
        with of_files(f"{self.folder} cannot be read"):
            return sorted(self.folder.glob(f"*{arrays.SUFFIX}"))
