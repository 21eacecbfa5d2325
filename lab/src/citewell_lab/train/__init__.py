"""Fine-tuning of language models on answers with evidence. PEFT and transformers' Trainer do the work."""
