"""Metrics: pure functions of predictions and gold, fractions in [0, 1], nothing that knows a task or a file."""
