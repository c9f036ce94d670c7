"""Actions of the game master: deadlines, previews, reprimands and rollbacks."""
