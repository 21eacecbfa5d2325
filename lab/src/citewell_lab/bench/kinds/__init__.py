"""Kinds of tasks: from items to records to figures; several data sets share a kind."""
