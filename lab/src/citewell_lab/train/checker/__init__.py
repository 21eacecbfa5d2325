"""The weights of the checker: people's labels and claims with one fact changed, and the fit to both."""
