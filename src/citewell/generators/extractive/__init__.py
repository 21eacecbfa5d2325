"""Answers in the documents' own words, by rules and two fitted models."""
