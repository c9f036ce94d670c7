"""Creating a game: its form, presets and checks."""
