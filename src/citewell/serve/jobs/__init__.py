"""Batches that the service works on by itself: kept on disk, gone on with after any end, one after the other."""
