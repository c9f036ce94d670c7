"""A game master who reads a private conversation, if the players agreed to it."""
