"""One table, one interval, one curve, one page."""
