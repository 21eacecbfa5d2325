"""Others' answers in: wire formats, scores, fixes, verification."""
