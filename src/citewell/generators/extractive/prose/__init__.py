"""Questions about a whole document, a theme, a term or a headquarters, with a separate method for each kind."""
