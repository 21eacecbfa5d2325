"""Many rows at once: questions, answers, claims or responses with their documents, in processes or on a cluster."""
