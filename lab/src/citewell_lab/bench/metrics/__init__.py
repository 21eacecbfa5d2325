"""Metrics: pure functions of predictions and gold, fractions in [0, 1], independent of tasks and files."""
