"""Retrievers: rank segments by how well they match a query."""
