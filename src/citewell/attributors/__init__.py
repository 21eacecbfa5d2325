"""Attributors: find the evidence for an answer."""
