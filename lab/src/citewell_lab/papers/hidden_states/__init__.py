"""Studies of attributors on development data: calibration, layers, thresholds, positions, paraphrases, ablations."""
