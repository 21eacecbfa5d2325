"""What every model back end needs: loading once, batches of like length, token offsets, pair classification."""
