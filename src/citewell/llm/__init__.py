"""Language models: clients with one verb, `complete`, and what everyone needs who asks them (prompts, concurrency)."""
