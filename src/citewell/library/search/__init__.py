"""The terms of all documents' paragraphs as arrays on disk, and the ranking over them."""
