"""Uploaded files: streamed to the service's own folder under its own names, removed after reading."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from citewell.serve import keeping
from citewell.serve.faults import Fault


class Upload(NamedTuple):
    """The path of an upload, its name and its size."""

    path: Path
    name: str
    size: int


@asynccontextmanager
async def taken(request: Request, spool: Path, most: int) -> AsyncIterator[Upload]:
    """The file of a multipart request, stored for the duration of the block.

    Raises Fault: there is none, or it is too large.
    """
    try:
        form = await request.form(max_files=1, max_fields=8, max_part_size=1 << 16)
    except HTTPException as error:
        raise Fault(422, "UsageError", f"the multipart body cannot be read: {error.detail}", "file") from error
    try:
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise Fault(422, "UsageError", "a multipart request has one file, called 'file'", "file")
        if file.size is not None and file.size > most:
            raise Fault(413, "TooLargeDocumentError", f"the file has more than {most >> 20} MB", "file")
        with tempfile.NamedTemporaryFile(dir=spool, prefix="upload-") as kept:
            await asyncio.to_thread(shutil.copyfileobj, file.file, kept)
            kept.flush()
            yield Upload(Path(kept.name), keeping.file_name(file.filename), file.size or 0)
    finally:
        await form.close()
