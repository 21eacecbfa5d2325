"""Endpoints compatible with OpenAI and Anthropic, so that their clients get verified citations unchanged."""
