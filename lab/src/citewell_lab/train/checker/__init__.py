"""The checker's weights: human labels, claims with one fact changed, and the fit to both."""
