"""Headings that many documents share and that therefore identify none: "1. Introduction", "Executive summary"."""

from __future__ import annotations

import re

COMMON_HEADING = re.compile(
    r"[\d. ]*(?:introduction|abstract|background|(?:executive )?summary|contents|preamble|"
    r"(?:exhibit|appendix|annex|schedule|attachment) ?\S{0,8})",
    re.IGNORECASE,
)
