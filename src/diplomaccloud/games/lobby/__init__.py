"""Lists of games, and the waiting room of a game."""
