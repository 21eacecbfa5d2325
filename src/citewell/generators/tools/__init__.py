"""A language model that reads a document with tools: first an outline, then it opens, searches and computes."""
