"""A game as a server of DAIDE keeps it: who is there and what it answers."""
