"""Published figures of the sets on which others compare."""
