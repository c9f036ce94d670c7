"""Deadlines: moving them, pauses, outages and suspended games."""
