"""Batches that the service runs in the background: stored on disk, resumed after any stop, one after another."""
