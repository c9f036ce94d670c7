"""Seats: leaving a seat, taking one over, and naming its country."""
