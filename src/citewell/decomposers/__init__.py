"""Decomposers: statements broken into units that can be attributed one by one."""
