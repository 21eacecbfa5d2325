"""Typed facts of a text with their offsets, and the comparison of a claim's facts with the evidence."""
