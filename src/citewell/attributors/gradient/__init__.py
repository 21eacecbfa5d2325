"""Attribution by gradients: how the next tokens depend on the embeddings of the input."""
