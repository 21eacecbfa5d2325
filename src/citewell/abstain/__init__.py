"""When there is no answer: what a model says when it declines."""
