"""LAB's analyses of runs: positions, lengths, systems, overlap and selective prediction."""
