"""Models without torch: graphs run by onnxruntime, tokenization by tokenizers."""
