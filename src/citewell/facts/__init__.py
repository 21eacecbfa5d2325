"""Typed facts of a text with their offsets, and how the facts of a claim stand in the evidence."""
