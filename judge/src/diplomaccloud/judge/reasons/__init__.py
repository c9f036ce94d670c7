"""Explains results: the message of each result, and the tree of causes behind it."""
