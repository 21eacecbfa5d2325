"""`citewell library`: add, list and remove the documents of a library."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from citewell.cli.options import crew_options, echo, options
from citewell.errors import RequirementError, UsageError

if TYPE_CHECKING:
    from citewell.library.batch.workers import Crew
    from citewell.library.library import Library
    from citewell.library.writing import Added

_WIDEST = 48  # characters of a title in a short list


@click.group()
def library() -> None:
    """Store many documents and ask them all at once.

    \b
    citewell library add reports/ --library reports.lib
    citewell ask --library reports.lib "Which ferries lost money in 2024?"
    """  # noqa: D301  (click keeps the lines after this character as they are)


@library.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@options("library", "place data new-label")
@crew_options("Number of reading processes.", gpus=False)
@options("library", "encoder json quiet")
def add(
    *,
    paths: tuple[str, ...],
    place: str,
    fields: tuple[str, ...],
    labels: tuple[str, ...],
    crew: Crew,
    encoder: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Read and index files and folders. Unchanged files are skipped; changed files are read again.

    Exits with 3 if a file could not be read; the others are added.
    """
    from citewell.cli import inputs

    opening = _opened(place, labels, create=True, encoder=encoder)
    with opening as opened, inputs.Progress("documents", " documents", quiet=quiet) as tell:
        data = _fields(fields) if fields else None
        added = opened.add(paths, data=data, labels=labels or None, workers=crew.number, ray=crew.ray, tell=tell)
    return _report(added, as_json=as_json)


@library.command()
@options("library", "place rebuild encoder json quiet")
def refresh(*, place: str, rebuild: bool, encoder: str | None, as_json: bool, quiet: bool) -> int:
    """Read changed files again, remove documents whose file is gone, and retry failed files.

    With --encoder, documents without vectors get them; with --rebuild as well, all get new ones.

    Exits with 3 if a file could not be read.
    """
    from citewell.cli import inputs

    if rebuild:
        with _opened(place, encoder=encoder) as opened:
            rebuilt = opened.rebuild()
        echo({"rebuilt": rebuilt}, f"{rebuilt} indexed anew", as_json=as_json)
        return 0
    with _opened(place, encoder=encoder) as opened, inputs.Progress("documents", " documents", quiet=quiet) as tell:
        refreshed = opened.refresh(tell=tell)
    return _report(refreshed, as_json=as_json)


@library.command()
@options("library", "place json")
def verify(*, place: str, as_json: bool) -> int:
    """Read everything that is stored and compare it with its checksums. Exits with 3 if something is damaged."""
    from citewell.text.safe import clean

    with _opened(place) as opened:
        damages = opened.verify()
    lines = [f"✗ {clean(damage.entry.source)} ({damage.part}): {clean(damage.message)}" for damage in damages]
    lines.append("citewell library repair mends what can be mended" if damages else "everything is as it was added")
    echo({"damaged": [damage.to_dict() for damage in damages]}, "\n".join(lines), as_json=as_json)
    return RequirementError.exit_code if damages else 0


@library.command()
@options("library", "place encoder json")
def repair(*, place: str, encoder: str | None, as_json: bool) -> int:
    """Read damaged documents again from their files, and rebuild the index if it is damaged.

    Exits with 3 if both the text and the file of a document are damaged.
    """
    from citewell.text.safe import clean

    with _opened(place, encoder=encoder) as opened:
        repaired = opened.repair()
    lines = [f"read again: {clean(source)}" for source in repaired.read_again]
    lines += [f"✗ {clean(lost.entry.source)} is lost: add its file again, or remove it" for lost in repaired.lost]
    lines.append(f"{repaired.indexed} indexed anew" if repaired.indexed else "nothing to repair")
    figures = {
        "read_again": list(repaired.read_again),
        "indexed": repaired.indexed,
        "lost": [lost.to_dict() for lost in repaired.lost],
    }
    echo(figures, "\n".join(lines), as_json=as_json)
    return RequirementError.exit_code if repaired.lost else 0


@library.command()
@click.argument("target", metavar="DIR|URL")
@options("library", "place json")
def backup(*, target: str, place: str, as_json: bool) -> None:
    """Copy the current state of a library to a new DIR, while others may write to it. The copy is itself a library."""
    _copy(place, target, as_json=as_json)


