"""citewell in other frameworks, one module each: nothing in citewell imports them, and each needs its own extra."""
