"""The home page: what waits for a person in all games."""
