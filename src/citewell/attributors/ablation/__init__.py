"""Attribution by ablation: the likelihood of an answer without parts of the document."""
