"""Downloads the published files of a data set and verifies known checksums."""

from __future__ import annotations

import hashlib
import http.client
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from citewell.errors import BackendError
from citewell.text.files import replacing
from citewell_lab.bench.datasets import files
from citewell_lab.bench.datasets.dataset import Dataset

_TIMEOUT = 60  # seconds without an answer
_BLOCK = 1 << 20


def fetch(source: Dataset, data: Path) -> Iterator[str]:
    """Download what is not there yet; one line a file that says what was done.

    Raises:
        BackendError: a file cannot be downloaded, or does not have its checksum.
    """
    published, root = source.published, data / source.folder
    if source.derived:
        yield f"{published.title}: nothing to fetch, they are made from the other data sets in {data}"
        return
    yield f"{published.title}, {published.licence}: {published.home}"
    if not published.files:
        yield f"its files cannot be fetched one by one: get them there and put them in {root}"
    for file in published.files:
        path, wanted, url = root / file.path, file.sha256, published.address + (file.remote or file.path)
        if path.exists():
            same = not wanted or files.sha256(path) == wanted
            yield f"{path}: there already" if same else f"{path}: there already, and not the published file"
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        _download(url, path, wanted)
        yield f"{path}: {path.stat().st_size:,} bytes" + ("" if wanted else ", no checksum is known")


def _download(url: str, path: Path, wanted: str | None) -> None:
    if not url.startswith(("https://", "http://127.0.0.1")):
        raise BackendError(f"{url}: only https addresses are fetched")
    try:
        with urllib.request.urlopen(url, timeout=_TIMEOUT) as answer, replacing(path) as out:  # noqa: S310  (checked)
            digest = hashlib.sha256()
            while block := answer.read(_BLOCK):
                digest.update(block)
                out.write(block)
            if wanted and digest.hexdigest() != wanted:
                raise BackendError(f"{url} is not the file that was published: its checksum differs")
    except (http.client.HTTPException, OSError) as error:  # URLError is an OSError
        raise BackendError(f"{url} cannot be fetched: {error}") from error
