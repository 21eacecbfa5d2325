"""The documentation site: `make docs` builds it into build/docs, which opens from the disk, without a server."""

from __future__ import annotations

import posixpath
import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"

_about = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
project, version, release = "citewell", _about["version"], _about["version"]
author = copyright = "the citewell authors"  # noqa: A001 - Sphinx's name
_source = _about.get("urls", {}).get("Source", "")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["*.py"]
nitpicky = False  # type names of annotations need not all be on a page
default_role = "code"  # docstrings write names in single backticks
suppress_warnings = ["misc.highlighting_failure"]  # examples leave things out with "…"

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4

autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
napoleon_google_docstring, napoleon_numpy_docstring = True, False

html_theme = "furo"
html_title = f"citewell {version}"
html_show_sourcelink = False
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1c5d99", "color-brand-content": "#1c5d99"},
    "dark_css_variables": {"color-brand-primary": "#8ec5ff", "color-brand-content": "#8ec5ff"},
}

_LINK = re.compile(r"\[([^\]]*)\]\(((?:\.\./)+[^)#\s]*)(#[^)\s]*)?\)")


def _outside(_: Any, name: str, content: list[str]) -> None:
    """Lead links to files of the repository that are no page to the repository itself, or leave them as words."""
    here = posixpath.dirname(name)

    def led(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join("docs", here, match[2]))
        if target.startswith("docs/"):
            return match[0]
        return f"[{match[1]}]({_source}/blob/main/{target}{match[3] or ''})" if _source else match[1]

    content[0] = _LINK.sub(led, content[0])


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("source-read", _outside)
