"""Conversations: follow-ups rewritten into complete questions, with separate threads in memory or on disk."""
