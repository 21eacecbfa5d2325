"""Answers by a language model: prompts, replies, marks."""
