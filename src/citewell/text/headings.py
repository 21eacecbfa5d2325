"""Headings that name no document: those that many have ("1. Introduction"), and those of one table or figure."""

from __future__ import annotations

import re

COMMON_HEADING = re.compile(
    r"[\d. ]*(?:introduction|abstract|background|(?:executive )?summary|contents|preamble|"
    r"(?:exhibit|appendix|annex|schedule|attachment) ?\S{0,8})",
    re.IGNORECASE,
)
CAPTION = re.compile(
    r"(?:table|figure|fig\.|exhibit|chart|box|graph|map|panel) (?:[A-Z]{1,2}-?)?\d[\w.-]*[.:|]?\s", re.IGNORECASE
)
