"""What answers and verdicts are turned into: JSON, Markdown, terminal text, an HTML report, an annotated PDF."""
