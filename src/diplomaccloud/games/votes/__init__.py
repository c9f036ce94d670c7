"""Votes: questions put to the players, and draw votes written with the orders."""
