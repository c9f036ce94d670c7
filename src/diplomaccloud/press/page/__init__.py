"""The press of a game as pages and as a panel. Knows every kind of attachment."""
