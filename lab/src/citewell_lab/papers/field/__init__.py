"""Published figures of data sets used for comparisons."""
