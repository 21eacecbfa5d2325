"""Answers questions about figures from table cells: the requested item, period and statement."""
