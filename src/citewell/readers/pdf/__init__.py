"""PDF: characters, reading order, blocks, rectangles."""
