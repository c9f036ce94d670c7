"""Guests: the first orders without an account, keeping the game, and deleting old ones."""
