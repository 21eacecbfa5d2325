"""The endpoints of OpenAI's and Anthropic's shapes, so that their clients get verified citations unchanged."""
