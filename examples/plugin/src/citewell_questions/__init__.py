"""A plug-in for citewell: the row of the checker `qa-overlap`.

This is all that is imported to list the back ends; the checker itself is, when it is built.
"""

from __future__ import annotations

from citewell.registry import Row

CHECKER = Row("citewell_questions.checker:QAOverlap", "questions from the claim, answered from the evidence, compared")
