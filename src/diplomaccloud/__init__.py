"""Diplomaccloud: a place to play Diplomacy, and a judge of its rules."""

__version__ = "0.3.0.dev0"
