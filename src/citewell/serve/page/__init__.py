"""The web page. `make page` builds `assets` from the sources in `page/` of the repository."""
