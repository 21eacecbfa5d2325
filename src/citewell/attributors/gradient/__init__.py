"""Attribution by gradients: how what a model says next hangs on the embeddings of what it read."""
