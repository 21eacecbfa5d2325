"""Kinds of tasks: how items become records and records become figures; several data sets share one."""
