"""The lobby: creating a game, inviting, joining and starting it."""
