"""Text: sentences, segments, words, the index and what of a statement evidence covers."""
