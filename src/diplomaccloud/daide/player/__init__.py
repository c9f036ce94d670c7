"""A game as a client of DAIDE sees it, played by one of our bots."""
