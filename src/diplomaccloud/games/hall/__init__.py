"""Cards: what a reader sees of a game wherever games are listed."""
