"""Seats: leaving one, taking one over, and what its country is called."""
