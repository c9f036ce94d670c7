"""The game master: changes of time, previews, warnings and rollbacks."""
