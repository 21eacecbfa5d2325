"""Checkers: judge whether documents support a claim."""
