"""The files of the page, each listed here; anything else is not served."""

from __future__ import annotations

import gzip
from functools import cache

from citewell.text.data import read_text

_KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_NAMES = ("main.js", "page.css", "mark.svg")
PATHS = {"/": "assets/index.html", "/described.css": "described.css"} | {
    f"/page/{name}": f"assets/{name}" for name in _NAMES
}


@cache
def compressed(path: str) -> bytes:
    """The gzipped bytes of a file, computed once."""
    return gzip.compress(file(path)[0], mtime=0)


@cache
def file(path: str) -> tuple[bytes, str]:
    """The bytes and media type of a file by its URL path."""
    name = PATHS[path]
    return read_text(__package__, name).encode(), _KINDS[name.rpartition(".")[2]]
