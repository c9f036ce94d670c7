"""Votes: questions put to all players, and draw votes written with the orders."""
