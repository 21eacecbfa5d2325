"""A language model that reads a document with tools: an outline, then what it opens, searches and computes."""
