"""Data sets: which files are a split, how their forms are read, whether it is the published one."""
