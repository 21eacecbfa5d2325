"""Models without torch: graphs run by onnxruntime, texts cut into tokens by tokenizers."""
