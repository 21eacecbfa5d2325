"""Batches: many questions, answers, claims or responses with their documents, in processes or on a cluster."""
