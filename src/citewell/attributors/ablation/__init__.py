"""Attribution by ablation: how likely a model finds an answer without parts of the document."""
