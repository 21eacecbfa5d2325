"""Shared by back ends on local models: loading once, batching by length, token offsets, pair classification."""
