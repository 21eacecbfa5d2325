"""The leaderboard: submissions, scoring against the gold labels, and the page."""
