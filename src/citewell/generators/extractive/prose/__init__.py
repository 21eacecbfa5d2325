"""Questions about a whole document, a theme, a term or a seat: each kind has its own way to sentences that answer."""
