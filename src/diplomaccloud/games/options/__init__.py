"""What the players of a game agree on, and presets for it."""
