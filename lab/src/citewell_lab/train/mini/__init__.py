"""One small encoder with three heads: a claim against evidence, an answer in a passage, what is about a question."""
