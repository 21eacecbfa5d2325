"""The changes, one module each, numbered."""
