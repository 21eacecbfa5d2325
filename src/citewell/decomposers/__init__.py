"""Decomposers: split statements into units that can be attributed separately."""
