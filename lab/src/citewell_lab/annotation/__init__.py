"""Annotation: a local page for labelling items, agreement, adjudication, export."""
