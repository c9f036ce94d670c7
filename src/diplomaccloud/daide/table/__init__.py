"""A game as a DAIDE server runs it: its visitors, and the answers to them."""
