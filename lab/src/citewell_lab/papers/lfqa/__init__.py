"""The long-form study: how documents affect long answers (Chen et al. 2023, "Understanding Retrieval Augmentation")."""
