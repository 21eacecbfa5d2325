"""What lies behind a run's means: LAB's analyses of positions, lengths, systems, overlap and selective prediction."""
