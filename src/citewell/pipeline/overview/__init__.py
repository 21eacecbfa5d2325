"""The overview of a document: kind, details, outline, quotes, key figures and suggested questions."""
