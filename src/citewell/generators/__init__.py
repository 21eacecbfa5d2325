"""Generators: answer a question from documents, or abstain."""
