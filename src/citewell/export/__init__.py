"""Output formats of answers and verdicts: JSON, Markdown, terminal text, an HTML report, an annotated PDF."""
