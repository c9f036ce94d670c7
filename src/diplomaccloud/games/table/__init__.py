"""What all features share: the rows of a game, its lock, its log, and what one reader may see."""
