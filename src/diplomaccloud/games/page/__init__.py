"""The page of a game and its live stream, which know all features."""
