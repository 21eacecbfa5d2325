"""The HTTP service: documents in, answers with their evidence out; work runs in processes of its own."""
