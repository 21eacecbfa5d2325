"""Text: sentences, segments, words, the index; texts made safe to display, and atomic file writing."""
