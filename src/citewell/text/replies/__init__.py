"""Replies of language models as they are read: thoughts left out, marks understood, statements with what they cite."""
