"""Shared report elements: tables, intervals, curves, pages."""
