"""The page: what a browser is given. Plain modules and styles as they lie in `assets`, nothing from elsewhere."""
