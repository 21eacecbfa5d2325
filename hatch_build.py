"""The README of the package, whose links to files of the repository become absolute when a wheel or sdist is built."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(?P<picture>!?)\[(?P<text>[^\]]*)\]\((?!https?://|mailto:|#)(?P<path>[^)\s]+)\)")


class Readme(MetadataHookInterface):  # type: ignore[misc]  # hatchling is there only while a package is built
    """Gives the metadata their readme: on an index no file of the repository stands beside it."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the readme."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        at = f"v{metadata['version']}"
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute(text, metadata["urls"]["Source"], at)}


def absolute(text: str, source: str, at: str) -> str:
    """The text with its relative links leading to a repository at a tag; pictures to the files as they are."""

    def led(link: re.Match[str]) -> str:
        kind = "raw" if link["picture"] else "blob"
        return f"{link['picture']}[{link['text']}]({source}/{kind}/{at}/{link['path']})"

    return _LINK.sub(led, text)
