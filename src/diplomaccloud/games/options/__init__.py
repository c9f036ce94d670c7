"""The options of a game, and presets for them."""
