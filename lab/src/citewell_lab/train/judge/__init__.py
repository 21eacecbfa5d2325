"""A judge from a small language model: families of claims, adapters of low rank, export without torch."""
