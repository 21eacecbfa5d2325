"""The terms of all paragraphs as arrays on disk, and the ranking over them."""