@library.command()
@click.argument("source", metavar="DIR|URL")
@options("library", "place json")
def restore(*, source: str, place: str, as_json: bool) -> None:
    """Copy a backup to a new folder or an empty database."""
    _copy(source, place, as_json=as_json)


def _copy(source: str, target: str, *, as_json: bool) -> None:
    from citewell.library import backup as backups
    from citewell.text.safe import scrub

    with _opened(source) as opened:
        copied = backups.copy(opened, target)
    figures = {"documents": copied.documents, "generation": copied.generation, "place": scrub(target)}
    echo(figures, f"{copied.documents} documents, as of change {copied.generation}: {scrub(target)}", as_json=as_json)


@library.command()
@options("library", "place json")
def migrate(*, place: str, as_json: bool) -> None:
    """Migrate the tables of a library to this version of citewell, as opening it with write access does."""
    with _opened(place) as opened:
        echo({"tables": opened.tables}, f"tables of version {opened.tables}", as_json=as_json)


@library.command()
@click.argument("names", metavar="ID...", nargs=-1, required=True)
@options("library", "place label json")
def remove(*, names: tuple[str, ...], place: str, labels: tuple[str, ...], as_json: bool) -> None:
    """Remove documents with everything that was made from them. ID is what `list` shows, a path, or a file's name."""
    with _opened(place, labels) as opened:
        removed = opened.remove(names)
    echo({"removed": removed}, f"{removed} removed", as_json=as_json)


@library.command(name="list")
@options("library", "place where sort reverse long label json")
def list_documents(
    *,
    place: str,
    where: str | None,
    sort: str,
    reverse: bool,
    whole: bool,
    labels: tuple[str, ...],
    as_json: bool,
) -> None:
    """List the documents and the files that could not be read.

    Without --long, titles are shortened and paths reduced to file names.
    """
    from citewell.library.where import ordered
    from citewell.text.columns import aligned
    from citewell.text.safe import clean

    with _opened(place, labels) as opened:
        entries, failures = ordered(opened.entries(where), sort, reverse=reverse), opened.failures()
    cells = [["id", "title", "kind", "year", "pages", "source"]]
    cells += [
        [
            entry.id,
            _cut(clean(entry.title or "–"), whole=whole),
            clean(entry.details.get("kind", "")),
            str(entry.year or ""),
            str(entry.pages or ""),
            clean(entry.source) if whole else _cut(clean(entry.source).rsplit("/", 1)[-1], whole=False),
        ]
        for entry in entries
    ]
    lines = aligned(cells, [True, True, True, False, False, True]) if entries else ["no document"]
    lines += [f"✗ {clean(failure.source)}: {clean(failure.message)}" for failure in failures]
    figures = {
        "documents": [entry.to_dict() for entry in entries],
        "failures": [failure.to_dict() for failure in failures],
    }
    echo(figures, "\n".join(lines), as_json=as_json)


def _cut(text: str, *, whole: bool) -> str:
    return text if whole or len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"


def _opened(place: str, labels: tuple[str, ...] = (), *, create: bool = False, encoder: str | None = None) -> Library:
    from citewell.library.library import Library

    return Library(place, labels=labels, create=create, encoder=encoder)


def _fields(pairs: tuple[str, ...]) -> dict[str, str | float]:
    """The fields that options name; a number is one."""
    fields: dict[str, str | float] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(f"--data {pair}: a field is written as NAME=VALUE")
        try:
            fields[name] = float(value) if "." in value else int(value)
        except ValueError:
            fields[name] = value
    return fields


def _report(added: Added, *, as_json: bool) -> int:
    """Print what became of sources; the exit code."""
    from citewell.text.safe import clean

    failed = [failure.to_dict() for failure in added.failed]
    counts = {name: count for name, count in added._asdict().items() if name != "failed"}
    summary = ", ".join(f"{count} {name}" for name, count in counts.items() if count) or "nothing to do"
    lines = [f"✗ {clean(failure.source)}: {clean(failure.message)}" for failure in added.failed]
    echo(counts | {"failed": failed}, "\n".join([*lines, summary]), as_json=as_json)
    return RequirementError.exit_code if failed else 0
