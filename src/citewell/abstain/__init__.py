"""Abstention: recognising that there is no answer, including replies in which a model declines."""
