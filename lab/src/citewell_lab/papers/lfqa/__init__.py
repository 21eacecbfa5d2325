"""The long-form study: what documents do to long answers (Chen et al. 2023, "Understanding Retrieval Augmentation")."""
