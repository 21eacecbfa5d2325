"""Language models: clients with one verb, `complete`, and what their callers share (prompts, concurrency)."""
