"""citewell in other frameworks, one module each. Nothing in citewell imports them, and each needs its own extra."""
