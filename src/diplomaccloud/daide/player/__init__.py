"""A game as a DAIDE client sees it, played by one of our bots."""
