"""Data sets: the files of a split, their formats, and whether it is the published one."""
