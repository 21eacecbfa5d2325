"""Annotation: items that people label in a local page, their agreement, adjudication, export."""
