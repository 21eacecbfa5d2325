"""Conversations: follow-ups rewritten into whole questions, threads kept apart, in memory or on disk."""
