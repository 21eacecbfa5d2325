"""The four papers: their analyses, studies and published tables."""
