"""What bots order and vote, and the hints that they give."""
