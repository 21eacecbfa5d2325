"""Files of a package with a back end, filled in by `citewell new backend`."""
