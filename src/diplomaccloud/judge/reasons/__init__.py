"""Why orders had their outcomes: the message of each result, and the tree of causes behind it."""
