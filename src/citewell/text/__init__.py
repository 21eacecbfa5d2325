"""Text: sentences, segments, words, the index; texts made safe to show, and written whole."""
