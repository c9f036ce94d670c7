"""After a game: opening conversations to everyone who may see the game."""
