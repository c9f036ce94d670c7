"""Phases: starting, locking and processing them."""
