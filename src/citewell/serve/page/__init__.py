"""The page: what a browser is given. `assets` is built from the sources in `page/` of the repository by `make page`."""
