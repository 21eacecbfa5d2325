"""The leaderboard: submissions, their scoring from gold, and the page that shows them."""
