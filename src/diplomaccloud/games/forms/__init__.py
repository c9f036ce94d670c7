"""The forms on the pages of games."""
