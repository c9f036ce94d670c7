"""Several drafts of one player's orders, of which one counts."""
