"""Ratings of people: what they follow from, the list of the best, and who is not shown."""
