"""A finished game by phase, with the press that everyone who may see it can read."""
