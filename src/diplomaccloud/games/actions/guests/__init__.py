"""Guests: first orders without an account, keeping a game after sign-up, and purging old guests."""
